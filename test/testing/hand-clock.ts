/** A clock that a test sets. */

import type { Clock } from '@callsign/core';

export class HandClock implements Clock {
  #now = 0;
  readonly #alarms = new Map<object, { readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.#now + ms, run };
    this.#alarms.set(alarm, alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** How many alarms are set. */
  get pending(): number {
    return this.#alarms.size;
  }

  /** Advances the time, and runs due alarms. */
  pass(ms: number): void {
    this.#now += ms;
    const due = Array.from(this.#alarms.values()).filter(({ at }) => at <= this.#now);
    for (const alarm of due) {
      this.#alarms.delete(alarm);
      alarm.run();
    }
  }
}
