/**
 * Messages to a server that get no answer: notifications, and our own answers. A server that hangs
 * answers none of these requests, so only a few are open at a time, and none for long.
 */

import type { HttpPost } from './http-post.js';

/** Bytes, roughly: a message under way has a connection of its own. */
export const POST_COST: number = 64 * 1024;
const AT_ONCE = 8;
/** Further messages are dropped. */
const MAX_WAITING = 2_000;
/** How long one may take, with the body of its response. */
const LIMIT_MS = 10_000;

/** One per channel. */
export class OneWayPosts {
  readonly #onDropped: (message: string) => void;
  readonly #open = new Set<HttpPost>();
  #waiting: HttpPost[] = [];
  #unsent = 0;
  #isFull = false;

  /** `onDropped`: called once each time that too many messages wait. */
  constructor(onDropped: (message: string) => void) {
    this.#onDropped = onDropped;
  }

  /** Messages count until the server has accepted them. */
  get backlog(): number {
    return this.#unsent + (this.#open.size + this.#waiting.length) * POST_COST;
  }

  add(post: HttpPost): void {
    if (this.#open.size < AT_ONCE) this.#send(post);
    else if (this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(post);
      this.#unsent += post.length;
    } else if (!this.#isFull) {
      this.#isFull = true;
      this.#onDropped(`messages are dropped: ${MAX_WAITING} messages wait already`);
    }
  }

  stop(): void {
    this.#waiting = [];
    this.#unsent = 0;
    for (const post of this.#open) post.stop();
  }

  #send(post: HttpPost): void {
    this.#open.add(post);
    const end = (): void => {
      clearTimeout(timer);
      if (!this.#open.delete(post)) return;
      const next = this.#waiting.shift();
      this.#unsent -= next?.length ?? 0;
      if (next) this.#send(next);
      else this.#isFull = false;
    };
    const timer = setTimeout(() => {
      post.expire(LIMIT_MS);
      end();
    }, LIMIT_MS).unref();
    void post.run().then(end);
  }
}
