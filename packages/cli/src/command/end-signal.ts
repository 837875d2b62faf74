/** Handles signals to a running command: to end, or to read its configuration again. */

import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

import { EXIT } from './exit-code.js';

/** Set on `globalThis` when a signal asks this process to end. `serve` is a bundle of its own. */
const ASKED = Symbol.for('callsign.asked-to-end');
/** The listener for SIGHUP that the program has while it loads this code. */
const EARLY = Symbol.for('callsign.early-hangup');

/** Listens from its creation. A command creates one, and releases it before it returns. */
export class EndSignal {
  /**
   * Resolves with the exit code when the process is asked to end. A second signal exits at once.
   */
  readonly asked: Promise<number>;
  readonly #halt = new AbortController();
  readonly #listeners: readonly (readonly [NodeJS.Signals, () => void])[];
  readonly #isWindowClosed = windowCheck();
  #isAsked = false;
  #end: (code: number) => void = () => undefined;

  /** `onHangup`: runs on SIGHUP while the terminal is still open. */
  constructor(onHangup: () => void = () => undefined) {
    this.asked = new Promise((resolve) => {
      this.#end = resolve;
    });
    void this.asked.then(() => this.#halt.abort());
    this.#listeners = [
      ['SIGINT', () => this.#ask(EXIT.interrupted)],
      ['SIGTERM', () => this.#ask(EXIT.ok)],
      ['SIGHUP', () => (this.#isWindowClosed() ? this.#die() : onHangup())],
    ];
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
    endEarlyListener();
  }

  /** Aborted when the process is asked to end. */
  get signal(): AbortSignal {
    return this.#halt.signal;
  }

  /** Removes the listeners. Without this, later signals would be swallowed. */
  release(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #ask(code: number): void {
    if (this.#isAsked) process.exit(EXIT.interrupted);
    this.#isAsked = true;
    (globalThis as { [ASKED]?: boolean })[ASKED] = true;
    this.#end(code);
  }

  #die(): void {
    this.release();
    dieOfHangup();
  }
}

/**
 * Before a gateway listens for SIGHUP, it reads its configuration anyway: only the end of its terminal ends it. Returns a
 * function that ends this.
 */
export function ignoreHangups(): () => void {
  const isWindowClosed = windowCheck();
  const listener = (): void => {
    if (!isWindowClosed()) return;
    release();
    dieOfHangup();
  };
  const release = (): void => void process.off('SIGHUP', listener);
  process.on('SIGHUP', listener);
  endEarlyListener();
  return release;
}

function endEarlyListener(): void {
  const { [EARLY]: listener } = globalThis as { [EARLY]?: () => void };
  if (listener) process.off('SIGHUP', listener);
}

/**
 * Ends with SIGHUP as if there were no listener. After its terminal has closed, Node would abort in a normal
 * exit. The signal also ends the children.
 */
function dieOfHangup(): void {
  process.kill(process.pid, 'SIGHUP');
}

/** Tells whether the terminal that is there now has been closed. */
function windowCheck(): () => boolean {
  const hadTerminal = isatty(0);
  return () => hadTerminal && isTerminalGone();
}

function isTerminalGone(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
