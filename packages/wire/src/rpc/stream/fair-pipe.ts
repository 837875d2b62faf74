/** Reads the output of servers fairly: one with endless output must not block the others. */

import type { Readable } from 'node:stream';

import { messagesRead } from './traffic.js';

/**
 * Bytes. Larger chunks may hold thousands of lines, so they are read in slices, for a limited time
 * per turn.
 */
const MUCH = 8 * 1024;
const SLICE = 2 * 1024;
/** A call passes through this process four times, and may have to wait this long each time. */
const MOMENT_MS = 0.1;
/** How long a pipe without awaited messages rests after each slice. */
const REST_MS = 1;
/** Bytes. A longer line rests too if other messages were read since its start. */
const LONG_LINE = 1024 * 1024;
const NEWLINE = 10;

/** Handles a slice of data. Returns true if it held an awaited message. */
type Take = (chunk: Buffer) => boolean;

/**
 * Reads a pipe. Large data is read in slices, with other work in between. Data without awaited
 * messages is read slowly, so that the pipe fills up and its writer has to wait.
 */
export function readFairly(pipe: Readable, take: Take): void {
  /** Bytes of the line that is not complete yet, and the messages that were read before it. */
  let lineBytes = 0;
  let before = 0;
  const takeSlices = (chunk: Buffer, start: number): void => {
    const until = performance.now() + MOMENT_MS;
    let from = start;
    let isWanted: boolean;
    do {
      // Up to the end of a line, if there is one: a partial line may belong to an answer.
      const lineEnd = chunk.indexOf(NEWLINE, from + SLICE) + 1;
      const end = lineEnd === 0 ? chunk.length : lineEnd;
      const isPart = lineEnd === 0 && chunk.indexOf(NEWLINE, from) === -1;
      isWanted = take(chunk.subarray(from, end)) || isPart;
      if (!isPart) lineBytes = 0;
      if (lineBytes === 0) before = messagesRead();
      lineBytes += isPart ? end - from : 0;
      from = end;
    } while (isWanted && from < chunk.length && performance.now() < until);
    const goOn = (): void => {
      if (from < chunk.length) takeSlices(chunk, from);
      else pipe.resume();
    };
    const givesWay = lineBytes > LONG_LINE && messagesRead() !== before;
    if (isWanted && !givesWay) setImmediate(goOn);
    else setTimeout(goOn, REST_MS);
  };
  pipe.on('data', (chunk: Buffer) => {
    if (lineBytes > 0 && chunk.includes(NEWLINE)) lineBytes = 0;
    if (chunk.length <= MUCH) return void take(chunk);
    pipe.pause();
    takeSlices(chunk, 0);
  });
}
