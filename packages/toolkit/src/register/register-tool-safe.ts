/** The default registrar: one prefix and two default hints, which the author can override. */

import { createRegistrar, type Registrar } from './registrar.js';
import { TOOL_PREFIX } from '../label/tool-name.js';

/** `registerToolSafe(server, 'list_charts', { title, description, inputSchema }, handler)`. */
export const registerToolSafe: Registrar<false> = createRegistrar({ prefix: TOOL_PREFIX });
