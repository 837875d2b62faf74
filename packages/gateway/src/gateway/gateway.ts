/** The product's wiring: configured servers in a hub, modules around calls, views of the hub for clients. */

import type { AuditModules } from '@callsign/audit';
import { stateFolder } from '@callsign/config';
import { Hub, type Principal, type Question, type Reply, type View } from '@callsign/core';
import type { Approvals, ToolNote } from '@callsign/governance';
import type { AnnouncedClient } from '@callsign/naming';
import {
  type ConnectionStatus,
  createSurface,
  type HttpListenerOptions,
  type Surface,
} from '@callsign/wire';
import type { Tasks } from '@callsign/wire/extensions';

import { CallerAuth } from '../auth/caller-auth.js';
import { ServerSignIns } from '../auth/server-sign-ins.js';
import { ClientViews } from '../clients/client-views.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import type { RemoteServer } from '../config/server-config.js';
import { callerCheck } from '../instance/caller-check.js';
import { keptTasks } from '../servers/kept-tasks.js';
import { createLabelWarnings, type LabelWarnings } from '../servers/label-warnings.js';
import { createLabels, sameLabels, type Labels } from '../servers/labels.js';
import { OfferMemory, writeOnly } from '../servers/offer-memory.js';
import { Placement } from '../servers/placement.js';
import { ReadOnlyTally } from '../servers/read-only-tally.js';
import { Roster } from '../servers/roster.js';
import { createSearchedServers, type SearchedServers } from '../servers/searched-servers.js';
import { allServers, type ServerStatus } from '../servers/server-status.js';
import { SharedParts } from '../storage/shared-parts.js';
import type { CallTotals } from '../telemetry/metrics/metrics.js';
import { FirstLists } from './first-lists.js';
import { GatewayModules } from './gateway-modules.js';
import type { GatewayOptions } from './gateway-options.js';
import { behindOptions, shownOptions } from './hub-options.js';

/**
 * One gateway with its servers. It runs from `start` to `stop`. `apply` gives it a changed
 * configuration.
 */
export class Gateway {
  readonly hub: Hub;
  /** Authentication of callers. */
  readonly auth: CallerAuth;
  /** Calls that wait for the operator. */
  readonly approvals: Approvals;
  /** What is shared with other instances. */
  readonly shared: SharedParts;
  readonly #options: GatewayOptions;
  readonly #modules: GatewayModules;
  readonly #placement: Placement;
  readonly #signIns: ServerSignIns;
  readonly #memory: OfferMemory;
  readonly #roster: Roster;
  readonly #views: ClientViews;
  /** Created when a client searches all servers. */
  #searched: SearchedServers | undefined;
  #config: GatewayConfig;
  #labels: Labels;
  readonly #labelWarnings: LabelWarnings;
  readonly #readOnlyTally = new ReadOnlyTally();
  readonly #firstLists: FirstLists;
  readonly tasks: Tasks;
  /** The connections of the HTTP listener. Set by it. */
  connections: (() => ConnectionStatus) | undefined;
  /** The capabilities of the only client, as JSON text. Set by a listener that serves one client. */
  onlyClient: (() => string | undefined) | undefined;
  /** Answers a server's question that belongs to no call. Set by the listener. */
  answerLoose: ((question: Question, server: string) => Promise<Reply> | undefined) | undefined;

  /** Reads and writes nothing before it is started. Throws if a module cannot be created. */
  constructor(config: GatewayConfig, options: GatewayOptions) {
    const { self, log, chain = {}, drainMs = 10_000 } = options;
    [this.#config, this.#options] = [config, options];
    this.shared = new SharedParts(options.storage, log, options.kept);
    this.approvals = this.shared.approvals;
    const warn = options.isBrief ? () => undefined : log;
    [this.#labels, this.#labelWarnings] = [createLabels(config), createLabelWarnings(warn)];
    this.auth = new CallerAuth(config, log, this.shared.kept.apiKeys);
    this.#signIns = new ServerSignIns(() => this.#config.settings.network, log, this.shared.kept);
    this.#modules = new GatewayModules({
      options,
      config: () => this.#config,
      auth: this.auth,
      shared: this.shared,
      servers: () =>
        this.status().map(({ key, state, restarts }) => ({ key, state: state.is, restarts })),
      http: () => this.connections?.(),
      whenReady: (server) => this.#roster.whenReady(server),
      refresh: () => this.#placement.refresh(),
      current: ({ kind, ref, canonical }) => this.#placement.entry(kind, ref.server, canonical),
    });
    const modules = this.#modules.host;
    this.tasks = keptTasks({ config: () => this.#config, modules, shared: this.shared.tasks });
    const isViewed = (server: string): boolean => this.#placement.isViewed(server);
    const behind = behindOptions({
      labels: () => this.#labels,
      modules,
      look: (target) => {
        this.#labelWarnings.look(target);
        this.#readOnlyTally.look(target);
      },
    });
    this.hub = new Hub(shownOptions(behind, isViewed));
    this.#placement = new Placement({
      hub: this.hub,
      behind,
      viewOf: (server) => this.#labels.viewOf(server),
      displayName: (server) => this.#labels.displayName(server),
      onHidden: (call) => modules.unknown(call),
      watch: (server, source) => modules.watch(server, source),
    });
    const isOn = (): boolean => this.#config.settings.remember;
    const memory = new OfferMemory({ folder: stateFolder(), log, isOn });
    this.#memory = memory;
    this.#roster = new Roster({
      place: this.#placement,
      self,
      log,
      chain,
      drainMs,
      isBrief: options.isBrief === true,
      answer: (question, server) => this.answerLoose?.(question, server),
      clientCapabilities: () => this.onlyClient?.(),
      instances: options.instance?.servers(callerCheck(this.auth, modules, this.#placement)),
      credentials: (server: RemoteServer) => this.#signIns.credentials(server),
      holder: (server) => this.#signIns.holder(server),
      memory: options.isFresh ? writeOnly(memory) : memory,
      isListed: ({ target: to }) =>
        !to || this.#placement.entry(to.kind, to.ref.server, to.canonical) !== undefined,
    });
    this.#views = new ClientViews({
      hub: this.hub,
      searched: () => (this.#searched ??= this.#createSearched()),
      settings: config.settings,
      modules,
      ...(options.profile === undefined ? {} : { fixed: options.profile }),
    });
    this.#firstLists = new FirstLists({
      judged: () => modules.settled(),
      roster: this.#roster,
      settings: () => this.#config.settings,
      listsOnce: (client) => this.#views.listsOnce(client),
    });
  }

  get config(): GatewayConfig {
    return this.#config;
  }

  /** This gateway among many instances; `undefined` if it is the only one. */
  get instance(): GatewayOptions['instance'] {
    return this.#options.instance;
  }

  /** Why no new work should come yet; `undefined` if it may. If a server starts again later, its calls wait. */
  notReady(): string | undefined {
    return this.#firstLists.whenStarted() ? 'servers are starting' : this.instance?.notReady();
  }

  /** The records of calls. */
  get audit(): AuditModules {
    return this.#modules.audit;
  }

  /** The names of the modules in the path of calls, in order. */
  get modules(): readonly string[] {
    return this.#modules.host.names;
  }

  /** Notes about tools that changed or that deceive. */
  get suspicions(): readonly ToolNote[] {
    return this.#modules.locks.notes();
  }

  /** Pages of the HTTP listener besides MCP itself. */
  pageAt(path: string): ReturnType<NonNullable<HttpListenerOptions['pageAt']>> {
    return this.auth.pageAt(path) ?? this.#modules.host.pageAt(path);
  }

  /** Starts every server. If eager, servers with remembered lists start at once too. Throws if a module fails. */
  start(isEager = false): void {
    this.#modules.host.open();
    this.#signIns.onChange(() => this.#roster.tryAgain());
    this.#roster.apply(this.#config);
    this.#firstLists.begin(isEager);
    if (this.#options.readOnly)
      void this.settled().then(() => this.#readOnlyTally.say(this.#options.log));
  }

  /** Resolves when every server has started or failed, and its items have been judged. */
  async settled(): Promise<void> {
    await this.#roster.settled();
    await this.#modules.host.settled();
  }

  /** The state that listeners need to serve this gateway. */
  surface(): Surface {
    return createSurface(this.hub, {
      self: this.#options.self,
      viewFor: (client, principal) => this.viewFor(client, principal),
      ...this.#firstLists.forClients,
      onUnknown: (call) => this.#modules.host.unknown(call),
      tasks: this.tasks,
      homes: this.#options.instance?.homes,
    });
  }

  /** The view for a client. */
  viewFor(client: AnnouncedClient | undefined, principal?: Principal): View {
    return this.#views.forClient(client, principal);
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  viewOf(profile: string, principal?: Principal): View | undefined {
    return this.#views.ofProfile(profile, principal);
  }

  /** Applies another configuration to what has changed. Resolves when removed servers have ended. */
  apply(config: GatewayConfig): Promise<void> {
    const before = this.#config;
    const modules = this.#modules.placedFor(config);
    this.#config = config;
    this.#labels = createLabels(config);
    this.auth.apply(config);
    this.#modules.host.apply(config, modules);
    this.#views.reconfigure(config.settings);
    this.#roster.apply(config);
    this.shared.joined?.applied(config);
    if (!sameLabels(before, config)) this.#placement.refresh();
    return this.#roster.departed();
  }

  /** The configuration was reloaded, successfully or not. */
  reloaded(isGood: boolean): void {
    this.#modules.metrics.reloaded(isGood);
  }

  /** The servers, and those whose entries have problems. */
  status(): ServerStatus[] {
    return allServers(this.#config, this.#roster.status());
  }

  /** The running servers: what they offer before settings and views, what they printed, since when. */
  get servers(): Pick<Roster, 'logOf' | 'offered' | 'restart' | 'since'> {
    return this.#roster;
  }

  callTotals(): CallTotals {
    return this.#modules.metrics.totals();
  }

  /** Refuses the calls that wait for a person: the gateway is about to stop. */
  endWaits(): void {
    this.#modules.confirmation.end();
  }

  /** Leaves servers that run on one instance to another one, if there is one. */
  async handOver(limitMs: number): Promise<void> {
    if (this.instance?.hasSuccessor()) await this.#roster.handOver(limitMs);
  }

  /** Ends every server. Resolves when all processes have ended and all records are written. */
  async stop(): Promise<void> {
    this.#labelWarnings.close();
    this.#memory.flush();
    this.endWaits();
    await this.#roster.stop();
    this.shared.close();
    await Promise.all([this.auth.close(), this.#signIns.close(), this.#modules.host.close()]);
  }

  #createSearched(): SearchedServers {
    const displayName = (server: string): string | undefined => this.#labels.displayName(server);
    const [hub, placement, starting] = [this.hub, this.#placement, this.#firstLists.forClients];
    return createSearchedServers({ hub, placement, displayName, starting });
  }
}
