/** The entry of `serve` in the bundle. Its code is in one file beside this one. */

import { fileURLToPath } from 'node:url';

import { loadCompiled } from './compiled-code.js';
import type * as Serve from './serve.js';

const file = fileURLToPath(new URL('serve-code.cjs', import.meta.url));
const code = loadCompiled(file) as typeof Serve;

export const serve: typeof Serve.serve = code.serve;
