/** The state of a server: whether it can be called, is worth waiting for, or is unavailable and why. */

import type { Unsubscribe } from '@callsign/core';

import { Listeners } from './listeners.js';

export type UpstreamState =
  | { readonly is: 'starting' | 'stopped' }
  /** Can be called. `failures`: lists that it announced and did not give. */
  | { readonly is: 'ready'; readonly failures?: readonly string[] }
  /** Down, and to be started again. */
  | { readonly is: 'waiting'; readonly reason: string; readonly delayMs: number }
  /** Given up. */
  | { readonly is: 'failed'; readonly reason: string };

/** Failed starts in a row until calls do not wait for the next one. The second start tries without the probe. */
const HOPEFUL = 2;

export class StateHolder {
  readonly #watchers = new Listeners<UpstreamState>();
  readonly #startLimit: () => number;
  #now: UpstreamState = { is: 'starting' };
  #failedStarts = 0;

  constructor(startLimit: () => number) {
    this.#startLimit = startLimit;
  }

  get now(): UpstreamState {
    return this.#now;
  }

  /** How long a start may take, in milliseconds. */
  get startLimit(): number {
    return this.#startLimit();
  }

  get isReady(): boolean {
    return this.#now.is === 'ready';
  }

  /** Whether a call should wait: it is starting, or will be soon, and did not fail again and again. */
  get isExpected(): boolean {
    const { is } = this.#now;
    if ((is !== 'starting' && is !== 'waiting') || this.#failedStarts > HOPEFUL) return false;
    return this.#now.is !== 'waiting' || this.#now.delayMs < this.startLimit;
  }

  /** Why it cannot be called, for its callers. */
  get reason(): string {
    const state = this.#now;
    if (state.is === 'failed') return state.reason;
    if (state.is === 'waiting')
      return `${state.reason}; it is started again in ${Math.ceil(state.delayMs / 1_000)} s`;
    return state.is === 'starting' ? 'it is still starting' : 'it was stopped';
  }

  /** The same, with what the operator can do about a server that was given up. */
  reasonWith(advice: string | undefined): string {
    const { reason } = this;
    return advice === undefined || this.#now.is !== 'failed' ? reason : `${reason}. ${advice}`;
  }

  /** Tells all listeners, after the change. */
  become(state: UpstreamState): void {
    const isDown = state.is === 'waiting' || state.is === 'failed';
    if (state.is === 'ready') this.#failedStarts = 0;
    else if (isDown && this.#now.is === 'starting') this.#failedStarts++;
    this.#now = state;
    this.#watchers.tell(state);
  }

  /** The operator wants it to be tried again. */
  hopeAgain(): void {
    this.#failedStarts = 0;
  }

  onChange(listener: (state: UpstreamState) => void): Unsubscribe {
    return this.#watchers.add(listener);
  }

  /** Resolves when it is ready, or not expected any more. */
  decided(): Promise<void> {
    if (!this.isExpected) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.onChange(() => {
        if (this.isExpected) return;
        stop();
        resolve();
      });
    });
  }
}
