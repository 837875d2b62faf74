/** Reading the pipes of children so that one who talks without end does not drown out the others. */

import type { Readable } from 'node:stream';

import { LineReader } from '../line-reader.js';

/** What may hold thousands of lines is taken in slices, as many as fit in a moment. */
const MUCH = 8 * 1024;
const SLICE = 2 * 1024;
/** A call passes through us four times, and waits each time for as long as this. */
const MOMENT_MS = 0.1;
const NEWLINE = 10;
/** Lines for people that are passed on within a second; more than anyone can read. */
const MAX_LINES = 500;
const MAX_LINE_LENGTH = 4_096;

/** Reads a pipe; when there is much, everybody else has a turn in between. */
export function readFairly(pipe: Readable, take: (chunk: Buffer) => void): void {
  const takeSlices = (chunk: Buffer, start: number): void => {
    const until = performance.now() + MOMENT_MS;
    let from = start;
    do {
      // What is a part of one long line costs nothing but to be kept.
      const end = chunk.indexOf(NEWLINE, from) === -1 ? chunk.length : from + SLICE;
      take(chunk.subarray(from, end));
      from = end;
    } while (from < chunk.length && performance.now() < until);
    if (from < chunk.length) setImmediate(takeSlices, chunk, from);
    else setImmediate(() => pipe.resume());
  };
  pipe.on('data', (chunk: Buffer) => {
    if (chunk.length <= MUCH) return take(chunk);
    pipe.pause();
    takeSlices(chunk, 0);
  });
}

/** Reads what a child prints for people, line by line; a flood is not even looked at. */
export function readWords(pipe: Readable, say: (line: string) => void): void {
  let second = 0;
  let lines = 0;
  const pass = (line: string): void => {
    lines++;
    if (lines < MAX_LINES) say(line);
    else if (lines === MAX_LINES) say('(more than anyone can read; left out for a second)');
  };
  const reader = new LineReader({
    maxBytes: MAX_LINE_LENGTH,
    onLine: pass,
    onTooLong: (line) => {
      if (line !== 'endless') pass('(a line too long to show)');
    },
  });
  readFairly(pipe, (chunk) => {
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second) [second, lines] = [now, 0];
    if (lines < MAX_LINES) reader.push(chunk);
  });
}
