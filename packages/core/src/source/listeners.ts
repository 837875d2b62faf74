/** The listeners to one kind of event. */

import type { Unsubscribe } from './source.js';

export class Listeners<E> {
  readonly #all = new Set<(event: E) => void>();

  /** Whether there is none, so that an event need not be made. */
  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  add(listener: (event: E) => void): Unsubscribe {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(event: E): void {
    for (const listener of this.#all) listener(event);
  }
}
