/** Reading the pipes of children so that one who talks without end does not drown out the others. */

import type { Readable } from 'node:stream';

/** What may hold thousands of lines is taken in slices, as many as fit in a moment. */
const MUCH = 8 * 1024;
const SLICE = 2 * 1024;
/** A call passes through us four times, and waits each time for as long as this. */
const MOMENT_MS = 0.1;
/** How long the pipe of somebody who talks to nobody is left alone after each slice. */
const REST_MS = 1;
const NEWLINE = 10;

/** Takes some of what was read; true if somebody waited for any of it. */
type Take = (chunk: Buffer) => boolean;

/**
 * Reads a pipe; when there is much, everybody else has a turn in between. What nobody waits for is read
 * slowly: the pipe fills up, and whoever floods it has to wait.
 */
export function readFairly(pipe: Readable, take: Take): void {
  const takeSlices = (chunk: Buffer, start: number): void => {
    const until = performance.now() + MOMENT_MS;
    let from = start;
    let isWanted: boolean;
    do {
      // To the end of a line, if there is one: a part of a line may be one of an answer.
      const lineEnd = chunk.indexOf(NEWLINE, from + SLICE) + 1;
      const end = lineEnd === 0 ? chunk.length : lineEnd;
      const isPart = lineEnd === 0 && chunk.indexOf(NEWLINE, from) === -1;
      isWanted = take(chunk.subarray(from, end)) || isPart;
      from = end;
    } while (isWanted && from < chunk.length && performance.now() < until);
    const goOn = (): void => {
      if (from < chunk.length) takeSlices(chunk, from);
      else pipe.resume();
    };
    if (isWanted) setImmediate(goOn);
    else setTimeout(goOn, REST_MS);
  };
  pipe.on('data', (chunk: Buffer) => {
    if (chunk.length <= MUCH) return void take(chunk);
    pipe.pause();
    takeSlices(chunk, 0);
  });
}
