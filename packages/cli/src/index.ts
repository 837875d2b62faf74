export { main } from './main.js';
export type { Shell } from './command/shell.js';
