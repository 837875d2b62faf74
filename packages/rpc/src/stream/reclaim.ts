/**
 * Has the memory of long texts collected soon after use. V8 starts its first full collection at several hundred
 * megabytes, so a few long answers would stay in memory while there is little other work.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'async' }) => unknown;

/** Shorter texts are collected soon enough without this. */
const LONG = 512 * 1024;
/** A collection takes some milliseconds, so it must be worth it. */
const WORTH = 16 * 1024 * 1024;

/** All references to a dropped text are gone after this time. */
const DROP_MS = 200;

let passed = 0;
let isDue = false;
let collect: Collect | undefined;

/** A text of so many bytes was read. */
export function textPassed(bytes: number): void {
  if (bytes < LONG) return;
  passed += bytes;
  if (passed < WORTH || isDue) return;
  isDue = true;
  passed = 0;
  // The text is in use for the rest of this turn.
  setImmediate(run);
}

/** So many bytes that waited for a client were sent or dropped. */
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
