/** Reads the messages of one channel in their order, and long ones in slices. */

import { endsIn, LONG_JSON } from '@callsign/core';

import { inSlices, readMessage, type Message } from '@callsign/rpc';

/** Receives a message, or `undefined` for a text that is not one. True if the message was awaited. */
type Take = (message: Message | undefined) => boolean;

export class MessageOrder {
  #last: Promise<void> | undefined;

  /** A text that has to wait counts as awaited. */
  read(text: string, hasControl: boolean | undefined, take: Take): boolean {
    if (text.length < LONG_JSON && !this.#last) return take(readMessage(text, hasControl));
    this.#after(async () => {
      const isLong = text.length >= LONG_JSON;
      const ends = isLong ? await inSlices(endsIn(text, hasControl)) : undefined;
      take(readMessage(text, hasControl, ends));
    });
    return true;
  }

  /** Runs when all messages that came before are read: at once, if they are. */
  whenRead(work: () => void): void {
    if (!this.#last) work();
    else this.#after(async () => work());
  }

  #after(work: () => Promise<void>): void {
    const done: Promise<void> = (this.#last ?? Promise.resolve()).then(work).finally(() => {
      if (this.#last === done) this.#last = undefined;
    });
    this.#last = done;
  }
}
