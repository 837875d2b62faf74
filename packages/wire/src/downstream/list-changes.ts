/** Notifies one client of changed lists, once per burst and at most twice per second. */

import type { Kind } from '@callsign/core';

import { LISTS, type List } from '../message/protocol.js';

/** Servers start together and change their lists step by step. */
const GATHER_MS = 20;
/** The shortest time between two notifications of one kind. A little more than half a second: timers may be early. */
const PAUSE_MS = 510;

export class ListChanges {
  readonly #tell: (list: List) => void;
  readonly #changed = new Set<List>();
  #timer: NodeJS.Timeout | undefined;
  #lastTold = -Infinity;

  constructor(tell: (list: List) => void) {
    this.#tell = tell;
  }

  note(kinds: readonly Kind[]): void {
    for (const list of LISTS) {
      if (list.kinds.some((kind) => kinds.includes(kind))) this.#changed.add(list);
    }
    if (this.#changed.size === 0) return;
    const wait = Math.max(GATHER_MS, this.#lastTold + PAUSE_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#flush(), wait);
  }

  /** Drops pending notifications. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastTold = performance.now();
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const list of changed) this.#tell(list);
  }
}
