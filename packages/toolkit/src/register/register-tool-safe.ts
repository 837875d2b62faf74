/** The registrar of the founding design: one prefix, two default hints, the author's word over both. */

import { createRegistrar, type Registrar } from './registrar.js';
import { TOOL_PREFIX } from '../label/tool-name.js';

/** `registerToolSafe(server, 'list_charts', { title, description, inputSchema }, handler)`. */
export const registerToolSafe: Registrar<false> = createRegistrar({ prefix: TOOL_PREFIX });
