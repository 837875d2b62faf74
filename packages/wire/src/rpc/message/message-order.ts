/** Reads the messages of one peer in their order, and long ones in slices. */

import { endsIn, LONG_JSON } from '@callsign/core';

import { inSlices } from '../stream/in-slices.js';
import { countMessage } from '../stream/traffic.js';

/** Reads a text. `ends`: the ends of long values, if known. */
type Read<M> = (text: string, ends?: ReadonlyMap<number, number>) => M;

/** Gets what was read. Returns true if it was awaited. */
type Take<M> = (message: M) => boolean;

/** While a long message is read, later ones wait, so that none overtakes it. */
export class MessageOrder<M> {
  readonly #read: Read<M>;
  #last: Promise<void> | undefined;

  constructor(read: Read<M>) {
    this.#read = read;
  }

  /** Reads a message now, or after earlier ones. A text that has to wait counts as awaited. */
  read(text: string, take: Take<M>): boolean {
    countMessage();
    if (text.length < LONG_JSON && !this.#last) return take(this.#read(text));
    this.#after(async () => void take(this.#read(text, await longEnds(text))));
    return true;
  }

  /** Runs `work` when all earlier messages are read: at once if they are. */
  whenRead(work: () => void): void {
    if (!this.#last) work();
    else this.#after(async () => work());
  }

  #after(work: () => Promise<void>): void {
    // A message that could not be handled must not stop the next ones.
    const done: Promise<void> = (this.#last ?? Promise.resolve()).then(work, work).finally(() => {
      if (this.#last === done) this.#last = undefined;
    });
    this.#last = done;
  }
}

/** The ends of the values in a long text, found in slices; `undefined` for a short one. */
export async function longEnds(text: string): Promise<ReadonlyMap<number, number> | undefined> {
  return text.length < LONG_JSON ? undefined : inSlices(endsIn(text));
}
