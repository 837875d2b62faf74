/** The events for pages: server states, calls per second, waiting approvals, changed tools. */

import type { Unsubscribe } from '@callsign/core';

import type { Gateway } from '../../gateway/gateway.js';
import type { CallTotals } from '../../telemetry/metrics/metrics.js';
import { BOUNDS } from '../../telemetry/metrics/tally.js';
import type { InstancesData, LiveEvent, Pulse, StatusData } from '../data/admin-data.js';
import { listInstances, withoutDatabase } from './instance-list.js';

/** How many pulses are kept for a page that opens. */
const KEPT = 300;
const PULSE_MS = 1_000;
/** Instances report every two seconds. */
const PULSES_PER_SURVEY = 2;

type SendEvent = (event: LiveEvent) => void;

/** One feed serves all pages. It works only while a page listens. */
export class LiveFeed {
  readonly #gateway: Gateway;
  readonly #status: () => Promise<StatusData>;
  readonly #listeners = new Set<SendEvent>();
  readonly #pulses: Pulse[] = [];
  #stops: Unsubscribe[] = [];
  #last: { totals: CallTotals; status: string } | undefined;
  #revision = 0;
  /** The ids of waiting calls, as they were sent last. */
  #waiting: string | undefined;
  /** All instances, as they were sent last. */
  #instances: InstancesData | undefined;
  #beats = 0;

  constructor(gateway: Gateway, status: () => Promise<StatusData>) {
    this.#gateway = gateway;
    this.#status = status;
  }

  /** The current state, followed by changes. */
  events(): ReadableStream<LiveEvent> {
    let stop: Unsubscribe | undefined;
    return new ReadableStream<LiveEvent>({
      start: (controller) => {
        stop = this.#listen((event) => controller.enqueue(event));
      },
      cancel: () => stop?.(),
    });
  }

  #listen(send: SendEvent): Unsubscribe {
    this.#listeners.add(send);
    if (this.#listeners.size === 1) this.#begin();
    void this.#sendStatus(send);
    void this.#sendApprovals(send);
    if (this.#instances) send({ event: 'instances', data: this.#instances });
    send({ event: 'pulses', data: this.#pulses });
    send({ event: 'tools', data: { revision: this.#revision } });
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  #begin(): void {
    const { shared, hub } = this.#gateway;
    const timer = setInterval(() => this.#beat(), PULSE_MS);
    timer.unref();
    this.#stops = [
      () => clearInterval(timer),
      shared.queue.watch(() => void this.#emitApprovals()),
      hub.subscribe((event) => {
        if (event.type !== 'changed' || !event.kinds.includes('tool')) return;
        this.#revision++;
        this.#emit({ event: 'tools', data: { revision: this.#revision } });
        void this.#emitStatus();
      }),
    ];
    // The tools may have changed while no page listened.
    this.#revision++;
    this.#last = { totals: this.#gateway.callTotals(), status: '' };
    if (shared.joined) void this.#emitInstances();
  }

  #end(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#last = undefined;
    this.#instances = undefined;
  }

  #beat(): void {
    if (!this.#last) return;
    const totals = this.#gateway.callTotals();
    const pulse = pulseOf(this.#last.totals, totals, Date.now() / 1000);
    this.#last.totals = totals;
    this.#pulses.push(pulse);
    if (this.#pulses.length > KEPT) this.#pulses.shift();
    this.#emit({ event: 'pulse', data: pulse });
    if (this.#gateway.shared.joined) {
      // Calls that wait at other instances cause no event here, so they are looked up.
      void this.#emitApprovals();
      if (this.#beats++ % PULSES_PER_SURVEY === 0) void this.#emitInstances();
    }
    void this.#emitStatus();
  }

  async #sendApprovals(send: SendEvent): Promise<void> {
    const data = await this.#gateway.shared.queue.list().catch(() => undefined);
    if (data && this.#listeners.has(send)) send({ event: 'approvals', data });
  }

  async #emitApprovals(): Promise<void> {
    // If the database is away, the next pulse tries again.
    const data = await this.#gateway.shared.queue.list().catch(() => undefined);
    const ids = data?.map(({ id }) => id).join(' ');
    if (!data || ids === this.#waiting) return;
    this.#waiting = ids;
    this.#emit({ event: 'approvals', data });
  }

  async #emitInstances(): Promise<void> {
    const data = await listInstances(this.#gateway).catch(({ message }: Error) =>
      withoutDatabase(this.#instances, message),
    );
    if (!this.#last) return;
    this.#instances = data;
    this.#emit({ event: 'instances', data });
  }

  async #sendStatus(send: SendEvent): Promise<void> {
    const data = await this.#status().catch(() => undefined);
    if (data && this.#listeners.has(send)) send({ event: 'status', data });
  }

  async #emitStatus(): Promise<void> {
    // If it cannot be read now, the next pulse tries again.
    const status = await this.#status().catch(() => undefined);
    if (!status) return;
    const text = JSON.stringify(status);
    if (!this.#last || this.#last.status === text) return;
    this.#last.status = text;
    this.#emit({ event: 'status', data: status });
  }

  #emit(event: LiveEvent): void {
    for (const send of this.#listeners) send(event);
  }
}

/** The calls between two readings of the totals. `at` is in seconds since 1970. */
export function pulseOf(before: CallTotals, now: CallTotals, at: number): Pulse {
  const counts = now.durations.map((count, i) => count - (before.durations[i] ?? 0));
  return {
    at,
    calls: now.ended - before.ended,
    failed: now.failed - before.failed,
    inFlight: now.inFlight,
    p50: quantile(counts, 0.5),
    p95: quantile(counts, 0.95),
  };
}

/** In milliseconds, interpolated within its bucket. */
function quantile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((a, b) => a + b, 0);
  if (total === 0) return null;
  let rest = part * total;
  for (const [i, count] of counts.entries()) {
    if (rest > count || count === 0) {
      rest -= count;
      continue;
    }
    const from = BOUNDS[i - 1] ?? 0;
    const to = BOUNDS[i] ?? from;
    return 1000 * (from + (to - from) * (rest / count));
  }
  return 1000 * BOUNDS.at(-1)!;
}
