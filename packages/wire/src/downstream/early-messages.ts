/** Holds the messages of one session while the names of its view are rendered in slices. */

import type { Source } from '@callsign/core';

import type { Message } from '../rpc/message/message.js';
import { namesReady } from './names-ready.js';

/** Messages keep their order. Almost always it holds none. */
export class EarlyMessages {
  readonly #receive: (message: Message) => void;
  #naming: Promise<void> | undefined;
  #isClosed = false;
  /** How many messages it holds. */
  size = 0;

  constructor(receive: (message: Message) => void) {
    this.#receive = receive;
  }

  /** True: the message is received again later. */
  takes(view: Source, message: Message): boolean {
    this.#naming ??= namesReady(view, message.method);
    // Checked first: nearly every message makes no function here.
    return this.#naming !== undefined && this.delays(() => this.#receive(message));
  }

  /** Runs the work after all messages that it holds. False: it holds none. */
  delays(work: () => void): boolean {
    const naming = this.#naming;
    if (!naming) return false;
    void this.#after(naming, work);
    return true;
  }

  /** Drops what it holds. */
  close(): void {
    this.#isClosed = true;
  }

  async #after(naming: Promise<void>, work: () => void): Promise<void> {
    this.size++;
    await naming;
    this.size--;
    if (this.#naming === naming) this.#naming = undefined;
    if (!this.#isClosed) work();
  }
}
