/** A virtual clock and a network with delay, loss and partitions. Everything follows from one seed. */

import type { Clock } from '@callsign/core';

/** Numbers between 0 and 1 that follow from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export class VirtualTime {
  now = 0;
  #order = 0;
  #alarms: Alarm[] = [];

  /** A clock that runs a little faster or slower than the time. */
  clock(rate = 1): Clock {
    return {
      now: () => this.now * rate,
      after: (ms, run) => this.after(ms / rate, run),
    };
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { at: this.now + ms, order: this.#order++, run };
    let index = this.#alarms.length;
    while (index > 0 && isLater(this.#alarms[index - 1]!, alarm)) index--;
    this.#alarms.splice(index, 0, alarm);
    return () => {
      const found = this.#alarms.indexOf(alarm);
      if (found !== -1) this.#alarms.splice(found, 1);
    };
  }

  /** Runs all alarms until a time, in order. `look` is called after each. */
  async runUntil(end: number, look: () => void): Promise<void> {
    for (;;) {
      const next = this.#alarms[0];
      if (!next || next.at > end) break;
      this.#alarms.shift();
      this.now = next.at;
      next.run();
      await settled();
      look();
    }
    this.now = end;
  }
}

/** We set no real timers, so one turn of the event loop settles all promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function isLater(a: Alarm, b: Alarm): boolean {
  return a.at > b.at || (a.at === b.at && a.order > b.order);
}

const TIMEOUT_MS = 2_000;

/** Which parts of all messages are lost, or late by up to three seconds. */
export interface Weather {
  readonly lost: number;
  readonly slow: number;
}

export const CALM: Weather = { lost: 0, slow: 0 };
export const STORMY: Weather = { lost: 0.02, slow: 0.01 };

export class VirtualNetwork {
  readonly #time: VirtualTime;
  readonly #random: () => number;
  readonly #weather: Weather;
  /** Where each end is. Ends of different parts do not hear each other. */
  readonly #parts = new Map<string, number>();
  /** Ends that hang, with the time at which they go on. */
  readonly #hanging = new Map<string, number>();

  constructor(time: VirtualTime, random: () => number, weather: Weather) {
    this.#time = time;
    this.#random = random;
    this.#weather = weather;
  }

  /** Moves an end into a part of the network. All are in part 0 at first. */
  place(end: string, part: number): void {
    this.#parts.set(end, part);
  }

  /** The end takes messages, but does nothing for so long. Then it handles all of them. */
  hang(end: string, ms: number): void {
    this.#hanging.set(end, this.#time.now + ms);
  }

  /** A request to another end, which may be lost on either way. */
  request<T>(
    from: string,
    to: string,
    answer: () => Promise<T>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const lost = (): void => reject(new Error('no answer'));
      const cancel = this.#time.after(timeoutMs, lost);
      this.#carry(from, to, () => {
        answer().then(
          (value) =>
            this.#carry(to, from, () => {
              cancel();
              resolve(value);
            }),
          (error: unknown) => this.#carry(to, from, () => reject(error as Error)),
        );
      });
    });
  }

  #carry(from: string, to: string, arrive: () => void): void {
    const isCut = (this.#parts.get(from) ?? 0) !== (this.#parts.get(to) ?? 0);
    if (isCut || this.#random() < this.#weather.lost) return;
    const isSlow = this.#random() < this.#weather.slow;
    const delay = 1 + this.#random() * (isSlow ? 3_000 : 30);
    const hangs = (this.#hanging.get(to) ?? 0) - this.#time.now;
    this.#time.after(delay + Math.max(0, hangs), arrive);
  }
}
