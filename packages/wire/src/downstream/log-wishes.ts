/** The log levels that clients want. A server logs for all of them, so it gets the most detailed one. */

import type { Source } from '@callsign/core';

import { logs, type LogLevel } from './log-level.js';

export class LogWishes {
  readonly #source: Source;
  readonly #wishes = new Map<object, LogLevel>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Notes the level that a client wants; `undefined`: none any more. Tells the servers if theirs changes. */
  set(client: object, level: LogLevel | undefined): void {
    const before = logs.lowest(this.#wishes.values());
    if (level === undefined) this.#wishes.delete(client);
    else this.#wishes.set(client, level);
    const after = logs.lowest(this.#wishes.values());
    if (after !== undefined && after !== before) {
      this.#source.tell('logging/setLevel', JSON.stringify({ level: after }));
    }
  }
}
