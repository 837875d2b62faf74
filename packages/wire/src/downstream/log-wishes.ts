/** The log levels that clients asked for. A server gets the most detailed one of them. */

import type { Source } from '@callsign/core';

import { lowestLevel, type LogLevel } from './log-level.js';

export class LogWishes {
  readonly #source: Source;
  readonly #wishes = new Map<object, LogLevel>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Sets a client's level; `undefined` removes it. Tells servers if the most detailed changes. */
  set(client: object, level: LogLevel | undefined): void {
    const before = lowestLevel(this.#wishes.values());
    if (level === undefined) this.#wishes.delete(client);
    else this.#wishes.set(client, level);
    const after = lowestLevel(this.#wishes.values());
    if (after !== undefined && after !== before) {
      this.#source.tell('logging/setLevel', JSON.stringify({ level: after }));
    }
  }
}
