/** The running servers, by key. Servers are added, replaced and removed without breaking off calls. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { Item, Question, Reply } from '@callsign/core';
import { ChildGroups, Upstream, type Implementation, type UpstreamState } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';
import { sameServer, type ServerConfig } from '../config/server-config.js';
import type { LimitSettings, RestartSettings } from '../config/settings.js';
import { createLastWords } from './last-words.js';
import type { Log } from '@callsign/core';
import type { Placement } from './placement.js';
import { succeededSource } from './succeeded-source.js';
import { eraOf, transportOf, type TransportOptions } from './transport.js';

export interface RosterOptions {
  /** Places servers that can be called. */
  readonly place: Pick<Placement, 'arrange' | 'remove' | 'set'>;
  readonly self: Implementation;
  readonly log: Log;
  /** Environment variables that tell servers which gateways they run behind. */
  readonly chain: Readonly<Record<string, string>>;
  /** How long a removed server may take to finish its calls. */
  readonly drainMs: number;
  readonly answer: (question: Question, server: string) => Promise<Reply> | undefined;
  readonly credentials: TransportOptions['credentials'];
}

export interface ServerStatus {
  readonly key: string;
  readonly state: UpstreamState;
  readonly tools: number;
  /** The number of restarts. */
  readonly restarts: number;
}

interface Seat {
  config: ServerConfig;
  readonly limits: LimitSettings;
  readonly upstream: Upstream;
}

/** The interval for checking a removed server. */
const LOOK_MS = 20;
/** The number of idle checks in a row after which it is ended. */
const IDLE_LOOKS = 5;

export class Roster {
  readonly #groups = new ChildGroups();
  readonly #options: RosterOptions;
  /** The servers of the configuration. */
  readonly #seats = new Map<string, Seat>();
  /** The servers in the hub: the same, except those whose successor is still starting. */
  readonly #shown = new Map<string, Seat>();
  /** When each server came into its state. */
  readonly #since = new Map<string, number>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #halt = new AbortController();
  /** In the order of the configuration. */
  #keys: readonly string[] = [];
  #restart: RestartSettings | undefined;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** Starts, replaces and removes servers to match the configuration. */
  apply({ servers, settings }: GatewayConfig): void {
    if (this.#halt.signal.aborted) return;
    this.#keys = servers.map(({ key }) => key);
    this.#restart = settings.restart;
    for (const key of this.#seats.keys()) if (!this.#keys.includes(key)) this.#dismiss(key);
    this.#options.place.arrange(this.#keys);
    const { maxMessageBytes, maxPendingPerServer } = settings.limits;
    for (const server of servers) this.#seat(server, { maxMessageBytes, maxPendingPerServer });
  }

  /** Resolves when every server has started or failed. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#seats.values(), ({ upstream }) => upstream.settled));
  }

  /** Resolves when all removed servers have ended. */
  async departed(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Resolves when a server can be called, with false if it never will be. */
  whenReady(key: string): Promise<boolean> {
    const upstream = this.#shown.get(key)?.upstream;
    if (!upstream) return Promise.resolve(false);
    const known = isReady(upstream.state);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      const stop = upstream.onState((state) => {
        const ready = isReady(state);
        if (ready === undefined) return;
        stop();
        resolve(ready);
      });
    });
  }

  /** Tries remote servers again that were given up: the user may have signed in. */
  tryAgain(): void {
    for (const { config, upstream } of this.#seats.values()) {
      if (config.transport !== 'stdio') void upstream.tryAgain();
    }
  }

  isSettled(): boolean {
    return [...this.#seats.values()].every(({ upstream }) => upstream.state.is !== 'starting');
  }

  status(): ServerStatus[] {
    return this.#keys.map((key) => {
      const { state, offer, restarts } = this.#seats.get(key)!.upstream;
      return { key, state, tools: offer.tool.length, restarts };
    });
  }

  /** When a server came into its state, in milliseconds since 1970. */
  since(key: string): number | undefined {
    return this.#since.get(key);
  }

  /** The tools of each server as it offers them, before any filter. */
  offered(): { readonly server: string; readonly tools: readonly Item[] }[] {
    return this.#keys.map((key) => {
      return { server: key, tools: this.#seats.get(key)!.upstream.offer.tool };
    });
  }

  /** Starts a server again. Its tools stay until its successor is ready; false if there is no such server. */
  restart(key: string): boolean {
    const seat = this.#seats.get(key);
    if (!seat || this.#halt.signal.aborted) return false;
    if (seat.upstream.state.is === 'ready') this.#replace(seat.config, seat.limits);
    else void seat.upstream.tryAgain();
    return true;
  }

  /** Ends every server at once. Resolves when all processes have ended. */
  async stop(): Promise<void> {
    this.#halt.abort();
    const stopped = Array.from(this.#seats.values(), ({ upstream }) => upstream.stop());
    await Promise.all([...stopped, ...this.#leaving]);
  }

  #seat(config: ServerConfig, limits: LimitSettings): void {
    const { key } = config;
    const before = this.#seats.get(key);
    if (before && sameServer(before.config, config) && isDeepStrictEqual(before.limits, limits)) {
      before.config = config;
      return;
    }
    this.#replace(config, limits);
  }

  #replace(config: ServerConfig, limits: LimitSettings): void {
    const { key } = config;
    const before = this.#seats.get(key);
    const shown = this.#shown.get(key);
    if (before && before !== shown) this.#leave(before);
    const seat = this.#open(config, limits);
    this.#seats.set(key, seat);
    void seat.upstream.start();
    // The old server runs until its successor is ready, so that its tools never disappear.
    if (shown?.upstream.state.is === 'ready') {
      void seat.upstream.settled.then(() => this.#show(seat));
    } else this.#show(seat);
  }

  #show(seat: Seat): void {
    const { key } = seat.config;
    // It may have been replaced or removed while it was starting.
    if (this.#seats.get(key) !== seat) return;
    const before = this.#shown.get(key);
    this.#shown.set(key, seat);
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
    this.#since.delete(key);
    this.#shown.delete(key);
    this.#options.place.remove(key);
    for (const seat of seats) if (seat) this.#leave(seat);
  }

  /** Outside the hub it gets no new calls. It ends when its calls are done, or at the limit. */
  #leave(seat: Seat): void {
    const gone = this.#drained(seat)
      .then(() => seat.upstream.stop())
      .catch((error: unknown) => this.#options.log('error', String(error)))
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  /** Polled: removals are rare, so calls should not pay for them. */
  async #drained({ config: { key }, upstream }: Seat): Promise<void> {
    const { drainMs, log } = this.#options;
    const end = Date.now() + drainMs;
    // A new call may still be in the interceptors.
    for (let idle = 0; idle < IDLE_LOOKS && !this.#halt.signal.aborted; idle++) {
      if (upstream.callsUnderWay > 0) idle = -1;
      if (Date.now() >= end) {
        const calls = upstream.callsUnderWay === 1 ? '1 call' : `${upstream.callsUnderWay} calls`;
        return log('warning', `[${key}] ${calls} took longer than it could wait; it leaves.`);
      }
      await sleep(LOOK_MS);
    }
  }

  #open(config: ServerConfig, limits: LimitSettings): Seat {
    const { key } = config;
    const { self, log, chain, answer } = this.#options;
    const restart = (): RestartSettings => this.#restart!;
    const lastWords = createLastWords(key, log);
    const upstream = new Upstream({
      key,
      transport: transportOf(config, {
        maxMessageBytes: limits.maxMessageBytes,
        chain,
        onStderr: lastWords.hear,
        groups: this.#groups,
        onNotice: (message) => log('info', `[${key}] ${message}`),
        credentials: this.#options.credentials,
      }),
      self,
      era: eraOf(config),
      // Read at each start, so that a change of these does not cause a restart.
      get startTimeoutMs() {
        return seat.config.settings.startTimeoutMs;
      },
      get restart() {
        return restart();
      },
      maxPending: limits.maxPendingPerServer,
      answer,
      log: lastWords.log,
    });
    const seat: Seat = { config, limits, upstream };
    this.#since.set(key, Date.now());
    upstream.onState(() => {
      if (this.#seats.get(key) === seat) this.#since.set(key, Date.now());
    });
    return seat;
  }
}

/** Whether a server can be called; `undefined` if that is not known yet. */
function isReady({ is }: UpstreamState): boolean | undefined {
  if (is === 'ready') return true;
  return is === 'failed' || is === 'stopped' ? false : undefined;
}
