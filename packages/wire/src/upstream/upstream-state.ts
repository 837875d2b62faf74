/** The state of a server: it can be called, is worth waiting for, or is not available, and why. */

import { Listeners, type Unsubscribe } from '@callsign/core';

import type { UpstreamOptions } from './upstream-options.js';

/** `is` is shown to people and programs. */
export type UpstreamState =
  | { readonly is: 'starting' | 'stopped' }
  /** Can be called. `failures`: what fails nevertheless, such as lists that it announced but did not provide. */
  | { readonly is: 'ready'; readonly failures?: readonly string[] }
  /** Down. It will be started again. */
  | { readonly is: 'waiting'; readonly reason: string; readonly delayMs: number }
  /** Given up. */
  | { readonly is: 'failed'; readonly reason: string }
  /** Started by the next call. `reason`: why its last start failed, if it did. */
  | { readonly is: 'asleep'; readonly reason?: string };

/** Calls still wait after this many failed starts in a row. The second start has no probe. */
const HOPEFUL = 2;

/** The only place where the state of a server changes. */
export class StateHolder {
  readonly #watchers = new Listeners<UpstreamState>();
  readonly #startLimit: () => number;
  #now: UpstreamState;
  #failedStarts = 0;

  constructor(startLimit: () => number, isAsleep = false) {
    this.#startLimit = startLimit;
    this.#now = { is: isAsleep ? 'asleep' : 'starting' };
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

  get isAsleep(): boolean {
    return this.#now.is === 'asleep';
  }

  /** Whether so many starts in a row have failed that calls do not wait for the next one. */
  get isHopeless(): boolean {
    return this.#failedStarts > HOPEFUL;
  }

  /** Whether it will be hopeless if the current start has failed. */
  get willBeHopeless(): boolean {
    return this.#now.is === 'starting' && this.#failedStarts + 1 > HOPEFUL;
  }

  /** Whether a call should wait: the server starts now or soon, and has not failed repeatedly. */
  get isExpected(): boolean {
    const { is } = this.#now;
    if ((is !== 'starting' && is !== 'waiting') || this.isHopeless) return false;
    return this.#now.is !== 'waiting' || this.#now.delayMs < this.startLimit;
  }

  /** Why it cannot be called, for callers. */
  get reason(): string {
    const state = this.#now;
    if (state.is === 'failed') return state.reason;
    if (state.is === 'asleep') return state.reason ?? 'it is asleep';
    if (state.is === 'waiting')
      return `${state.reason}; it will be started again in ${Math.ceil(state.delayMs / 1_000)} s`;
    return state.is === 'starting' ? 'it is still starting' : 'it was stopped';
  }

  /** The reason, with what the operator can do about a server that was given up, and what a start waits for. */
  reasonWith({
    advice,
    startAgain,
    transport,
  }: Pick<UpstreamOptions, 'advice' | 'startAgain' | 'transport'>): string {
    const { reason } = this;
    const waitsFor = 'where' in transport ? transport.waitsFor : undefined;
    if (this.#now.is === 'starting' && waitsFor !== undefined) return waitsFor;
    const isFailed = this.#now.is === 'failed';
    const advices = isFailed ? [advice, startAgain] : this.#now.is === 'asleep' ? [advice] : [];
    return [reason, ...advices.filter((each) => each !== undefined)].join('. ');
  }

  /** Changes the state, then tells all listeners. */
  become(state: UpstreamState): void {
    const isDown = state.is === 'waiting' || state.is === 'failed';
    if (state.is === 'ready') this.#failedStarts = 0;
    else if (isDown && this.#now.is === 'starting') this.#failedStarts++;
    this.#now = state;
    this.#watchers.tell(state);
  }

  /** Calls wait again: the operator asked for another attempt, or the server has moved. */
  hopeAgain(): void {
    this.#failedStarts = 0;
  }

  onChange(listener: (state: UpstreamState) => void): Unsubscribe {
    return this.#watchers.add(listener);
  }

  /** Calls back once, when it is ready or not expected any more. Returns a function that ends the wait. */
  whenDecided(decided: () => void): Unsubscribe {
    if (!this.isExpected) {
      decided();
      return () => undefined;
    }
    const stop = this.onChange(() => {
      if (this.isExpected) return;
      stop();
      decided();
    });
    return stop;
  }
}
