/** The product's wiring: configured servers in a hub, modules around calls, views of the hub for clients. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { AuditModules, StoredRecord } from '@callsign/audit';
import type { CallerAccess } from '@callsign/auth';
import { type Environment, homeIn, stateFolder } from '@callsign/config';
import {
  type Caller,
  type ClientConnection,
  type Hub,
  type Principal,
  type Question,
  type Reply,
  setsOf,
  type Sight,
  type View,
  type Log,
  type Target,
} from '@callsign/core';
import { type Risk, RISKS } from '@callsign/effects';
import {
  createSets,
  POLICY_SETTINGS,
  type Approvals,
  type Sets,
  type ToolNote,
} from '@callsign/governance';
import { canonicalName, OWN_SERVER_KEY, type AnnouncedClient } from '@callsign/naming';
import {
  type ConnectionStatus,
  createServedSource,
  type HttpListenerOptions,
  ResourceWatch,
  type PrincipalWaits,
  type ServedSource,
} from '@callsign/wire';
import type { Tasks } from '@callsign/wire/extensions';

import { Accounts } from '../auth/accounts.js';
import { CallerAuth } from '../auth/caller-auth.js';
import { operatorQueue } from '../auth/sign-in-approvals.js';
import { ServerSignIns } from '../auth/server-sign-ins.js';
import { ConnectedClients, type ClientsChange } from '../clients/connected-clients.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import type { RemoteServer } from '../config/server-config.js';
import { callerCheck } from '../instance/caller-check.js';
import { OwnTools } from '../own-tools/own-tools.js';
import { READ_RESULT, Results } from '../results/results.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { Scripts } from '../scripts/tools/scripts.js';
import { createTasks } from '../servers/create-tasks.js';
import { createLabelWarnings, type LabelWarnings } from '../servers/label-warnings.js';
import { ObservationStore } from '../sandbox/observation-store.js';
import { createLabels, sameLabels, type Labels } from '../servers/labels.js';
import { OfferMemory, writeOnly } from '../servers/offer-memory.js';
import { signInTarget } from '../servers/account-source.js';
import type { ListedServers } from '../servers/listed-servers.js';
import { ServerPool } from '../servers/server-pool.js';
import { createSearchedServers, type SearchedServers } from '../servers/searched-servers.js';
import { allServers, type ServerStatus } from '../servers/server-status.js';
import { openRecords } from '../storage/open-records.js';
import { stateStores } from '../storage/state-stores.js';
import { SharedParts } from '../storage/shared-parts.js';
import type { CallTotals } from '../telemetry/metrics/metrics.js';
import type { RecentCalls } from '../telemetry/metrics/recent-calls.js';
import { ClientHubs } from './client-hubs.js';
import { FirstLists } from './first-lists.js';
import { GatewayModules } from './gateway-modules.js';
import type { GatewayOptions } from './gateway-options.js';
import { serverHubOptions } from './hub-options.js';

/** More than a script can have, with its questions and all that it was refused. */
const SCRIPT_RECORDS = 10_000;

/** What differs between clients of different sets. */
type ServedPart = Pick<ServedSource, 'sets' | 'viewFor'>;

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
  /** The clients of this machine that share the gateway. Called by the listener when one connects or disconnects. */
  readonly clients: ConnectedClients;
  /** The tool sets of the configuration. */
  sets: Sets;
  readonly #options: GatewayOptions;
  readonly #modules: GatewayModules;
  readonly #signIns: ServerSignIns;
  readonly #accounts: Accounts;
  readonly #memory: OfferMemory;
  readonly #scripts: Scripts;
  readonly #ownTools: OwnTools;
  readonly #results: Results;
  readonly #pool: ServerPool;
  readonly #hubs: ClientHubs;
  /** The subscriptions of all clients. */
  readonly #watch = new ResourceWatch();
  #isStarted = false;
  #config: GatewayConfig;
  #labels: Labels;
  readonly #labelWarnings: LabelWarnings;
  readonly #readOnlyTally = new ReadOnlyTally();
  readonly #firstLists: FirstLists;
  readonly tasks: Tasks;
  /** The variables that it was created with. */
  readonly env: Environment;
  /** The connections of the HTTP listener. Set by it. */
  connections: (() => ConnectionStatus) | undefined;
  /** The capabilities of the only client, as JSON text. Set by a listener that serves one client. */
  onlyClient: (() => string | undefined) | undefined;
  /** Answers a server's question that belongs to no call. Set by the listener. */
  answerLoose: ((question: Question, server: string) => Promise<Reply> | undefined) | undefined;

  /** Reads and writes nothing before it is started. Throws if a module cannot be created. */
  constructor(config: GatewayConfig, options: GatewayOptions) {
    const { self, log, env = process.env, cwd, chain = {}, drainMs = 10_000 } = options;
    [this.#config, this.#options] = [config, options];
    this.sets = createSets(config.settings.sets);
    this.env = env;
    this.clients = new ConnectedClients(env);
    const home = homeIn(env);
    const folder = stateFolder(home);
    this.shared = new SharedParts(
      options.storage,
      log,
      options.stateStores ?? stateStores(options.storage, home),
    );
    this.approvals = this.shared.approvals;
    const warn = options.isBrief ? () => undefined : log;
    [this.#labels, this.#labelWarnings] = [
      createLabels(config, new ObservationStore(folder)),
      createLabelWarnings(warn),
    ];
    this.#accounts = new Accounts({
      config: () => this.#config,
      log,
      store: this.shared.stateStores.accounts,
      pageKey: this.shared.stateStores.callerSignIns.pageKey,
      mayUse: (principal, server) => this.#mayLink(principal, server),
    });
    this.auth = new CallerAuth(config, {
      log,
      env,
      shared: this.shared.stateStores.apiKeys,
      signIns: this.shared.stateStores.callerSignIns,
      access: (principal) => this.#accessOf(principal),
      accounts: this.#accounts,
      operators: operatorQueue(this.approvals),
      subjects: this.#accounts.subjects,
    });
    this.#signIns = new ServerSignIns(
      () => this.#config.settings.network,
      log,
      this.shared.stateStores,
    );
    this.#results = new Results({
      settings: () => this.#config.settings.results,
      folder: join(folder, 'results'),
      log,
      profileOf: (client) => this.#hubs.views.profileOf(client),
      mayRead: (caller) => this.#mayReadResults(caller),
      routing: options.instance?.routing,
    });
    this.#modules = new GatewayModules({
      options,
      results: this.#results.module,
      config: () => this.#config,
      auth: this.auth,
      shared: this.shared,
      servers: () =>
        this.status().map(({ key, state, restarts }) => ({ key, state: state.is, restarts })),
      http: () => this.connections?.(),
      whenReady: ({ ref, account }) => this.#pool.whenReady(ref.server, account),
      refresh: () => this.#hubs.refresh(),
      current: ({ kind, ref, canonical }, caller) =>
        this.#hubs.entry(kind, ref.server, canonical, caller),
    });
    const modules = this.#modules.host;
    this.tasks = createTasks({
      config: () => this.#config,
      modules,
      shared: this.shared.tasks,
      state: folder,
      results: this.#results,
    });
    const behind = serverHubOptions({
      labels: () => this.#labels,
      modules,
      look: (target) => {
        this.#labelWarnings.look(target);
        this.#readOnlyTally.look(target);
      },
    });
    this.#hubs = new ClientHubs({
      behind,
      viewOf: (server) => this.#labels.viewOf(server),
      displayName: (server) => this.#labels.displayName(server),
      onHidden: (call) => modules.unknown(call),
      isOutside: (caller, target) => this.#isOutside(caller, target),
      // The lock file and the quarantine judge what others wrote.
      watch: (server, source) =>
        server === OWN_SERVER_KEY ? () => undefined : modules.watch(server, source),
      mayPreview: (profile) => this.#results.tool.isOn(profile),
      ownSight: (profile, sight) => this.#ownTools.sightOf(profile, sight),
      settings: () => this.#config.settings,
      keys: () => this.keys,
      modules,
      fixed: options.profile,
      searched: (hub, listed) => this.#createSearched(hub, listed),
      ownSources: (connection) => this.#pool.ownSources(connection),
      accountSources: (person) => this.#pool.accountSources(person),
      hasAccounts: () => this.#accounts.isUsed(),
      releasePerson: (person) => this.#pool.releasePerson(person),
      judged: (server) => (server === OWN_SERVER_KEY ? undefined : this.#pool.judged(server)),
      onHub: (hub) => this.tasks.listen(hub),
    });
    const inScripts = (caller: Caller): Sight => {
      const sight = modules.sight(caller.principal);
      const sets = setsOf(caller);
      return (target) => sight?.(target) !== false && this.sets.without(sets, target) === undefined;
    };
    this.#scripts = new Scripts({
      settings: () => this.#config.settings.scripts,
      policy: () => this.#config.settings.policy ?? POLICY_SETTINGS.parse({}),
      approvals: this.approvals,
      clock: SYSTEM_CLOCK,
      tools: (caller) => this.#hubs.tools(caller).filter(inScripts(caller)),
      refuse: (tool, call) => this.#hubs.refuse(tool, call, inScripts(call.caller)),
      recorded: (script) => this.#recordsOf(script),
    });
    this.#ownTools = new OwnTools([
      this.#results.tool,
      ...this.#scripts.ownTools,
      ...(options.ownTools ?? []),
    ]);
    this.#hubs.set(OWN_SERVER_KEY, this.#ownTools);
    const { main, views } = this.#hubs;
    this.hub = main.hub;
    const isOn = (): boolean => this.#config.settings.remember;
    const memory = new OfferMemory({ folder, log, isOn });
    this.#memory = memory;
    this.#pool = new ServerPool({
      place: this.#hubs,
      self,
      log,
      env,
      cwd,
      chain,
      drainMs,
      isBrief: options.isBrief === true,
      watch: options.watch,
      answer: (question, server) => this.answerLoose?.(question, server),
      clientCapabilities: () => this.onlyClient?.(),
      instances: options.instance?.servers(callerCheck(this.auth, modules, main.listed)),
      credentials: (server: RemoteServer) => this.#signIns.credentials(server),
      holder: (server) => this.#signIns.holder(server),
      accounts: this.#accounts,
      memory: options.isFresh ? writeOnly(memory) : memory,
      isListed: (call) => this.#hubs.isListed(call),
      ...(options.isShared ? { clients: this.clients } : {}),
      isNeeded: (server) => this.#watch.hasServer(server) || this.tasks.isRunning(server),
      onPlaces: () => this.#hubs.placeAll(),
    });
    this.#firstLists = new FirstLists({
      judged: () => modules.settled(),
      pool: this.#pool,
      settings: () => this.#config.settings,
      listsOnce: (client) => views.listsOnce(client),
    });
    this.clients.onChange((change) => this.#onClients(change));
  }

  get config(): GatewayConfig {
    return this.#config;
  }

  /** The keys of all servers, including those whose entries have problems. */
  get keys(): readonly string[] {
    const { servers, unavailable = [] } = this.#config;
    return [...servers, ...unavailable].map(({ key }) => key);
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
    this.#signIns.onChange(() => this.#pool.tryAgain());
    this.#accounts.onChange(() => this.#pool.accountsChanged());
    this.#isStarted = true;
    this.#pool.apply(this.#config);
    this.#hubs.placeAll();
    this.#firstLists.begin(isEager);
    if (this.#options.readOnly)
      void this.settled().then(() => this.#readOnlyTally.say(this.#options.log));
  }

  /** Resolves when every server has started or failed, and its items have been judged. */
  async settled(): Promise<void> {
    await this.#pool.settled();
    await this.#modules.host.settled();
  }

  /** The state that listeners need to serve this gateway. */
  served(): ServedSource {
    return createServedSource(this.hub, {
      self: this.#options.self,
      ...this.#inSets(this.#fixedSets),
      watch: this.#watch,
      onSession: this.clients.noteSession,
      ...this.#firstLists.forClients,
      forPrincipal: (principal) => this.#waitsOf(principal),
      onUnknown: (call) => this.#modules.host.unknown(call),
      tasks: this.tasks,
      routing: this.#options.instance?.routing,
    });
  }

  /** The view for a client. */
  viewFor(client: AnnouncedClient | undefined, principal?: Principal): View {
    return this.#hubs.viewFor(client, principal);
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  viewOf(
    profile: string,
    principal?: Principal,
    connection?: ClientConnection,
    sets: Caller['sets'] = this.#fixedSets,
  ): View | undefined {
    return this.#hubs.viewsOf({ connection, principal }).ofProfile(profile, principal, sets);
  }

  /** What clients get that connect to a set; `undefined` if there is no such set. */
  servedSet(name: string): ServedPart | undefined {
    if (!this.sets.has(name)) return undefined;
    const fixed = this.#fixedSets ?? [];
    return this.#inSets(fixed.includes(name) ? fixed : [...fixed, name]);
  }

  /** Applies another configuration to what has changed. Resolves when removed servers have ended. */
  apply(config: GatewayConfig): Promise<void> {
    const before = this.#config;
    const modules = this.#modules.placedFor(config);
    this.#config = config;
    this.sets = createSets(config.settings.sets);
    this.#labels = createLabels(config, new ObservationStore(stateFolder(homeIn(this.env))));
    this.auth.apply(config);
    this.#modules.host.apply(config, modules);
    this.#hubs.reconfigure(config.settings);
    this.#ownTools.refresh();
    this.#pool.apply(config);
    this.#hubs.placeAll();
    this.shared.joined?.applied(config);
    if (!sameLabels(before, config)) this.#hubs.refresh();
    return this.#pool.departed();
  }

  /** The configuration was reloaded, successfully or not. */
  reloaded(isGood: boolean): void {
    this.#modules.metrics.reloaded(isGood);
  }

  /** The servers, and those whose entries have problems. */
  status(): ServerStatus[] {
    return allServers(this.#config, this.#pool.status());
  }

  /** The running servers: what they offer before settings and views, what they printed, since when. */
  get servers(): Pick<ServerPool, 'logOf' | 'offered' | 'restart' | 'since' | 'startFailed'> {
    return this.#pool;
  }

  callTotals(): CallTotals {
    return this.#modules.metrics.totals();
  }

  /** The calls of the last minutes. */
  get recentCalls(): RecentCalls {
    return this.#modules.metrics.recent;
  }

  /** Whether nothing would be lost if it stopped: no call is under way, no task runs, and no question waits. */
  isIdle(): boolean {
    const isQuiet = this.callTotals().inFlight === 0 && !this.#pool.isBusy;
    return isQuiet && !this.tasks.isRunning() && this.approvals.pending.length === 0;
  }

  /** Refuses the calls that wait for a person: the gateway is about to stop. */
  endWaits(): void {
    this.#scripts.close();
    this.#modules.confirmation.end();
  }

  /** Leaves servers that run on one instance to another one, if there is one. */
  async handOver(limitMs: number): Promise<void> {
    if (this.instance?.hasSuccessor()) await this.#pool.handOver(limitMs);
  }

  /** Ends every server. Resolves when all processes have ended and all records are written. */
  async stop(): Promise<void> {
    this.#labelWarnings.close();
    this.#memory.flush();
    this.endWaits();
    await this.#pool.stop();
    this.shared.close();
    this.#results.close();
    this.#accounts.close();
    await Promise.all([this.auth.close(), this.#signIns.close(), this.#modules.host.close()]);
  }

  /** `undefined`: calls are not recorded. */
  async #recordsOf(script: string): Promise<readonly StoredRecord[] | undefined> {
    if (this.#config.settings.audit.mode === 'off') return undefined;
    this.audit.flush();
    const place = { config: this.#config, shared: this.shared.records, env: this.env };
    const records = await openRecords(place);
    try {
      return await records.list({ script, limit: SCRIPT_RECORDS });
    } finally {
      await records.close();
    }
  }

  get #fixedSets(): readonly string[] | undefined {
    const { set } = this.#options;
    return set === undefined ? undefined : [set];
  }

  #inSets(sets: readonly string[] | undefined): ServedPart {
    return {
      ...(sets ? { sets } : {}),
      viewFor: (client, principal, connection) =>
        this.#hubs.viewFor(client, principal, connection, sets),
    };
  }

  /** Roles decide first, so that no caller learns of what they hide. */
  #isOutside(caller: Caller, target: Target): boolean {
    const names = setsOf(caller);
    if (!names.every((name) => this.sets.has(name))) return false;
    if (this.#modules.host.sight(caller.principal)?.(target) === false) return false;
    return this.sets.without(names, target) !== undefined;
  }

  /** How many tools of each label a caller can call. */
  async #accessOf(principal: Principal): Promise<CallerAccess> {
    // Soon after a start, servers may not have listed their tools yet.
    const { listWaitMs } = this.#config.settings;
    await Promise.race([this.settled(), sleep(listWaitMs, undefined, { ref: false })]);
    const sees = this.#modules.host.sight(principal);
    const { set } = principal;
    const counts = new Map<Risk, number>();
    for (const entry of this.#hubs.listed('tool', { principal })) {
      if (sees?.(entry) === false) continue;
      if (set !== undefined && !this.sets.contains(set, entry)) continue;
      counts.set(entry.risk, (counts.get(entry.risk) ?? 0) + 1);
    }
    return {
      tools: RISKS.map((risk) => ({ label: ACCESS[risk], count: counts.get(risk) ?? 0 })),
      roles: principal.roles.map((name) => this.#shownRole(name)),
    };
  }

  #shownRole(name: string): string {
    const { roles = {} } = this.#config.settings;
    const set = Object.hasOwn(roles, name) ? roles[name]!.set : undefined;
    return set === undefined ? name : `${name} (only the tool set ${set})`;
  }

  /** A client has connected or disconnected. */
  #onClients({ added, removed, isOther }: ClientsChange): void {
    if (removed) {
      this.#hubs.delete(removed);
      this.#pool.release(removed);
    }
    // The variables and the folder of the first client count for servers of all clients.
    if (isOther && this.#isStarted) this.#pool.apply(this.#config);
    if (added) this.#hubs.add(added);
    if (isOther) this.#hubs.placeAll();
  }

  /** What the lists of a person wait for: the person's own processes too. */
  #waitsOf(principal: Principal): PrincipalWaits | undefined {
    if (!this.#accounts.isUsed()) return undefined;
    const { name } = principal;
    const { forClients } = this.#firstLists;
    const open = (): void => void this.#hubs.viewsOf({ principal });
    const settled = (): Promise<void> => {
      open();
      return this.#pool.settledFor(name);
    };
    const listed = async (): Promise<void> => {
      const { listWaitMs } = this.#config.settings;
      await Promise.race([settled(), sleep(listWaitMs, undefined, { ref: false })]);
    };
    return {
      isSettled: () => {
        open();
        return forClients.isSettled() && this.#pool.isSettledFor(name);
      },
      // A server may offer more to an account that is linked later.
      isKnown: () => false,
      whenListed: (client) => forClients.whenListed(client).then(listed),
      whenSettled: () => forClients.whenSettled().then(settled),
    };
  }

  /** Whether a caller may use anything of a server, and so have an account there. */
  #mayLink(principal: Principal, server: string): boolean {
    const target = signInTarget(server, this.#labels.displayName(server));
    if (this.#modules.host.sight(principal)?.(target) === false) return false;
    const { set } = principal;
    return set === undefined || this.sets.contains(set, target);
  }

  #mayReadResults(caller: Caller): boolean {
    const { principal, connection } = caller;
    const name = canonicalName({ server: OWN_SERVER_KEY, tool: READ_RESULT });
    const entry = this.#hubs.entry('tool', OWN_SERVER_KEY, name, { principal, connection });
    if (!entry || this.sets.without(setsOf(caller), entry) !== undefined) return false;
    return this.#modules.host.sight(principal)?.(entry) !== false;
  }

  #createSearched(hub: Hub, listed: ListedServers): SearchedServers {
    const displayName = (server: string): string | undefined => this.#labels.displayName(server);
    return createSearchedServers({
      hub,
      listed,
      displayName,
      starting: this.#firstLists.forClients,
    });
  }
}

/** What a person reads about tools of each label, after their number. */
const ACCESS: Readonly<Record<Risk, string>> = {
  read: 'that only read',
  write: 'that change something (write)',
  destructive: 'that may destroy or send something (destructive)',
};

/**
 * Counts the tools that `--read-only` withholds. It only counts: the policy module withholds them.
 */
class ReadOnlyTally {
  readonly #tools = new Map<string, Target>();

  /** Called for each target when it is labelled. */
  look(target: Target): void {
    if (target.kind === 'tool') this.#tools.set(target.canonical, target);
  }

  /** Logs why tools are missing, if any are. */
  say(log: Log): void {
    const sentence = this.sentence();
    if (sentence !== undefined) log('warning', sentence);
  }

  /** How many tools are withheld and why, in one line; `undefined` if none is. */
  sentence(): string | undefined {
    const all = [...this.#tools.values()];
    const withheld = all.filter(({ risk }) => risk !== 'read');
    if (withheld.length === 0) return undefined;
    const ofRisk = (word: string): number => withheld.filter(({ risk }) => risk === word).length;
    const parts = [`${ofRisk('write')} write`, `${ofRisk('destructive')} destructive`];
    const unlabelled = withheld.filter(isUnlabelled).length;
    const doubt = unlabelled === 0 ? '' : ` (${unlabelled} of them unlabelled)`;
    const what = `--read-only withholds ${withheld.length} of ${all.length} tools, because they are not labelled read`;
    return `${what}: ${parts.join(', ')}${doubt}. Why: callsign tools --why`;
  }
}

/** Whether the risk is only the default: no claim, no word of the tool and no setting gave it. */
function isUnlabelled({ hints: { readOnlyHint, destructiveHint } }: Target): boolean {
  return readOnlyHint.evidence.by === 'default' && destructiveHint.evidence.by === 'default';
}
