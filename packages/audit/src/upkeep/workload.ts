/** Tells whether this process or the machine is busy, so that upkeep waits for spare time. */

import { availableParallelism, loadavg } from 'node:os';

/** A process that used more than this share of a core was busy. */
const BUSY = 0.2;

export class Workload {
  #usage = process.cpuUsage();
  #at = performance.now();

  /** Whether it was busy since the last call. The first call counts from the start. */
  isBusy(): boolean {
    const { user, system } = process.cpuUsage(this.#usage);
    const ms = performance.now() - this.#at;
    this.#usage = process.cpuUsage();
    this.#at = performance.now();
    return (user + system) / 1000 > ms * BUSY || loadavg()[0]! > availableParallelism();
  }
}
