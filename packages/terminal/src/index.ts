/** What commands use to talk to people at a terminal. */

export { indented } from './text/indented-json.js';
export { counted } from './text/counted.js';
export { clockTime, shownDuration } from './text/shown-time.js';
export { hanging, wrapped } from './text/wrapped.js';
export { onOneLine, printable, printableJson } from './text/printable.js';
export {
  Interrupted,
  isInterrupted,
  askSecret,
  askSome,
  askSomeOfMany,
  askText,
  askWhether,
  askWhich,
} from './prompt/prompt.js';
export { startProgress } from './output/progress.js';
export type { Progress } from './output/progress.js';
export { createOutput } from './output/output.js';
export type { Output } from './output/output.js';
export { createPaint, wantsColour } from './output/paint.js';
export type { Meaning, Paint } from './output/paint.js';
export { renderTable } from './output/table.js';
export type { Column } from './output/table.js';
