/** The running servers, by key. Servers are added, replaced and removed without ending running calls. */

import { isDeepStrictEqual } from 'node:util';

import { ChildGroups, type Upstream } from '@callsign/wire';

import type { GatewayConfig, UnavailableServer } from '../config/gateway-config.js';
import { sameServer, type ServerConfig } from '../config/server-config.js';
import type { LimitSettings } from '../config/settings.js';
import { becomesReady } from './becomes-ready.js';
import { drained } from './drain.js';
import { memoryKeyOf, writtenEntry } from './memory-key.js';
import type { RosterOptions } from './roster-options.js';
import { endSeat, handOver, openSeat, type Seat } from './seat.js';
import { ServerLog } from './server-log.js';
import { serverOffer, type ServerOffer } from './server-offer.js';
import type { ServerStatus } from './server-status.js';
import { prepareFirstCall } from './prepare-first-call.js';
import { StaggeredStarts } from './staggered-starts.js';
import { succeededSource } from './succeeded-source.js';
import { unavailableSource } from './unavailable-source.js';

/** Each server has a seat. A seat that leaves finishes its calls before it ends. */
export class Roster {
  readonly #groups = new ChildGroups();
  readonly #options: RosterOptions;
  /** The servers of the configuration. */
  readonly #seats = new Map<string, Seat>();
  /** The servers in the hub: the same, except those whose successor is not ready yet. */
  readonly #shown = new Map<string, Seat>();
  readonly #leaving = new Set<Promise<void>>();
  /** What servers printed, by key. It outlives a restart. */
  readonly #logs = new Map<string, ServerLog>();
  readonly #halt = new AbortController();
  readonly #starts = new StaggeredStarts(prepareFirstCall);
  /** In the order of the configuration. */
  #keys: readonly string[] = [];
  /** Servers whose entries have problems. */
  #faulty: readonly UnavailableServer[] = [];
  #config: GatewayConfig | undefined;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** Starts, replaces and removes servers to match the configuration. */
  apply(config: GatewayConfig): void {
    if (this.#halt.signal.aborted) return;
    const { servers, settings, unavailable = [] } = config;
    this.#config = config;
    this.#keys = servers.map(({ key }) => key);
    for (const key of this.#seats.keys()) if (!this.#keys.includes(key)) this.#dismiss(key);
    // Before any server is placed, so that lists have the order of the file from the start.
    this.#options.place.arrange([...this.#keys, ...unavailable.map(({ key }) => key)]);
    this.#placeFaulty(unavailable);
    // The limit on results does not belong to the servers.
    const { maxResultBytes: _, ...limits } = settings.limits;
    for (const server of servers) this.#seat(server, limits);
  }

  /** Starts the servers whose lists are remembered. Before this, only a call starts one of them. */
  startRemembered(): void {
    this.#starts.release();
  }

  /** Resolves when every server has started or failed. */
  async settled(): Promise<void> {
    await this.#settledOf(() => true);
  }

  /** Resolves when every server without a remembered list has started or failed. */
  async listed(): Promise<void> {
    await this.#settledOf(({ isRemembered }) => !isRemembered);
  }

  /** Resolves when all removed servers have ended. */
  async departed(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Resolves when a server can be called, with false if it never will be. */
  whenReady(key: string): Promise<boolean> {
    const upstream = this.#shown.get(key)?.upstream;
    if (!upstream) return Promise.resolve(false);
    return becomesReady(upstream);
  }

  /** Tries again to start remote servers that were given up: the user may have signed in. */
  tryAgain(): void {
    for (const { config, upstream } of this.#seats.values()) {
      if (config.transport !== 'stdio') void upstream.tryAgain();
    }
  }

  /** Whether every server has started or failed at least once. */
  isSettled(): boolean {
    return [...this.#seats.values()].every(({ upstream }) => upstream.isSettled);
  }

  /** Whether it is known what each server offers: it is ready, or its lists are remembered. */
  isKnown(): boolean {
    return [...this.#seats.keys()].every((key) => {
      const { isRemembered, upstream } = this.#used(key)!;
      return isRemembered || upstream.state.is === 'ready';
    });
  }

  /** Whether every server without a remembered list has started or failed. */
  isListed(): boolean {
    return [...this.#seats.values()].every((seat) => seat.isRemembered || seat.upstream.isSettled);
  }

  status(): ServerStatus[] {
    return this.#keys.map((key) => {
      const { state, offer, restarts } = this.#used(key)!.upstream;
      const shown = { key, state, tools: offer.tool.length, restarts };
      const trouble = this.#seats.get(key)?.trouble;
      if (trouble === undefined || state.is !== 'ready') return shown;
      return { ...shown, state: { ...state, failures: [...(state.failures ?? []), trouble] } };
    });
  }

  /** When a server entered its state, in milliseconds since 1970. */
  since(key: string): number | undefined {
    return this.#used(key)?.since;
  }

  /** What a server offers, before settings and views. */
  offered(key: string): ServerOffer {
    return serverOffer(this.#used(key)?.upstream);
  }

  /** What a server printed; `undefined` for an unknown key. */
  logOf(key: string): ServerLog | undefined {
    return this.#logs.get(key);
  }

  /** Starts a server again. Its tools stay until its successor is ready; false if there is no such server. */
  restart(key: string): boolean {
    const seat = this.#seats.get(key);
    if (!seat || this.#halt.signal.aborted) return false;
    if (seat.upstream.state.is === 'ready') this.#replace(seat.config, seat.limits);
    else void seat.upstream.tryAgain();
    return true;
  }

  /** Leaves servers that run on one instance to another one. Calls under way may take this long. */
  async handOver(limitMs: number): Promise<void> {
    await this.departed();
    await Promise.all(Array.from(this.#all(), (seat) => handOver(seat, limitMs)));
  }

  /** Ends every server at once. Resolves when all processes have ended. */
  async stop(): Promise<void> {
    this.#halt.abort();
    const stopped = Array.from(this.#all(), endSeat);
    await Promise.all([...stopped, ...this.#leaving]);
  }

  #all(): ReadonlySet<Seat> {
    return new Set([...this.#seats.values(), ...this.#shown.values()]);
  }

  /** The server with this key: the one of the configuration, unless its start failed and another is in use. */
  #used(key: string): Seat | undefined {
    const seat = this.#seats.get(key);
    return seat?.trouble === undefined ? seat : this.#shown.get(key);
  }

  /** A reload may replace servers meanwhile. Then their successors count. */
  async #settledOf(isMeant: (seat: Seat) => boolean): Promise<void> {
    const open = (): readonly Seat[] =>
      [...this.#seats.values()].filter((seat) => isMeant(seat) && !seat.upstream.isSettled);
    for (let seats = open(); seats.length > 0; seats = open())
      await Promise.all(seats.map(({ upstream }) => upstream.settled));
  }

  /** A server with a faulty entry offers what it offered last. Calls say what is wrong. */
  #placeFaulty(faulty: readonly UnavailableServer[]): void {
    const { place, memory } = this.#options;
    const isServed = (key: string): boolean =>
      this.#keys.includes(key) || faulty.some((other) => other.key === key);
    for (const { key } of this.#faulty) if (!isServed(key)) place.remove(key);
    this.#faulty = faulty;
    for (const { key, reason } of faulty) {
      place.set(
        key,
        unavailableSource(key, reason, memory.read({ entry: writtenEntry(this.#config!, key) })),
      );
    }
  }

  #seat(config: ServerConfig, limits: LimitSettings): void {
    const { key } = config;
    const before = this.#seats.get(key);
    const isSame = (seat: Seat | undefined): seat is Seat =>
      seat !== undefined &&
      sameServer(seat.config, config) &&
      isDeepStrictEqual(seat.limits, limits);
    const used = this.#used(key);
    if (isSame(before)) before.config = config;
    else if (isSame(used) && used.upstream.state.is === 'ready') {
      // A change that failed is undone.
      this.#seats.set(key, used);
      used.config = config;
      this.#leave(before!);
    } else this.#replace(config, limits);
  }

  #replace(config: ServerConfig, limits: LimitSettings): void {
    const { key } = config;
    const before = this.#seats.get(key);
    const shown = this.#shown.get(key);
    // An earlier successor that never became ready.
    if (before && before !== shown) this.#leave(before);
    const seat = this.#open(config, limits);
    this.#seats.set(key, seat);
    this.#starts.add(seat.start, seat.isRemembered);
    if (shown?.upstream.state.is === 'ready') this.#succeed(shown, seat);
    else this.#show(seat);
  }

  /** The old server runs until its successor is ready, so that a mistake in the file ends no server. */
  #succeed(before: Seat, seat: Seat): void {
    const { key } = seat.config;
    const look = (): void => {
      const { state } = seat.upstream;
      const isOver = this.#seats.get(key) !== seat;
      const isDone = state.is === 'ready' || before.upstream.state.is === 'failed';
      if (isOver || isDone) for (const stop of stops) stop();
      if (!isOver && isDone) this.#show(seat);
      else if (!isOver && 'reason' in state) {
        const isNew = seat.trouble === undefined;
        seat.trouble = `its new process could not be started: ${state.reason}. The process that ran before stays in use`;
        if (isNew) this.#options.log('warning', `[${key}] ${seat.trouble}.`);
      }
    };
    const stops = [seat.upstream, before.upstream].map((upstream) => upstream.onState(look));
    look();
  }

  #show(seat: Seat): void {
    const { key } = seat.config;
    // It may have been replaced or removed while it was starting.
    if (this.#seats.get(key) !== seat) return;
    const before = this.#shown.get(key);
    this.#shown.set(key, seat);
    delete seat.trouble;
    const successor = (): Upstream | undefined => {
      const shown = this.#shown.get(key);
      return shown === seat ? undefined : shown?.upstream;
    };
    this.#options.place.set(key, succeededSource(seat.upstream, successor));
    if (before) this.#leave(before);
  }

  #dismiss(key: string): void {
    const seats = new Set([this.#seats.get(key), this.#shown.get(key)]);
    this.#seats.delete(key);
    this.#shown.delete(key);
    this.#logs.delete(key);
    this.#options.place.remove(key);
    for (const seat of seats) if (seat) this.#leave(seat);
  }

  /** A server outside the hub gets no new calls. It ends when its calls are done, or at the limit. */
  #leave(seat: Seat): void {
    const { drainMs: limitMs, log } = this.#options;
    const { key } = seat.config;
    const onLate = (calls: string): void =>
      log('warning', `[${key}] ${calls} did not finish in time; it is stopped anyway.`);
    // Calls of other instances wait for its successor, here or elsewhere.
    seat.placed?.retire();
    const gone = drained(seat.upstream, { limitMs, signal: this.#halt.signal, onLate })
      .then(() => endSeat(seat))
      .catch((error: unknown) => log('error', String(error)))
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  #open(config: ServerConfig, limits: LimitSettings): Seat {
    const { key } = config;
    const kept = this.#logs.get(key) ?? new ServerLog();
    this.#logs.set(key, kept);
    return openSeat(config, limits, {
      ...this.#options,
      groups: this.#groups,
      kept,
      memoryKey: memoryKeyOf(this.#config!, config, this.#options.holder(config)),
      settings: () => this.#config!.settings,
      onAwaited: (start) => this.#starts.hurry(start),
    });
  }
}
