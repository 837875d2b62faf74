/** Notifies one client of changed lists: once per burst and once for the start of all servers. */

import type { Kind } from '@callsign/core';

import { LISTS, type List } from '../rpc/message/protocol.js';

/** Waits this long for more changes: a server may change its lists step by step. */
const GATHER_MS = 20;
/** The shortest time between two notifications. Above half a second, as timers may be early. */
const PAUSE_MS = 510;

export interface ListChangesOptions {
  /** Resolves after the first start of every server; `undefined` from then on. */
  readonly whenStarted?: () => Promise<void> | undefined;
  /** While servers start, notify only of lists that the client already has. */
  readonly onlyListed?: boolean;
}

/** One per client. */
export class ListChanges {
  readonly #tell: (list: List) => void;
  readonly #options: ListChangesOptions;
  readonly #listed = new Set<Kind>();
  readonly #changed = new Set<Kind>();
  #timer: NodeJS.Timeout | undefined;
  #lastSent = -Infinity;
  #isPaused = false;
  #isClosed = false;

  constructor(tell: (list: List) => void, options: ListChangesOptions = {}) {
    this.#tell = tell;
    this.#options = options;
  }

  /** Call it when lists have changed. */
  note(kinds: readonly Kind[]): void {
    const { onlyListed = false, whenStarted } = this.#options;
    const isLimited = onlyListed && whenStarted?.() !== undefined;
    for (const kind of kinds) {
      if (!isLimited || this.#listed.has(kind)) this.#changed.add(kind);
    }
    if (this.#changed.size > 0 && !this.#isPaused) this.#schedule();
  }

  /** The client gets the current list, so changes that are held back need no notification. */
  listed(kind: Kind): void {
    this.#listed.add(kind);
    if (this.#isPaused) this.#changed.delete(kind);
  }

  /** Drops pending notifications. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isClosed) return;
    const wait = Math.max(GATHER_MS, this.#lastSent + PAUSE_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#timer = undefined;
    const started = this.#options.whenStarted?.();
    if (started) {
      this.#holdUntil(started);
      return;
    }
    this.#lastSent = performance.now();
    const lists = LISTS.filter(({ kinds }) => kinds.some((kind) => this.#changed.has(kind)));
    this.#changed.clear();
    for (const list of lists) this.#tell(list);
  }

  #holdUntil(started: Promise<void>): void {
    this.#isPaused = true;
    const goOn = (): void => {
      this.#isPaused = false;
      this.#schedule();
    };
    started.then(goOn, goOn);
  }
}
