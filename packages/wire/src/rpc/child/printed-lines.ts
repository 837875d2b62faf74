/**
 * The lines that a child prints for people. The child never waits for us: what is too much is
 * dropped and counted.
 */

import type { Readable } from 'node:stream';

import { LineReader } from '../stream/line-reader.js';

/** Limits per second, far above what a person can read. */
const MAX_LINES = 500;
const MAX_BYTES = 256 * 1024;
const MAX_LINE_LENGTH = 4_096;
const SECOND_MS = 1_000;

/** Passes lines to `say`, and a note instead of what was dropped. */
export function readPrinted(pipe: Readable, say: (line: string) => void): void {
  let lines = 0;
  let bytes = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const pass = (line: string): void => {
    lines++;
    if (lines <= MAX_LINES) say(line);
    else dropped += line.length + 1;
  };
  const newReader = (): LineReader =>
    new LineReader({
      maxBytes: MAX_LINE_LENGTH,
      onLine: pass,
      onTooLong: (line) => {
        if (line.hasEnded) pass('(a line too long to show)');
      },
    });
  let reader = newReader();
  const startSecond = (): void => {
    timer = undefined;
    if (dropped > 0) {
      say(`(${dropped} bytes were left out: more than can be read)`);
      // Bytes are missing, so the unfinished line must not be joined with the next bytes.
      reader = newReader();
    }
    lines = bytes = dropped = 0;
  };
  pipe.on('data', (chunk: Buffer) => {
    // Counting starts with the first bytes, so that a quiet child costs no timer.
    timer ??= setTimeout(startSecond, SECOND_MS).unref();
    bytes += chunk.length;
    if (lines < MAX_LINES && bytes <= MAX_BYTES) reader.push(chunk);
    else dropped += chunk.length;
  });
  pipe.once('end', () => {
    clearTimeout(timer);
    reader.end();
    startSecond();
  });
}
