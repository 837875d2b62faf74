/** Reads the messages of one peer in their order, and long ones in slices. */

import { endsIn, LONG_JSON, type Slices } from '@callsign/core';

import { inSlices } from '../stream/in-slices.js';
import { countMessage } from '../stream/traffic.js';

/** Reads a text. `ends`: the ends of long values, if known. */
type Read<M> = (text: string, hasControl?: boolean, ends?: ReadonlyMap<number, number>) => M;

/** Reads a long text while it is still bytes. `undefined`: it must be read as text. */
type ReadBytes<M> = (bytes: Buffer, hasControl: boolean) => Slices<M | undefined>;

/** Gets what was read, and its text unless it was read as bytes. True: it was awaited. */
type Take<M> = (message: M, text: string) => boolean;

/** While a long message is read, later ones wait, so that none overtakes it. */
export class MessageOrder<M> {
  readonly #read: Read<M>;
  readonly #readBytes: ReadBytes<M> | undefined;
  #last: Promise<void> | undefined;

  constructor(read: Read<M>, readBytes?: ReadBytes<M>) {
    this.#read = read;
    this.#readBytes = readBytes;
  }

  /** Reads a message now, or after earlier ones. A text that has to wait counts as awaited. */
  read(text: string, hasControl: boolean | undefined, take: Take<M>): boolean {
    countMessage();
    if (text.length < LONG_JSON && !this.#last) return take(this.#read(text, hasControl), text);
    this.#after(() => this.#readLong(text, hasControl, take));
    return true;
  }

  /** The same for a long message in bytes. */
  readBytes(bytes: Buffer, hasControl: boolean, take: Take<M>): boolean {
    this.#after(async () => {
      const message = this.#readBytes && (await inSlices(this.#readBytes(bytes, hasControl)));
      if (message !== undefined) return void take(message, '');
      await this.#readLong(bytes.toString(), hasControl, take);
    });
    return true;
  }

  /** Runs `work` when all earlier messages are read: at once if they are. */
  whenRead(work: () => void): void {
    if (!this.#last) work();
    else this.#after(async () => work());
  }

  async #readLong(text: string, hasControl: boolean | undefined, take: Take<M>): Promise<void> {
    take(this.#read(text, hasControl, await longEnds(text, hasControl)), text);
  }

  #after(work: () => Promise<void>): void {
    const done: Promise<void> = (this.#last ?? Promise.resolve()).then(work).finally(() => {
      if (this.#last === done) this.#last = undefined;
    });
    this.#last = done;
  }
}

/** The ends of the values in a long text, found in slices; `undefined` for a short one. */
export async function longEnds(
  text: string,
  hasControl?: boolean,
): Promise<ReadonlyMap<number, number> | undefined> {
  return text.length < LONG_JSON ? undefined : inSlices(endsIn(text, hasControl));
}
