/**
 * Keeps the handshake in order where every message is a separate request: nothing overtakes
 * `initialize` or `notifications/initialized`. Many servers refuse other messages before these two.
 */

import type { Outgoing } from '../stream/channel.js';

/** Sends a message. A step of the handshake has `settled`: call it when the server is done. */
export type Post = (text: string, about: Outgoing, settled?: (ok: boolean) => void) => void;

interface PendingMessage {
  readonly text: string;
  readonly about: Outgoing;
}

/** Some servers never answer a notification. Other messages wait for it at most this long. */
const CONFIRM_MS = 2_000;

/** Stages: `unready` (nothing is sent), `new` (only `initialize`), `busy` (in a step), `open`. */
export class HandshakeGate {
  readonly #post: Post;
  #pending: PendingMessage[] = [];
  #waiting = 0;
  #stage: 'unready' | 'new' | 'busy' | 'open';
  #timer: NodeJS.Timeout | undefined;

  /** `isReady`: whether messages can already be sent. */
  constructor(post: Post, isReady: boolean) {
    this.#post = post;
    this.#stage = isReady ? 'new' : 'unready';
  }

  /** Bytes, roughly, of pending messages. */
  get waiting(): number {
    return this.#waiting;
  }

  send(text: string, about: Outgoing): void {
    const { method } = about;
    const isFirst = this.#stage === 'new' && method === 'initialize';
    if (this.#stage !== 'open' && !isFirst) {
      this.#pending.push({ text, about });
      this.#waiting += text.length;
    } else if (isFirst) this.#step(text, about, 'new');
    else if (method === 'notifications/initialized') this.#step(text, about, 'open');
    else this.#post(text, about);
  }

  /** Messages can be sent from now on. */
  ready(): void {
    if (this.#stage === 'unready') this.#release('new');
  }

  /** Removes a message that is still pending. Returns false if it was already sent. */
  drop(id: number): boolean {
    const index = this.#pending.findIndex(({ about }) => about.id === id);
    if (index === -1) return false;
    this.#waiting -= this.#pending.splice(index, 1)[0]!.text.length;
    return true;
  }

  /** Returns what is still pending, and will not be sent. */
  close(): readonly Outgoing[] {
    clearTimeout(this.#timer);
    const pending = this.#pending.map(({ about }) => about);
    this.#stage = 'unready';
    this.#pending = [];
    this.#waiting = 0;
    return pending;
  }

  #step(text: string, about: Outgoing, otherwise: 'new' | 'open'): void {
    this.#stage = 'busy';
    let isSettled = false;
    const settled = (ok: boolean): void => {
      if (isSettled || this.#stage !== 'busy') return;
      isSettled = true;
      clearTimeout(this.#timer);
      this.#release(ok ? 'open' : otherwise);
    };
    if (otherwise === 'open') this.#timer = setTimeout(() => settled(true), CONFIRM_MS).unref();
    this.#post(text, about, settled);
  }

  #release(stage: 'new' | 'open'): void {
    this.#stage = stage;
    const pending = this.#pending;
    this.#pending = [];
    this.#waiting = 0;
    for (const { text, about } of pending) this.send(text, about);
  }
}
