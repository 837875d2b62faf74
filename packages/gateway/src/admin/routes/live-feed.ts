/** The events for pages: server states, calls per second, waiting approvals, changed tools. */

import { isFailure, type Unsubscribe } from '@callsign/core';

import type { Gateway } from '../../gateway/gateway.js';
import type { InstancesData, LiveEvent, StatusData } from '../data/admin-data.js';
import { type EarlierCall, KEPT_MS, pointsOf } from '../../telemetry/metrics/recent-calls.js';
import { listInstances, withoutDatabase } from './instance-list.js';
import type { RecordedCalls } from './recorded-calls.js';

const PULSE_MS = 1_000;
/** Instances report every two seconds. */
const PULSES_PER_SURVEY = 2;
/** The most records that the chart begins with after a start. */
const MAX_EARLIER = 10_000;

type SendEvent = (event: LiveEvent) => void;

/** One feed serves all pages. It works only while a page listens. */
export class LiveFeed {
  readonly #gateway: Gateway;
  readonly #status: () => Promise<StatusData>;
  readonly #recorded: RecordedCalls;
  readonly #startedAt = new Date();
  readonly #listeners = new Set<SendEvent>();
  #stops: Unsubscribe[] = [];
  /** The status as it was sent last. `undefined` while no page listens. */
  #last: string | undefined;
  #revision = 0;
  /** The ids of waiting calls, as they were sent last. */
  #waiting: string | undefined;
  /** All instances, as they were sent last. */
  #instances: InstancesData | undefined;
  #beats = 0;

  constructor(gateway: Gateway, status: () => Promise<StatusData>, recorded: RecordedCalls) {
    this.#gateway = gateway;
    this.#recorded = recorded;
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
    send({ event: 'points', data: this.#gateway.recentCalls.points() });
    void this.#sendEarlier(send);
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
    this.#last = '';
    this.#gateway.recentCalls.take();
    if (shared.joined) void this.#emitInstances();
  }

  #end(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#last = undefined;
    this.#instances = undefined;
  }

  #beat(): void {
    for (const data of this.#gateway.recentCalls.take()) this.#emit({ event: 'point', data });
    if (this.#gateway.shared.joined) {
      // Calls that wait at other instances cause no event here, so they are looked up.
      void this.#emitApprovals();
      if (this.#beats++ % PULSES_PER_SURVEY === 0) void this.#emitInstances();
    }
    void this.#emitStatus();
  }

  /** The chart of a gateway that has just started begins with what is recorded of its servers. */
  async #sendEarlier(send: SendEvent): Promise<void> {
    const since = new Date(Date.now() - KEPT_MS);
    const isDue = since < this.#startedAt && this.#recorded.isOn && !this.#gateway.shared.joined;
    if (!isDue) return;
    const filter = { since, until: this.#startedAt, limit: MAX_EARLIER };
    // Without its records, the chart begins with the first call.
    const rows = await this.#recorded.ask((records) => records.list(filter)).catch(() => []);
    const keys = new Set(this.#gateway.config.servers.map(({ key }) => key));
    const calls = rows.flatMap((row): EarlierCall[] => {
      if (row.kind !== 'call' || row.ms === null || !keys.has(row.server ?? '')) return [];
      const ms = row.ms - (row.waitedMs ?? 0);
      return [{ at: Date.parse(row.time) + row.ms, hasFailed: isFailure(row.outcome ?? ''), ms }];
    });
    if (calls.length === 0 || !this.#listeners.has(send)) return;
    send({ event: 'points', data: [...pointsOf(calls), ...this.#gateway.recentCalls.points()] });
  }

  async #sendApprovals(send: SendEvent): Promise<void> {
    const data = await this.#gateway.shared.queue.list().catch(() => undefined);
    if (data && this.#listeners.has(send)) send({ event: 'approvals', data });
  }

  async #emitApprovals(): Promise<void> {
    // If the database is away, a second later it is tried again.
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
    if (this.#last === undefined) return;
    this.#instances = data;
    this.#emit({ event: 'instances', data });
  }

  async #sendStatus(send: SendEvent): Promise<void> {
    const data = await this.#status().catch(() => undefined);
    if (data && this.#listeners.has(send)) send({ event: 'status', data });
  }

  async #emitStatus(): Promise<void> {
    // If it cannot be read now, a second later it is tried again.
    const status = await this.#status().catch(() => undefined);
    if (!status) return;
    const text = JSON.stringify(status);
    if (this.#last === undefined || this.#last === text) return;
    this.#last = text;
    this.#emit({ event: 'status', data: status });
  }

  #emit(event: LiveEvent): void {
    for (const send of this.#listeners) send(event);
  }
}
