/** Tells whether this process or the machine is busy, so that upkeep waits for spare time. */

import { availableParallelism, loadavg } from 'node:os';

/** A process that used more than this share of a core was busy. */
const BUSY = 0.2;

/** What the system says now. */
export interface Reading {
  readonly nowMs: number;
  /** Time that this process has spent on cores. */
  readonly usedMs: number;
  /** Work that waits for a core or has one, on the whole machine. */
  readonly load: number;
}

export class Workload {
  readonly #read: () => Reading;
  #last: Reading;

  constructor(read: () => Reading = readSystem) {
    this.#read = read;
    this.#last = read();
  }

  /** Whether it was busy since the last call. The first call counts from the start. */
  isBusy(): boolean {
    const { nowMs, usedMs } = this.#last;
    const now = (this.#last = this.#read());
    const share = (now.usedMs - usedMs) / (now.nowMs - nowMs);
    return share > BUSY || now.load > availableParallelism();
  }
}

function readSystem(): Reading {
  const { user, system } = process.cpuUsage();
  return { nowMs: performance.now(), usedMs: (user + system) / 1000, load: loadavg()[0]! };
}
