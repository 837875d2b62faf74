/** Reads the messages of one channel in their order, and long ones in slices. */

import { endsIn, LONG_JSON } from '@callsign/core';

import { inSlices, readMessage, type Message } from '@callsign/rpc';

/** Gets a message, or `undefined` for a text that is none. True: the message was awaited. */
type Take = (message: Message | undefined) => boolean;

/** While a long message is read, later ones wait, so that none overtakes it. */
export class MessageOrder {
  #last: Promise<void> | undefined;

  /** Reads a message now, or after earlier ones. A text that has to wait counts as awaited. */
  read(text: string, hasControl: boolean | undefined, take: Take): boolean {
    if (text.length < LONG_JSON && !this.#last) return take(readMessage(text, hasControl));
    this.#after(async () => {
      const isLong = text.length >= LONG_JSON;
      const ends = isLong ? await inSlices(endsIn(text, hasControl)) : undefined;
      take(readMessage(text, hasControl, ends));
    });
    return true;
  }

  /** Runs `work` when all earlier messages are read: at once if they are. */
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
