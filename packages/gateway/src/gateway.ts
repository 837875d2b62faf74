/** The product's wiring: configured servers in a hub, views of it for clients, and the life of both. */

import { isDeepStrictEqual } from 'node:util';

import { Hub, type HubOptions, type Interceptor, type Principal } from '@callsign/core';
import type { Question, Reply, View } from '@callsign/core';
import type { ProfileId } from '@callsign/naming';
import type { HttpDoorOptions, Implementation, SurfaceOptions } from '@callsign/wire';

import { Access } from './access.js';
import type { AuditStatus } from './audit/audit.js';
import { createChain } from './chain.js';
import { ClientViews } from './client-views.js';
import type { GatewayConfig } from './config/gateway-config.js';
import type { RemoteServer } from './config/server-config.js';
import { Governance } from './governance.js';
import { createLabels, type Labels } from './labels.js';
import type { Log } from './log.js';
import { Observation } from './observation.js';
import { Placement } from './placement.js';
import type { Approvals } from './policy/approvals.js';
import { Roster, type ServerStatus } from './roster.js';
import { SYSTEM_CLOCK } from './system-clock.js';
import type { ServerFigures } from './telemetry/metrics.js';
import { Admission, type AdmissionNote, type AdmissionRules } from './trust/admission.js';
import { lockFileOf } from './trust/lock-file-path.js';

export interface GatewayOptions {
  readonly self: Implementation;
  readonly log: Log;
  /** Environment for children that tells them in which gateways they stand. */
  readonly chain?: Readonly<Record<string, string>>;
  /** The profile to use whatever clients announce, over the configured one. */
  readonly profile?: ProfileId | 'auto';
  /** Offers only tools that change nothing, by the operator's word or that of a trusted server. */
  readonly readOnly?: boolean;
  /** How long a server that a reload removes may take to finish its calls. */
  readonly drainMs?: number;
}

const DRAIN_MS = 10_000;

export class Gateway {
  readonly hub: Hub;
  /** Who comes in, and what we show where we go. */
  readonly access: Access;
  readonly #options: GatewayOptions;
  readonly #governance: Governance;
  readonly #admission: Admission;
  readonly #observation: Observation;
  readonly #placement: Placement;
  readonly #roster: Roster;
  readonly #views: ClientViews;
  readonly #chainFor: ReturnType<typeof createChain>;
  #config: GatewayConfig;
  #labels: Labels;
  #interceptors: readonly Interceptor[];
  /** Whoever asks before the start waits for it. */
  #begin: ((listed: Promise<void>) => void) | undefined;
  readonly #listed: Promise<void> = new Promise((resolve) => {
    this.#begin = resolve;
  });
  /** Puts a question of a server that belongs to no call; set by whoever knows the clients. */
  answerLoose: ((question: Question) => Promise<Reply> | undefined) | undefined;

  /** Reads and writes nothing before it is started. */
  constructor(config: GatewayConfig, options: GatewayOptions) {
    const { self, log, chain = {}, drainMs = DRAIN_MS } = options;
    this.#config = config;
    this.#options = options;
    this.#labels = createLabels(config);
    this.access = new Access(config, log);
    this.#admission = new Admission(log);
    this.#governance = new Governance({
      clock: SYSTEM_CLOCK,
      log,
      readOnly: options.readOnly === true,
    });
    this.#governance.apply(config);
    this.#observation = new Observation({
      log,
      version: self.version,
      settings: config.settings.metrics,
      servers: () => this.#figures(),
      audit: () => this.#governance.audit,
      onReady: () => this.#rechain(),
    });
    this.#chainFor = createChain({
      config: () => this.#config,
      whenReady: (server) => this.#roster.whenReady(server),
      clock: SYSTEM_CLOCK,
    });
    this.#interceptors = this.#chain();
    this.hub = new Hub(this.#shown());
    this.#placement = new Placement({
      hub: this.hub,
      behind: this.#behind(),
      viewOf: (server) => this.#labels.viewOf(server),
      displayName: (server) => this.#labels.displayName(server),
      watch: (server, source) => this.#admission.watch(server, source),
    });
    this.#admission.subscribe(() => this.#placement.refresh());
    const answer = (question: Question) => this.answerLoose?.(question);
    const credentials = (server: RemoteServer) => this.access.credentials(server);
    const place = this.#placement;
    this.#roster = new Roster({ place, self, log, chain, drainMs, answer, credentials });
    this.#views = new ClientViews({
      hub: this.hub,
      settings: config.settings,
      sight: (principal) => this.#governance.sight(principal),
      ...(options.profile === undefined ? {} : { fixed: options.profile }),
    });
  }

  /** Calls that wait for a word of the operator. */
  get approvals(): Approvals {
    return this.#governance.approvals;
  }

  get config(): GatewayConfig {
    return this.#config;
  }

  /** How calls are recorded; `undefined` if they are not. */
  get audit(): AuditStatus | undefined {
    return this.#governance.audit;
  }

  /** What there is to say of tools that changed, or that deceive. */
  get suspicions(): readonly AdmissionNote[] {
    return this.#admission.report();
  }

  /** Pages of the HTTP endpoint besides MCP itself. */
  pageAt(path: string): ReturnType<NonNullable<HttpDoorOptions['pageAt']>> {
    return this.access.door.pageAt(path) ?? this.#observation.pageAt(path);
  }

  /**
   * Starts every server at once, and returns at once. Throws, with a sentence for people, if what is
   * needed to govern calls cannot be read.
   */
  start(): void {
    this.#admission.apply(admissionRules(this.#config));
    this.#governance.open();
    this.#observation.open();
    this.#interceptors = this.#chain();
    this.access.onSignIn(() => this.#roster.tryAgain());
    this.#roster.apply(this.#config);
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, this.#config.settings.listWaitMs).unref();
    });
    this.#begin?.(Promise.race([patience, this.settled()]));
    this.#begin = undefined;
  }

  /** Resolves when every server has come up or failed. */
  settled(): Promise<void> {
    return this.#roster.settled();
  }

  /** What the front doors need to serve us. */
  surface(): SurfaceOptions {
    return {
      hub: this.hub,
      self: this.#options.self,
      viewFor: (client, principal) => this.#views.forClient(client, principal),
      whenListed: () => this.#listed,
      onUnknown: (call) => {
        this.#observation.metrics.unknown();
        this.#governance.unknown(call);
      },
      isSettled: () => this.#begin === undefined && this.#roster.isSettled(),
    };
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  viewOf(profile: string, principal?: Principal): View | undefined {
    return this.#views.ofProfile(profile, principal);
  }

  /**
   * Goes on with another configuration. Only servers that changed are touched, each when its successor
   * can take over; names and labels change at once. Resolves when those that were removed are gone.
   */
  apply(config: GatewayConfig): Promise<void> {
    const before = this.#config;
    this.#config = config;
    this.#labels = createLabels(config);
    this.#governance.apply(config);
    this.access.apply(config);
    this.#admit(config);
    this.#interceptors = this.#chain();
    this.#views.reconfigure(config.settings);
    this.#roster.apply(config);
    if (!sameLabels(before, config)) this.#placement.refresh();
    return this.#roster.departed();
  }

  /** The configuration was read anew, with or without success. */
  reloaded(isGood: boolean): void {
    this.#observation.metrics.reloaded(isGood);
  }

  status(): ServerStatus[] {
    return this.#roster.status();
  }

  /** Ends every server. Resolves when all their processes are gone, and all that was done is recorded. */
  async stop(): Promise<void> {
    this.#admission.close();
    await this.#roster.stop();
    await Promise.all([this.access.close(), this.#governance.close(), this.#observation.close()]);
  }

  /** What stands behind a view, or would if there were one. */
  #behind(): HubOptions {
    return {
      interceptors: () => this.#interceptors,
      admits: (kind, ref) =>
        this.#labels.admits(kind, ref) && this.#admission.admits(kind, ref) === true,
      withholds: (target) => this.#governance.withholds(target),
      label: (ref) => this.#labels.label(ref),
      displayName: (server) => this.#labels.displayName(server),
    };
  }

  /** What clients see. The tools of a view are ours, and what they call is governed behind them. */
  #shown(): HubOptions {
    const own = this.#behind();
    const isViewed = (server: string): boolean => this.#placement.isViewed(server);
    return {
      ...own,
      interceptors: ({ server }) => (isViewed(server) ? [] : this.#interceptors),
      admits: (kind, ref) => isViewed(ref.server) || own.admits!(kind, ref),
      withholds: (target) => !isViewed(target.ref.server) && own.withholds!(target),
      label: (ref) => (isViewed(ref.server) ? { trust: 'full' } : own.label!(ref)),
    };
  }

  #chain(): readonly Interceptor[] {
    const { trace, metrics } = this.#observation;
    const { observers = [], ...governors } = this.#governance.governors;
    return this.#chainFor({ trace, ...governors, observers: [metrics, ...observers] });
  }

  #rechain(): void {
    this.#interceptors = this.#chain();
    this.#placement.refresh();
  }

  #admit(config: GatewayConfig): void {
    try {
      this.#admission.apply(admissionRules(config));
    } catch (error) {
      this.#options.log('error', `${(error as Error).message} What was accepted before holds on.`);
    }
  }

  #figures(): ServerFigures[] {
    return this.status().map(({ key, state, restarts }) => ({ key, state: state.is, restarts }));
  }
}

function admissionRules({ file, servers, settings }: GatewayConfig): AdmissionRules {
  const { trust, quarantine } = settings;
  return {
    trust,
    quarantine,
    servers: servers.map(({ key, settings: own }) => ({ key, trust: own.trust })),
    lockFile: lockFileOf(file),
  };
}

/** Whether every name and label is what it was, so that lists need not be made anew. */
function sameLabels(a: GatewayConfig, b: GatewayConfig): boolean {
  return isDeepStrictEqual(labelsIn(a), labelsIn(b));
}

function labelsIn({ settings, servers }: GatewayConfig): readonly unknown[] {
  return [settings, new Map(servers.map((server) => [server.key, server.settings]))];
}
