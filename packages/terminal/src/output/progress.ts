/**
 * One line that says what we are waiting for. It appears after a moment, and only on a terminal.
 */

import { fitted } from '../text/display-width.js';
import { onOneLine } from '../text/printable.js';

/** If the stream is not a terminal, every method does nothing. */
export interface Progress {
  /** Shows the current step, and its progress from 0 to 1 if known. */
  update(text: string, part?: number): void;
  /** Clears the line so that other text can be written. The line is drawn again later. */
  clear(): void;
  /** Removes the line. */
  end(): void;
}

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly isQuiet: boolean;
}

/** Shorter waits show nothing. */
const PATIENCE_MS = 500;
const TURN_MS = 100;
const WHEEL = ['-', '\\', '|', '/'];
const BAR_LENGTH = 20;
const CLEAR = '\r\x1b[2K';

/** Call `end` in every case: its timers keep the process alive. */
export function startProgress(first: string, { stream, isQuiet }: ProgressOptions): Progress {
  if (isQuiet || !stream.isTTY) return { update: ignore, clear: ignore, end: ignore };
  let text = onOneLine(first);
  let part: number | undefined;
  let turn = 0;
  let isShown = false;
  const draw = (): void => {
    isShown = true;
    const sign = part === undefined ? WHEEL[turn++ % WHEEL.length]! : bar(part);
    stream.write(CLEAR + fitted(`${sign} ${text}`, (stream.columns || 80) - 1));
  };
  const clear = (): void => {
    if (isShown) stream.write(CLEAR);
    isShown = false;
  };
  let turning: NodeJS.Timeout | undefined;
  const patience = setTimeout(() => {
    draw();
    turning = setInterval(draw, TURN_MS);
  }, PATIENCE_MS);
  return {
    update(next, nextPart) {
      text = onOneLine(next);
      part = nextPart;
    },
    clear,
    end() {
      clearTimeout(patience);
      clearInterval(turning);
      clear();
    },
  };
}

function ignore(): void {}

function bar(part: number): string {
  const done = Math.round(Math.min(1, Math.max(0, part)) * BAR_LENGTH);
  return `[${'#'.repeat(done)}${'.'.repeat(BAR_LENGTH - done)}]`;
}
