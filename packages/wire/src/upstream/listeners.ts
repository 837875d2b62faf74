/** Listeners to one kind of event. */

import type { Unsubscribe } from '@callsign/core';

export class Listeners<E> {
  readonly #all = new Set<(event: E) => void>();

  add(listener: (event: E) => void): Unsubscribe {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(event: E): void {
    for (const listener of this.#all) listener(event);
  }
}
