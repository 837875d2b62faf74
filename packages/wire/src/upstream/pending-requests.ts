/** The requests to a server that wait for an answer, by our ids. */

import type { Call, Reply } from '@callsign/core';

import { UnderWay } from '../rpc/fast/under-way.js';
import type { Pending } from './connection-options.js';
import { RequestIds } from './request-ids.js';

/** One per connection. */
export class PendingRequests {
  readonly #byId = new UnderWay<number, Pending>();
  readonly #ids = new RequestIds();
  /** Streams among the requests. */
  #streams = 0;

  get size(): number {
    return this.#byId.size;
  }

  /** Requests that get one answer. Streams stay open. */
  get answerable(): number {
    return this.#byId.size - this.#streams;
  }

  /** The calls of clients among them. */
  get calls(): readonly Call[] {
    return [...this.#byId.values()].flatMap(({ call }) => call ?? []);
  }

  /** How many there were. */
  get sent(): number {
    return this.#ids.count;
  }

  nextId(): number {
    return this.#ids.next();
  }

  get(id: number): Pending | undefined {
    return this.#byId.get(id);
  }

  add(pending: Pending): void {
    this.#byId.set(pending.id, pending);
  }

  /** Removes a request, which has its answer or gets none; `undefined` if there is none. */
  take(id: number): Pending | undefined {
    const pending = this.#byId.get(id);
    if (pending) this.#byId.delete(id);
    return pending;
  }

  /** Counts a stream until its end, which the returned function reports. */
  stream(onEnd: (reply: Reply) => void): (reply: Reply) => void {
    this.#streams++;
    return (reply) => {
      this.#streams--;
      onEnd(reply);
    };
  }

  /** Answers all requests. */
  end(reply: Reply): void {
    for (const { resolve } of this.#byId.values()) resolve(reply);
    this.#byId.clear();
  }
}
