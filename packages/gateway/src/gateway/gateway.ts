/** The product's wiring: configured servers in a hub, modules around calls, views of the hub for clients. */

import { isDeepStrictEqual } from 'node:util';

import { auditModules, type AuditStatus } from '@callsign/audit';
import { Hub, type HubOptions, type Log, type Principal } from '@callsign/core';
import type { Question, Reply, Target, View } from '@callsign/core';
import { Approvals, Confirmation, lockModules, POLICY_SETTINGS } from '@callsign/governance';
import type { ToolNote } from '@callsign/governance';
import type { AnnouncedClient } from '@callsign/naming';
import { createSurface } from '@callsign/wire';
import type { HttpListenerOptions, Implementation, Surface } from '@callsign/wire';

import { CallerAuth } from '../auth/caller-auth.js';
import { ServerSignIns } from '../auth/server-sign-ins.js';
import { ClientViews } from '../clients/client-views.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import type { RemoteServer } from '../config/server-config.js';
import type { UserModule } from '../config/user-module.js';
import { ModuleHost, type PlacedModule } from '../modules/module-host.js';
import { builtInModules } from '../modules/module-order.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { withUserModules } from '../modules/user-modules.js';
import { createLabelWarnings } from '../servers/label-warnings.js';
import { createLabels, type Labels } from '../servers/labels.js';
import { Placement } from '../servers/placement.js';
import { ReadOnlyTally } from '../servers/read-only-tally.js';
import { Roster, type ServerStatus } from '../servers/roster.js';
import { createMetrics, type Metrics } from '../telemetry/metrics.js';

export interface GatewayOptions {
  readonly self: Implementation;
  readonly log: Log;
  /** Environment variables that tell servers which gateways they are behind. */
  readonly chain?: Readonly<Record<string, string>>;
  /** The profile to use, whatever clients announce and the configuration says. */
  readonly profile?: string;
  /** Offers only tools that are labelled as reading. */
  readonly readOnly?: boolean;
  /** How long a server that a reload removes may take to finish its calls. */
  readonly drainMs?: number;
  /** Modules besides ours. Those of the configuration are loaded with `loadModules`. */
  readonly modules?: readonly UserModule[];
}

const DRAIN_MS = 10_000;

export class Gateway {
  readonly hub: Hub;
  /** Who is calling. */
  readonly auth: CallerAuth;
  /** Calls that wait for an operator. */
  readonly approvals: Approvals = new Approvals({ clock: SYSTEM_CLOCK });
  readonly #options: GatewayOptions;
  readonly #audit = auditModules();
  readonly #locks = lockModules();
  readonly #metrics: Metrics;
  readonly #builtIn: readonly PlacedModule[];
  readonly #modules: ModuleHost;
  readonly #placement: Placement;
  readonly #signIns: ServerSignIns;
  readonly #roster: Roster;
  readonly #views: ClientViews;
  #config: GatewayConfig;
  #labels: Labels;
  readonly #warnOfLabel: (target: Target) => void;
  readonly #readOnlyTally = new ReadOnlyTally();
  /** Lists that are asked for before the start wait for it. */
  #begin: ((listed: Promise<void>) => void) | undefined;
  readonly #listed: Promise<void> = new Promise((resolve) => {
    this.#begin = resolve;
  });
  /** Answers a question of a server that belongs to no call. Set by the listener. */
  answerLoose: ((question: Question) => Promise<Reply> | undefined) | undefined;

  /** Reads and writes nothing before it is started. Throws if a module cannot be created. */
  constructor(config: GatewayConfig, options: GatewayOptions) {
    const { self, log, chain = {}, drainMs = DRAIN_MS, readOnly = false } = options;
    this.#config = config;
    this.#options = options;
    this.#labels = createLabels(config);
    this.#warnOfLabel = createLabelWarnings(log);
    this.auth = new CallerAuth(config, log);
    this.#signIns = new ServerSignIns(() => this.#config.settings.network, log);
    this.#metrics = createMetrics({
      settings: config.settings.metrics,
      servers: () =>
        this.status().map(({ key, state, restarts }) => ({ key, state: state.is, restarts })),
      audit: () => this.#audit.status(),
    });
    const confirmation = new Confirmation({
      clock: SYSTEM_CLOCK,
      approvals: this.approvals,
      settings: () => this.#config.settings.policy ?? POLICY_SETTINGS.parse({}),
    });
    this.#builtIn = builtInModules({
      version: self.version,
      readOnly,
      metrics: this.#metrics,
      audit: this.#audit,
      locks: this.#locks,
      whenReady: (server) => this.#roster.whenReady(server),
    });
    this.#modules = new ModuleHost({
      clock: SYSTEM_CLOCK,
      log,
      refresh: () => this.#placement.refresh(),
      confirm: (call, next) => confirmation.confirm(call, next),
      current: ({ kind, ref, canonical }) => this.#placement.entry(kind, ref.server, canonical),
    });
    this.#modules.apply(config, this.#placedModules(config));
    this.hub = new Hub(this.#shown());
    this.#placement = new Placement({
      hub: this.hub,
      behind: this.#behind(),
      viewOf: (server) => this.#labels.viewOf(server),
      displayName: (server) => this.#labels.displayName(server),
      watch: (server, source) => this.#modules.watch(server, source),
    });
    this.#roster = new Roster({
      place: this.#placement,
      self,
      log,
      chain,
      drainMs,
      answer: (question: Question) => this.answerLoose?.(question),
      credentials: (server: RemoteServer) => this.#signIns.credentials(server),
    });
    this.#views = new ClientViews({
      hub: this.hub,
      settings: config.settings,
      sight: (principal) => this.#modules.sight(principal),
      ...(options.profile === undefined ? {} : { fixed: options.profile }),
    });
  }

  get config(): GatewayConfig {
    return this.#config;
  }

  /** The names of the modules in the path of calls, in order. */
  get modules(): readonly string[] {
    return this.#modules.names;
  }

  /** How calls are recorded; `undefined` if they are not. */
  get audit(): AuditStatus | undefined {
    return this.#audit.status();
  }

  /** Tools that changed, or that deceive. */
  get suspicions(): readonly ToolNote[] {
    return this.#locks.notes();
  }

  /** Pages of the HTTP listener besides MCP itself. */
  pageAt(path: string): ReturnType<NonNullable<HttpListenerOptions['pageAt']>> {
    return this.auth.pageAt(path) ?? this.#modules.pageAt(path);
  }

  /** Starts every server, and returns at once. Throws, with a sentence for people, if a module cannot start. */
  start(): void {
    this.#modules.open();
    this.#signIns.onChange(() => this.#roster.tryAgain());
    this.#roster.apply(this.#config);
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, this.#config.settings.listWaitMs).unref();
    });
    this.#begin?.(Promise.race([patience, this.settled()]));
    this.#begin = undefined;
    if (this.#options.readOnly) void this.settled().then(() => this.#sayWithheld());
  }

  /** Resolves when every server has started or failed. */
  settled(): Promise<void> {
    return this.#roster.settled();
  }

  /** What listeners need to serve us. */
  surface(): Surface {
    return createSurface(this.hub, {
      self: this.#options.self,
      viewFor: (client, principal) => this.viewFor(client, principal),
      whenListed: () => this.#listed,
      isSettled: () => this.#begin === undefined && this.#roster.isSettled(),
      whenSettled: () => this.#listed.then(() => this.settled()),
      onUnknown: (call) => this.#modules.unknown(call),
    });
  }

  /** The view that suits a client. */
  viewFor(client: AnnouncedClient | undefined, principal?: Principal): View {
    return this.#views.forClient(client, principal);
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  viewOf(profile: string, principal?: Principal): View | undefined {
    return this.#views.ofProfile(profile, principal);
  }

  /**
   * Goes on with another configuration. Only servers that changed are touched, each when its successor
   * can take over; names and labels change at once. Resolves when removed servers are gone.
   */
  apply(config: GatewayConfig): Promise<void> {
    const before = this.#config;
    const modules = this.#placedModules(config);
    this.#config = config;
    this.#labels = createLabels(config);
    this.auth.apply(config);
    this.#modules.apply(config, modules);
    this.#views.reconfigure(config.settings);
    this.#roster.apply(config);
    if (!sameLabels(before, config)) this.#placement.refresh();
    return this.#roster.departed();
  }

  /** The configuration was read again, with or without success. */
  reloaded(isGood: boolean): void {
    this.#metrics.reloaded(isGood);
  }

  status(): ServerStatus[] {
    return this.#roster.status();
  }

  /** Ends every server. Resolves when all their processes are gone and all records are written. */
  async stop(): Promise<void> {
    await this.#roster.stop();
    await Promise.all([this.auth.close(), this.#signIns.close(), this.#modules.close()]);
  }

  /** A client that misses tools is told why. */
  #sayWithheld(): void {
    const sentence = this.#readOnlyTally.sentence();
    if (sentence !== undefined) this.#options.log('warning', sentence);
  }

  #placedModules({ modules = [] }: GatewayConfig): readonly PlacedModule[] {
    return withUserModules(this.#builtIn, [...(this.#options.modules ?? []), ...modules]);
  }

  /** The hub behind a view of a server, or the tools of a server without one. */
  #behind(): HubOptions {
    return {
      interceptors: () => this.#modules.path,
      admits: (kind, ref) => this.#labels.admits(kind, ref),
      withholds: (target) => {
        this.#warnOfLabel(target);
        this.#readOnlyTally.look(target);
        return !this.#modules.admits(target);
      },
      label: (ref, item) => this.#labels.label(ref, item),
      displayName: (server) => this.#labels.displayName(server),
    };
  }

  /** What clients see. The tools of a view are ours; what they call is governed behind them. */
  #shown(): HubOptions {
    const own = this.#behind();
    const isViewed = (server: string): boolean => this.#placement.isViewed(server);
    return {
      ...own,
      interceptors: ({ server }) => (isViewed(server) ? [] : this.#modules.path),
      admits: (kind, ref) => isViewed(ref.server) || own.admits!(kind, ref),
      withholds: (target) => !isViewed(target.ref.server) && own.withholds!(target),
      label: (ref, item) => (isViewed(ref.server) ? { trust: 'full' } : own.label!(ref, item)),
    };
  }
}

/** Whether every name and label is what it was, so that lists need not be made again. */
function sameLabels(a: GatewayConfig, b: GatewayConfig): boolean {
  return isDeepStrictEqual(labelsIn(a), labelsIn(b));
}

function labelsIn({ settings, servers, modules }: GatewayConfig): readonly unknown[] {
  return [settings, modules, new Map(servers.map((server) => [server.key, server.settings]))];
}
