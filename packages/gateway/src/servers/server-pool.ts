/** The running servers, by key. Servers are added, replaced and removed without ending running calls. */

import { isDeepStrictEqual } from 'node:util';

import { LOCAL_PERSON } from '@callsign/auth';
import { isSwitchedOn, toolListsOf } from '@callsign/config';
import {
  type ClientConnection,
  type Item,
  changedSource,
  type Source,
  CallsignError,
  NOTHING,
} from '@callsign/core';
import { ChildGroups, type Upstream, type UpstreamState, type CachedOffer } from '@callsign/wire';

import type { ConnectedClients } from '../clients/connected-clients.js';
import type { GatewayConfig, UnavailableServer } from '../config/gateway-config.js';
import { sameServer, type ServerConfig } from '../config/server-config.js';
import type { LimitSettings } from '../config/settings.js';
import { inPlace } from './client-server.js';
import { AccountProcesses, type OpenedAccount } from './account-processes.js';
import { drained } from './drain.js';
import { memoryKeyOf, writtenEntry } from './memory-key.js';
import { OwnProcesses, withoutData, type OwnOptions } from './own-processes.js';
import type { JoinedLists } from './joined-lists.js';
import type { ServerPoolOptions } from './server-pool-options.js';
import {
  endServerProcess,
  handOver,
  openServerProcess,
  type ServerProcess,
  type ServerProcessOptions,
} from './server-process.js';
import { sandboxStatus } from './server-status.js';
import { Refusals } from '../sandbox/refusals.js';
import { ServerLog } from './server-log.js';
import type { ServerStatus } from './server-status.js';
import { StaggeredStarts } from './fast/staggered-starts.js';

/** Each configured server has one. A server that leaves finishes its calls before it ends. */
export class ServerPool {
  readonly #groups = new ChildGroups();
  readonly #options: ServerPoolOptions;
  /** The servers of the configuration. */
  readonly #servers = new Map<string, ServerProcess>();
  /** The servers in the hub: the same, except those whose successor is not ready yet. */
  readonly #shown = new Map<string, ServerProcess>();
  readonly #leaving = new Set<Promise<void>>();
  /** What servers printed, by key. It outlives a restart. */
  readonly #logs = new Map<string, ServerLog>();
  readonly #refusals = new Map<string, Refusals>();
  /** The sources of the operator, at servers with accounts. */
  readonly #placed = new Map<string, Source>();
  readonly #halt = new AbortController();
  readonly #starts = new StaggeredStarts();
  /** In the order of the configuration. */
  #keys: readonly string[] = [];
  /** Servers whose entries have problems. */
  #faulty: readonly UnavailableServer[] = [];
  #config: GatewayConfig | undefined;
  /** Set if clients share the gateway, and may have processes that others do not share. */
  readonly #own: OwnProcesses | undefined;
  /** The processes of servers at which callers have accounts. */
  readonly #accounts: AccountProcesses;
  /** The log level of the servers, as JSON text. */
  #logLevel: string | undefined;

  constructor(options: ServerPoolOptions) {
    this.#options = options;
    const { clients } = options;
    this.#own = clients && this.#createOwn(clients);
    this.#accounts = new AccountProcesses({
      accounts: options.accounts,
      config: () => this.#config!,
      open: (config, account) => this.#openOfAccount(config, account),
      end: (running) => this.#end(running),
      lists: (key) => this.#shown.get(key)?.upstream,
      onPlaces: () => this.accountsChanged(),
    });
  }

  /** Starts, replaces and removes servers to match the configuration. */
  apply(config: GatewayConfig): void {
    if (this.#halt.signal.aborted) return;
    const { servers, settings, unavailable = [] } = config;
    this.#config = config;
    this.#keys = servers.map(({ key }) => key);
    for (const key of this.#servers.keys()) if (!this.#keys.includes(key)) this.#dismiss(key);
    // Before any server is placed, so that lists have the order of the file from the start.
    this.#options.place.arrange([...this.#keys, ...unavailable.map(({ key }) => key)]);
    this.#placeFaulty(unavailable);
    // The limit on results does not belong to the servers.
    const { maxResultBytes: _, ...limits } = settings.limits;
    for (const server of servers) this.#apply(this.#shared(server), limits);
    this.#accounts.refresh();
    this.#placeAccounts();
  }

  /** Accounts were linked or removed. What does not count any more ends at once. */
  accountsChanged(): void {
    if (!this.#config || this.#halt.signal.aborted) return;
    this.#accounts.refresh();
    this.#placeAccounts();
    this.#options.onPlaces();
  }

  /** What a person uses of the servers at which callers have accounts. Looked up again after `onPlaces`. */
  accountSources(person: string): ReadonlyMap<string, Source> {
    return this.#config ? this.#accounts.of(person) : new Map();
  }

  /** What modules judge instead of the lists of single accounts. */
  judged(server: string): JoinedLists | undefined {
    return this.#config && this.#accounts.judged(server);
  }

  /** Whether a person uses no process now, so that these can end. */
  releasePerson(person: string): boolean {
    if (this.#accounts.isBusy(person)) return false;
    this.#accounts.release(person);
    return true;
  }

  /** Whether the processes of a person have started or failed. */
  isSettledFor(person: string): boolean {
    return this.#accounts.processes(person).every(({ upstream }) => upstream.isSettled);
  }

  async settledFor(person: string): Promise<void> {
    await Promise.all(this.#accounts.processes(person).map(({ upstream }) => upstream.settled));
  }

  /**
   * The servers of which a client does not use the process that all others share, and the sources to use instead. Looked
   * up again after `onPlaces`.
   */
  ownSources(connection: ClientConnection): ReadonlyMap<string, Source> {
    if (!this.#config) return new Map();
    const own = [...(this.#own?.of(connection) ?? [])].map(([key, server]) => {
      if ('running' in server) return [key, server.running.upstream] as const;
      const offer = this.#shown.get(key)?.upstream.cachedOffer;
      return [key, unavailableSource(key, server.fault, offer)] as const;
    });
    return new Map<string, Source>(own);
  }

  /** A client has disconnected. Its own processes end when its calls are done. */
  release(connection: ClientConnection): void {
    this.#own?.release(connection);
  }

  /** Whether a call or a question of a server waits for an answer. */
  get isBusy(): boolean {
    return [...this.#all()].some(({ upstream }) => upstream.isBusy);
  }

  /** Starts the servers whose lists are remembered. Before this, only a call starts one of them. */
  startCached(): void {
    this.#starts.release();
  }

  /** Resolves when every server has started or failed. */
  async settled(): Promise<void> {
    await this.#settledOf(() => true);
  }

  /** Resolves when every server without a remembered list has started or failed. */
  async listed(): Promise<void> {
    await this.#settledOf(({ isCached }) => !isCached);
  }

  /** Resolves when all removed servers have ended. */
  async departed(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Resolves when a server can be called, with false if it never will be. `account`: whose session with it. */
  whenReady(key: string, account?: string): Promise<boolean> {
    const running =
      account === undefined ? this.#shown.get(key) : this.#accounts.process(account, key);
    const upstream = running?.upstream;
    if (!upstream) return Promise.resolve(false);
    return becomesReady(upstream);
  }

  /** Tries again to start remote servers that were given up: the user may have signed in. */
  tryAgain(): void {
    for (const { config, upstream } of this.#servers.values()) {
      if (config.transport !== 'stdio') void upstream.tryAgain();
    }
  }

  /** Starts the servers again that were given up. */
  startFailed(): void {
    if (this.#halt.signal.aborted) return;
    for (const { upstream } of this.#all())
      if (upstream.state.is === 'failed') void upstream.tryAgain();
  }

  /** Whether every server has started or failed at least once. */
  isSettled(): boolean {
    return this.#current().every(({ upstream }) => upstream.isSettled);
  }

  /** Whether it is known what each server offers: it is ready, or its lists are remembered. */
  isKnown(): boolean {
    // A server may offer more to an account that is linked later.
    if (this.#config?.servers.some(({ settings }) => settings.accounts)) return false;
    return [...this.#servers.keys()].every((key) => {
      const { isCached, upstream } = this.#used(key)!;
      return isCached || upstream.state.is === 'ready' || upstream.state.is === 'asleep';
    });
  }

  /** Whether every server without a remembered list has started or failed. */
  isListed(): boolean {
    return this.#current().every((running) => running.isCached || running.upstream.isSettled);
  }

  status(): ServerStatus[] {
    return this.#keys.map((key) => {
      const used = this.#used(key)!;
      const { restarts } = used.upstream;
      const { offer } = this.judged(key) ?? used.upstream;
      const { accounts } = used.config.settings;
      // It is ready for everyone with an account: the state of one account is not its state.
      const isOfEach = accounts?.lists === 'own';
      const state: UpstreamState = isOfEach ? { is: 'ready' } : this.#stateOf(used);
      const processes = accounts
        ? this.#accounts.status(key)
        : this.#own?.status(used.config, used);
      const lists = toolListsOf(used.config.written?.entry ?? {});
      const tools = offer.tool.filter(({ name }) => isSwitchedOn(lists, name)).length;
      const sandbox = sandboxStatus(used.config, this.#refusals.get(key));
      const shown = {
        key,
        state,
        tools,
        restarts,
        ...(processes ? { processes } : {}),
        ...(sandbox ? { sandbox } : {}),
      };
      const trouble = this.#servers.get(key)?.trouble;
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
    const running = this.#servers.get(key);
    if (!running || this.#halt.signal.aborted) return false;
    const { accounts } = running.config.settings;
    if (accounts) this.#accounts.restart(key);
    if (accounts?.lists === 'own') return true;
    const { upstream } = running;
    if (upstream.state.is === 'ready') this.#replace(running.config, running.limits);
    else if (upstream.state.is === 'asleep') upstream.wake();
    else void upstream.tryAgain();
    if (this.#own && this.#own.all(key).length > 0) {
      this.#own.dismiss(key);
      this.#options.onPlaces();
    }
    return true;
  }

  /** Leaves servers that run on one instance to another one. Calls under way may take this long. */
  async handOver(limitMs: number): Promise<void> {
    await this.departed();
    await Promise.all(Array.from(this.#all(), (running) => handOver(running, limitMs)));
  }

  /** Ends every server at once. Resolves when all processes have ended. */
  async stop(): Promise<void> {
    this.#halt.abort();
    const stopped = Array.from(this.#all(), endServerProcess);
    await Promise.all([...stopped, ...this.#leaving]);
    this.#groups.close();
  }

  #all(): ReadonlySet<ServerProcess> {
    const accounts = this.#accounts.processes();
    return new Set([...this.#current(), ...this.#shown.values(), ...accounts]);
  }

  /** Those of the configuration and of its clients. */
  #current(): readonly ServerProcess[] {
    const local = this.#accounts.processes(LOCAL_PERSON);
    return [...this.#servers.values(), ...(this.#own?.all() ?? []), ...local];
  }

  /** If the process for all clients sleeps, one of its other processes tells how the server is doing. */
  #stateOf({ config, upstream }: ServerProcess): UpstreamState {
    if (upstream.state.is !== 'asleep') return upstream.state;
    const awake = this.#own
      ?.all(config.key)
      .find((running) => running.upstream.state.is !== 'asleep');
    return (awake?.upstream ?? upstream).state;
  }

  /** A server as it runs for all clients. */
  #shared(server: ServerConfig): ServerConfig {
    const { clients } = this.#options;
    return clients ? inPlace(server, clients.env, clients.folder) : server;
  }

  #createOwn(clients: ConnectedClients): OwnProcesses {
    return new OwnProcesses({
      clients,
      config: () => this.#config!,
      shared: (key) => this.#shown.get(key),
      open: (config, own) => this.#openOwn(config, own, clients),
      leave: (running) => this.#leave(running),
      renew: (key) => this.#renew(key),
      remember: (running) => this.#remember(running, running.upstream.cachedOffer),
      // Later: the server that asks is still being heard.
      onPlaces: () => this.#options.onPlaces(),
    });
  }

  /** A client keeps the process that all have shared, so another one takes its place. */
  #renew(key: string): void {
    const before = this.#shown.get(key);
    const replaced = this.#servers.get(key);
    if (!before || !replaced) return;
    const { config, limits } = replaced;
    if (replaced !== before) this.#leave(replaced);
    this.#servers.delete(key);
    this.#shown.delete(key);
    const offer = before.upstream.cachedOffer;
    const running = this.#open(config, limits, { cached: withoutData(offer) });
    this.#servers.set(key, running);
    if (running.upstream.state.is !== 'asleep') this.#starts.add(running.start, running.isCached);
    this.#show(running);
  }

  /** Whether only some clients use it. */
  #isOwn(running: ServerProcess): boolean {
    return this.#own?.all(running.config.key).includes(running) === true;
  }

  #remember(running: ServerProcess, offer: CachedOffer | undefined): void {
    const { config } = running;
    if (!offer || !this.#config) return;
    const key = memoryKeyOf(this.#config, config, this.#options.holder(config));
    const asksRoots = this.#own?.hasAskedRoots(config.key) === true;
    // What it offers besides tools may depend on the roots of the client that it had.
    this.#options.memory.write(key, asksRoots ? { ...withoutData(offer)!, asksRoots } : offer);
  }

  /** The server with this key: the one of the configuration, unless its start failed and another is in use. */
  #used(key: string): ServerProcess | undefined {
    const running = this.#servers.get(key);
    return running?.trouble === undefined ? running : this.#shown.get(key);
  }

  /** A reload may replace servers meanwhile. Then their successors count. */
  async #settledOf(isMeant: (running: ServerProcess) => boolean): Promise<void> {
    const open = (): readonly ServerProcess[] =>
      this.#current().filter((running) => isMeant(running) && !running.upstream.isSettled);
    for (let servers = open(); servers.length > 0; servers = open())
      await Promise.all(servers.map(({ upstream }) => upstream.settled));
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

  #apply(config: ServerConfig, limits: LimitSettings): void {
    const { key } = config;
    const before = this.#servers.get(key);
    const isSame = (running: ServerProcess | undefined): running is ServerProcess =>
      running !== undefined &&
      sameServer(running.config, config) &&
      isDeepStrictEqual(running.limits, limits);
    const used = this.#used(key);
    if (isSame(before)) before.config = config;
    else if (isSame(used) && used.upstream.state.is === 'ready') {
      // A change that failed is undone.
      this.#servers.set(key, used);
      used.config = config;
      this.#leave(before!);
    } else this.#replace(config, limits);
  }

  #replace(config: ServerConfig, limits: LimitSettings): void {
    const { key } = config;
    const before = this.#servers.get(key);
    const shown = this.#shown.get(key);
    // An earlier successor that never became ready.
    if (before && before !== shown) this.#leave(before);
    const running = this.#open(config, limits, {
      isSuccessor: shown?.upstream.state.is === 'ready',
    });
    this.#servers.set(key, running);
    if (running.upstream.state.is !== 'asleep') this.#starts.add(running.start, running.isCached);
    if (shown?.upstream.state.is === 'ready') this.#succeed(shown, running);
    else this.#show(running);
  }

  /** The old server runs until its successor is ready, so that a mistake in the file ends no server. */
  #succeed(before: ServerProcess, running: ServerProcess): void {
    const { key } = running.config;
    const look = (): void => {
      const { state } = running.upstream;
      const isOver = this.#servers.get(key) !== running;
      const isDone = state.is === 'ready' || before.upstream.state.is === 'failed';
      if (isOver || isDone) for (const stop of stops) stop();
      if (!isOver && isDone) this.#show(running);
      else if (!isOver && 'reason' in state) {
        const isNew = running.trouble === undefined;
        running.trouble = `its new process could not be started: ${state.reason}. The process that ran before stays in use`;
        if (isNew) this.#options.log('warning', `[${key}] ${running.trouble}.`);
      }
    };
    const stops = [running.upstream, before.upstream].map((upstream) => upstream.onState(look));
    look();
  }

  #show(running: ServerProcess): void {
    const { key } = running.config;
    // It may have been replaced or removed while it was starting.
    if (this.#servers.get(key) !== running) return;
    const before = this.#shown.get(key);
    this.#shown.set(key, running);
    delete running.trouble;
    const successor = (): Upstream | undefined => {
      const shown = this.#shown.get(key);
      return shown === running ? undefined : shown?.upstream;
    };
    if (running.config.settings.accounts) this.#placeAccount(running.config);
    else
      this.#options.place.set(
        key,
        this.#levelled(succeededSource(running.upstream, successor), key),
      );
    if (before) this.#leave(before);
    // Clients share it if it is the server that they would start themselves.
    if (this.#own) this.#options.onPlaces();
  }

  /** Clients without a credential use the account of the operator. */
  #placeAccount(server: ServerConfig): void {
    const source = this.#accounts.source(LOCAL_PERSON, server);
    if (this.#placed.get(server.key) === source) return;
    this.#placed.set(server.key, source);
    this.#options.place.set(server.key, source);
  }

  #placeAccounts(): void {
    for (const server of this.#config?.servers ?? []) {
      if (!server.settings.accounts) this.#placed.delete(server.key);
      else if (this.#shown.has(server.key)) this.#placeAccount(server);
    }
  }

  /** Ends a process without waiting for its calls. */
  #end(running: ServerProcess): void {
    const gone = endServerProcess(running)
      .catch((error: unknown) => this.#options.log('error', String(error)))
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  #dismiss(key: string): void {
    const servers = new Set([this.#servers.get(key), this.#shown.get(key)]);
    this.#servers.delete(key);
    this.#shown.delete(key);
    this.#logs.delete(key);
    this.#refusals.delete(key);
    this.#placed.delete(key);
    this.#options.place.remove(key);
    this.#own?.dismiss(key);
    for (const running of servers) if (running) this.#leave(running);
  }

  /** A server outside the hub gets no new calls. It ends when its calls are done, or at the limit. */
  #leave(running: ServerProcess): void {
    const { drainMs: limitMs, log } = this.#options;
    const { key } = running.config;
    const onLate = (calls: string): void =>
      log('warning', `[${key}] ${calls} did not finish in time; it is stopped anyway.`);
    // Calls of other instances wait for its successor, here or elsewhere.
    running.placed?.retire();
    const gone = drained(running.upstream, { limitMs, signal: this.#halt.signal, onLate })
      .then(() => endServerProcess(running))
      .catch((error: unknown) => log('error', String(error)))
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  /** The log level is for every process of a server. */
  #levelled(source: Source, server: string): Source {
    const own = this.#own;
    if (!own) return source;
    return changedSource(source, {
      tell: (method, params) => {
        source.tell(method, params);
        if (method !== 'logging/setLevel') return;
        this.#logLevel = params;
        for (const { upstream } of own.all(server)) upstream.tell(method, params);
      },
    });
  }

  #open(
    config: ServerConfig,
    limits: LimitSettings,
    {
      isSuccessor = false,
      cached,
    }: { isSuccessor?: boolean; cached?: CachedOffer | undefined } = {},
  ): ServerProcess {
    const { memory, clients, env } = this.#options;
    const memoryKey = memoryKeyOf(this.#config!, config, this.#options.holder(config));
    const { accounts } = config.settings;
    const running = openServerProcess(config, limits, {
      ...this.#common(config.key),
      // Each account has lists of its own, so this process is never started.
      ...(accounts?.lists === 'own' ? NEVER_STARTED : {}),
      memory: {
        read: (key) => {
          if (accounts?.lists === 'own') return NO_LISTS;
          const offer = cached ?? memory.read(key);
          if (offer?.asksRoots === true) this.#own?.noteRoots(config.key);
          return offer;
        },
        write: (_, offer) => {
          if (!this.#isOwn(running) && accounts?.lists !== 'own') this.#remember(running, offer);
        },
      },
      memoryKey,
      isSuccessor,
      idleMs: (now) => {
        const isOfEach =
          this.#own?.whyOwn(now) !== undefined || now.settings.accounts !== undefined;
        const isForLists = isOfEach && !this.#isOwn(running);
        return this.#idleMs(now, isForLists);
      },
      get env() {
        return clients?.env ?? env;
      },
    });
    return running;
  }

  /** A process that only some clients use. What it offers is not remembered, since others might get it. */
  #openOwn(
    config: ServerConfig,
    { only, like, cached }: OwnOptions,
    clients: ConnectedClients,
  ): ServerProcess {
    const { limits } = this.#servers.get(config.key)!;
    const running = openServerProcess(config, limits, {
      ...this.#common(config.key),
      memory: { read: () => cached, write: () => undefined },
      memoryKey: { entry: undefined },
      instances: undefined,
      clientCapabilities: () => only && clients.sessionOf(only)?.capabilities,
      get env() {
        return clients.envOf(like);
      },
    });
    if (this.#logLevel !== undefined) running.upstream.tell('logging/setLevel', this.#logLevel);
    if (running.upstream.state.is !== 'asleep') this.#starts.add(running.start, running.isCached);
    return running;
  }

  /** The process of one account. What it offers is not remembered: no one else may get it. */
  #openOfAccount(config: ServerConfig, { person, credentials }: OpenedAccount): ServerProcess {
    const { limits } = this.#servers.get(config.key)!;
    const isLocal = person === LOCAL_PERSON;
    const { answer, env } = this.#options;
    const running = openServerProcess(config, limits, {
      ...this.#common(config.key),
      memory: { read: () => undefined, write: () => undefined },
      memoryKey: { entry: undefined },
      instances: undefined,
      env,
      credentials,
      clientCapabilities: isLocal ? this.#options.clientCapabilities : () => undefined,
      onRoots: undefined,
      // A question that belongs to no call must not reach another person.
      answerFor: (_, question) => (isLocal ? answer(question, config.key) : undefined),
      // After a failure, its next call starts it again.
      isOnDemand: () => true,
      idleMs: ({ settings: { idleStopMs = IDLE_MS } }) =>
        idleStopMs === 0 ? undefined : idleStopMs,
    });
    this.#starts.add(running.start, false);
    return running;
  }

  #common(
    key: string,
  ): Omit<ServerProcessOptions, 'memory' | 'memoryKey'> & Pick<ServerPoolOptions, 'place'> {
    const printed = this.#logs.get(key) ?? new ServerLog();
    this.#logs.set(key, printed);
    const refusals = this.#refusals.get(key) ?? new Refusals();
    this.#refusals.set(key, refusals);
    const { answer, clients, isBrief } = this.#options;
    const own = this.#own;
    return {
      ...this.#options,
      groups: this.#groups,
      printed,
      refusals,
      file: this.#config?.file,
      settings: () => this.#config!.settings,
      onAwaited: (start) => this.#starts.hurry(start),
      // A command asks servers themselves.
      isOnDemand: ({ settings: { start } }) =>
        !isBrief && (start ?? (clients ? 'on-demand' : 'eager')) === 'on-demand',
      idleMs: (config) => this.#idleMs(config),
      onRoots: own && ((running, calls) => own.askedRoots(running, calls)),
      answerFor: (running, question) =>
        own && clients && clients.size > 0 ? own.answer(running, question) : answer(question, key),
    };
  }

  /** `isForLists`: each client has a process of its own, so it is needed until its lists are known. */
  #idleMs({ settings }: ServerConfig, isForLists = false): number | undefined {
    const { idleStopMs = this.#options.clients ? IDLE_MS : 0 } = settings;
    if (idleStopMs === 0) return undefined;
    return isForLists ? Math.min(idleStopMs, LISTS_MS) : idleStopMs;
  }
}

const NEVER_STARTED: Pick<ServerProcessOptions, 'isOnDemand'> = { isOnDemand: () => true };
const NO_LISTS: CachedOffer = {
  lists: { tool: [], prompt: [], resource: [], template: [] },
  capabilities: '{}',
};

/** How long a server of the background gateway, and a process of an account, runs without use. */
const IDLE_MS = 30 * 60_000;
/** How long a process of it runs that was only needed for its lists. */
const LISTS_MS = 10_000;

/** False if it failed or was stopped. */
function becomesReady(upstream: Upstream): Promise<boolean> {
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

/** `undefined`: not known yet. */
function isReady({ is }: UpstreamState): boolean | undefined {
  if (is === 'ready' || is === 'asleep') return true;
  return is === 'failed' || is === 'stopped' ? false : undefined;
}

/** The part of a server's offer that the lock file compares, before settings and views. */
interface ServerOffer {
  readonly tools: readonly Item[];
  readonly prompts: readonly Item[];
  readonly templates: readonly Item[];
  readonly instructions?: string;
}

function serverOffer({
  offer,
  instructions,
}: Partial<Pick<Upstream, 'offer' | 'instructions'>> = {}): ServerOffer {
  const { tool = [], prompt = [], template = [] } = offer ?? {};
  return {
    tools: tool,
    prompts: prompt,
    templates: template,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** `successor` is asked for each call, at the moment when the call is sent. */
function succeededSource(source: Source, successor: () => Source | undefined): Source {
  return changedSource(source, {
    route(kind, name) {
      const own = source.route(kind, name);
      if (!own) return undefined;
      return {
        ...(own.item ? { item: own.item } : {}),
        send: (call) => (successor()?.route(kind, name) ?? own).send(call),
      };
    },
    relay: (_, call) => (successor() ?? source).relay?.('', call),
  });
}

/** `reason` reaches callers, so it must not contain secrets. */
function unavailableSource(
  server: string,
  reason: string,
  cached: CachedOffer | undefined,
): Source {
  const offer = cached ? { ...NOTHING, ...cached.lists } : NOTHING;
  return {
    offer,
    instructions: cached?.instructions,
    skills: cached?.skills,
    unavailable: reason,
    route(kind, name) {
      const item = offer[kind].find((each) => each.name === name);
      if (!item) return undefined;
      const error = new CallsignError('upstream-unavailable', { server, reason });
      return { item, send: () => Promise.reject(error) };
    },
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}
