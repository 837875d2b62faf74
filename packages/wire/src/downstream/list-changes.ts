/** Notifies one client of changed lists, once per burst. */

import type { Kind } from '@callsign/core';

import { LISTS, type List } from '../message/protocol.js';

/** Servers start together and change their lists step by step. */
const GATHER_MS = 20;

export class ListChanges {
  readonly #tell: (list: List) => void;
  readonly #changed = new Set<List>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (list: List) => void) {
    this.#tell = tell;
  }

  note(kinds: readonly Kind[]): void {
    for (const list of LISTS) {
      if (list.kinds.some((kind) => kinds.includes(kind))) this.#changed.add(list);
    }
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Drops pending notifications. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const list of changed) this.#tell(list);
  }
}
