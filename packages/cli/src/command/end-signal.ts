/** Handles signals to a running command: to end, or to read its configuration again. */

import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

import { EXIT } from './exit-code.js';

/** Set on `globalThis` when a signal asks this process to end. `serve` is a bundle of its own. */
const ASKED = Symbol.for('callsign.asked-to-end');

/** Listens from its creation. A command creates one, and releases it before it returns. */
export class EndSignal {
  /**
   * Resolves with the exit code when the process is asked to end. A second signal exits at once.
   */
  readonly asked: Promise<number>;
  readonly #halt = new AbortController();
  readonly #listeners: readonly (readonly [NodeJS.Signals, () => void])[];
  readonly #hadTerminal = isatty(0);
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

  #isWindowClosed(): boolean {
    return this.#hadTerminal && isTerminalGone();
  }

  /**
   * Ends with SIGHUP as if there were no listener. After its terminal has closed, Node would abort in a normal
   * exit. The signal also ends the children.
   */
  #die(): void {
    this.release();
    process.kill(process.pid, 'SIGHUP');
  }
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
