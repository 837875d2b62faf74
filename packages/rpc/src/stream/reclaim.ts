/**
 * Makes V8 free the memory of long texts soon after use. V8 starts its first full collection at
 * several hundred megabytes, so a few long answers would stay in memory while there is little other
 * work.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'async' }) => unknown;

/** Bytes. Shorter texts are freed soon enough without this. */
const LONG = 512 * 1024;
/** Bytes. A collection takes some milliseconds, so it must free at least this much. */
const WORTH = 16 * 1024 * 1024;

/** After this time there is no reference left to a dropped text. */
const DROP_MS = 200;

let passed = 0;
let isDue = false;
let collect: Collect | undefined;

/** Call it when a text of this many bytes was read. */
export function textPassed(bytes: number): void {
  if (bytes < LONG) return;
  passed += bytes;
  if (passed < WORTH || isDue) return;
  isDue = true;
  passed = 0;
  // Later: the text is in use for the rest of this turn.
  setImmediate(run);
}

/** Call it when this many bytes that waited for a client were sent or dropped. */
export function bytesReleased(bytes: number): void {
  passed += bytes;
  if (passed < WORTH || isDue) return;
  isDue = true;
  passed = 0;
  setTimeout(run, DROP_MS).unref();
}

function run(): void {
  isDue = false;
  collect ??= collector();
  collect({ type: 'major', execution: 'async' });
}

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
