/** Which server runs under which key. Servers come, are replaced and leave without breaking off a call. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { Question, Reply } from '@callsign/core';
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
  /** Where servers are put that can be called. */
  readonly place: Pick<Placement, 'arrange' | 'remove' | 'set'>;
  readonly self: Implementation;
  readonly log: Log;
  /** Environment for children that tells them in which gateways they stand. */
  readonly chain: Readonly<Record<string, string>>;
  /** How long a server that leaves may take to finish its calls. */
  readonly drainMs: number;
  readonly answer: (question: Question) => Promise<Reply> | undefined;
  readonly credentials: TransportOptions['credentials'];
}

export interface ServerStatus {
  readonly key: string;
  readonly state: UpstreamState;
  readonly tools: number;
  /** How often it was started again. */
  readonly restarts: number;
}

interface Seat {
  config: ServerConfig;
  readonly limits: LimitSettings;
  readonly upstream: Upstream;
}

/** How often a server that leaves is looked at. */
const LOOK_MS = 20;
/** So many looks in a row that find nothing under way are enough. */
const IDLE_LOOKS = 5;

export class Roster {
  readonly #groups = new ChildGroups();
  readonly #options: RosterOptions;
  /** Those that the configuration asks for. */
  readonly #seats = new Map<string, Seat>();
  /** Those that are in the hub: the same ones, but for servers whose successor is still starting. */
  readonly #shown = new Map<string, Seat>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #halt = new AbortController();
  /** In the order of the configuration. */
  #keys: readonly string[] = [];
  #restart: RestartSettings | undefined;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** Starts, replaces and dismisses servers until they are those of the configuration. */
  apply({ servers, settings }: GatewayConfig): void {
    if (this.#halt.signal.aborted) return;
    this.#keys = servers.map(({ key }) => key);
    this.#restart = settings.restart;
    for (const key of this.#seats.keys()) if (!this.#keys.includes(key)) this.#dismiss(key);
    this.#options.place.arrange(this.#keys);
    const { maxMessageBytes, maxPendingPerServer } = settings.limits;
    for (const server of servers) this.#seat(server, { maxMessageBytes, maxPendingPerServer });
  }

  /** Resolves when every server has come up or failed. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#seats.values(), ({ upstream }) => upstream.settled));
  }

  /** Resolves when all that were to leave are gone. */
  async departed(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Resolves when a server can be called, to false if it will not be. */
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

  /** Has another try at remote servers that were given up: somebody may have signed in to one. */
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

  /** Ends every server at once. Resolves when all their processes are gone. */
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
    const shown = this.#shown.get(key);
    if (before && before !== shown) this.#leave(before);
    const seat = this.#open(config, limits);
    this.#seats.set(key, seat);
    void seat.upstream.start();
    // One that serves goes on until its successor can take over: nobody finds its tools gone.
    if (shown?.upstream.state.is === 'ready') {
      void seat.upstream.settled.then(() => this.#show(seat));
    } else this.#show(seat);
  }

  #show(seat: Seat): void {
    const { key } = seat.config;
    // It may have been replaced or dismissed while it was starting.
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
    this.#shown.delete(key);
    this.#options.place.remove(key);
    for (const seat of seats) if (seat) this.#leave(seat);
  }

  /** Out of the hub it gets no new calls; it ends when those under way are done, or at the limit. */
  #leave(seat: Seat): void {
    const gone = this.#drained(seat)
      .then(() => seat.upstream.stop())
      .catch((error: unknown) => this.#options.log('error', String(error)))
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  /** Leaving is rare, and calls are many: it is looked at now and then, and no call pays for it. */
  async #drained({ config: { key }, upstream }: Seat): Promise<void> {
    const { drainMs, log } = this.#options;
    const end = Date.now() + drainMs;
    // A call that has just come may still be on its way through what governs it.
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
      // Read at each start, so that a change of these is no reason to start again.
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
    return seat;
  }
}

/** Whether a server can be called; `undefined` if that is still open. */
function isReady({ is }: UpstreamState): boolean | undefined {
  if (is === 'ready') return true;
  return is === 'failed' || is === 'stopped' ? false : undefined;
}
