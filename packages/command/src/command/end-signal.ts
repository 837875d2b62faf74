/** Signals to a running command: to end, or to read its configuration again. */

import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

import { EXIT } from './exit-code.js';

export class EndSignal {
  /** Resolves with the exit code when we are asked to end. A second signal does not wait for us. */
  readonly asked: Promise<number>;
  readonly #listeners: readonly (readonly [NodeJS.Signals, () => void])[];
  readonly #hadTerminal = isatty(0);
  #isAsked = false;
  #end: (code: number) => void = () => undefined;

  constructor(onHangup: () => void) {
    this.asked = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#listeners = [
      ['SIGINT', () => this.#ask(EXIT.interrupted)],
      ['SIGTERM', () => this.#ask(EXIT.ok)],
      ['SIGHUP', () => (this.#isWindowClosed() ? this.#die() : onHangup())],
    ];
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
  }

  release(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #ask(code: number): void {
    if (this.#isAsked) process.exit(EXIT.interrupted);
    this.#isAsked = true;
    this.#end(code);
  }

  #isWindowClosed(): boolean {
    return this.#hadTerminal && isTerminalGone();
  }

  /**
   * Ends as without a listener: Node aborts at an exit after its terminal has closed. The children are ended
   * too.
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
