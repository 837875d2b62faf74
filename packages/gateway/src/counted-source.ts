/** A Source that knows how many of its calls are under way, so that it can leave when they are done. */

import type { Call, Kind, Offer, Reply, Route } from '@callsign/core';
import type { Source, SourceEvent, Unsubscribe } from '@callsign/core';

export class CountedSource implements Source {
  readonly #inner: Source;
  #underWay = 0;
  #onIdle: (() => void) | undefined;

  constructor(inner: Source) {
    this.#inner = inner;
  }

  get offer(): Offer {
    return this.#inner.offer;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Resolves when no call is under way. */
  idle(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  route(kind: Kind, name: string): Route | undefined {
    const route = this.#inner.route(kind, name);
    if (!route) return undefined;
    const send = (call: Call): Promise<Reply> => this.#count(route.send(call));
    return route.item ? { item: route.item, send } : { send };
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    return this.#inner.subscribe(listener);
  }

  tell(method: string, params: string): void {
    this.#inner.tell(method, params);
  }

  #count(reply: Promise<Reply>): Promise<Reply> {
    this.#underWay++;
    reply.then(this.#done, this.#done);
    return reply;
  }

  readonly #done = (): void => {
    if (--this.#underWay === 0) this.#onIdle?.();
  };
}
