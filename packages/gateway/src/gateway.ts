/** The product's wiring: configured servers in a hub, views of it for clients, and the life of both. */

import { isDeepStrictEqual } from 'node:util';

import { Hub, type Interceptor, type Principal } from '@callsign/core';
import type { Question, Reply, View } from '@callsign/core';
import type { ProfileId } from '@callsign/naming';
import type { Implementation, SurfaceOptions } from '@callsign/wire';

import { ClientViews } from './client-views.js';
import type { GatewayConfig } from './config/gateway-config.js';
import { createChain } from './chain.js';
import { SYSTEM_CLOCK } from './system-clock.js';
import { Governance } from './governance.js';
import { createLabels, type Labels } from './labels.js';
import type { Log } from './log.js';
import type { Approvals } from './policy/approvals.js';
import { Roster, type ServerStatus } from './roster.js';

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
  readonly #options: GatewayOptions;
  readonly #roster: Roster;
  readonly #views: ClientViews;
  #config: GatewayConfig;
  #labels: Labels;
  readonly #chainFor: ReturnType<typeof createChain>;
  readonly #governance: Governance;
  #interceptors: readonly Interceptor[];
  #listed: Promise<void> = Promise.resolve();
  /** Puts a question of a server that belongs to no call; set by whoever knows the clients. */
  answerLoose: ((question: Question) => Promise<Reply> | undefined) | undefined;

  constructor(config: GatewayConfig, options: GatewayOptions) {
    const { self, log, chain = {}, drainMs = DRAIN_MS } = options;
    this.#config = config;
    this.#options = options;
    this.#labels = createLabels(config);
    this.#chainFor = createChain({
      config: () => this.#config,
      whenReady: (server) => this.#roster.whenReady(server),
      clock: SYSTEM_CLOCK,
    });
    this.#governance = new Governance({ clock: SYSTEM_CLOCK, readOnly: options.readOnly === true });
    this.#governance.apply(config);
    this.#interceptors = this.#chainFor(this.#governance.governors);
    const interceptors = (): readonly Interceptor[] => this.#interceptors;
    this.hub = new Hub({
      get interceptors() {
        return interceptors();
      },
      admits: (kind, ref) => this.#labels.admits(kind, ref),
      withholds: (target) => this.#governance.withholds(target),
      label: (ref) => this.#labels.label(ref),
      displayName: (server) => this.#labels.displayName(server),
    });
    const answer = (question: Question) => this.answerLoose?.(question);
    this.#roster = new Roster({ hub: this.hub, self, log, chain, drainMs, answer });
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

  /** Starts every server at once, and returns at once. */
  start(): void {
    this.#roster.apply(this.#config);
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, this.#config.settings.listWaitMs).unref();
    });
    this.#listed = Promise.race([patience, this.settled()]);
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
      isSettled: () => this.#roster.isSettled(),
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
    this.#interceptors = this.#chainFor(this.#governance.governors);
    this.#views.reconfigure(config.settings);
    this.#roster.apply(config);
    if (!sameLabels(before, config)) this.hub.refresh();
    return this.#roster.departed();
  }

  status(): ServerStatus[] {
    return this.#roster.status();
  }

  /** Ends every server. Resolves when all their processes are gone. */
  stop(): Promise<void> {
    return this.#roster.stop();
  }
}

/** Whether every name and label is what it was, so that lists need not be made anew. */
function sameLabels(a: GatewayConfig, b: GatewayConfig): boolean {
  return isDeepStrictEqual(labelsIn(a), labelsIn(b));
}

function labelsIn({ settings, servers }: GatewayConfig): readonly unknown[] {
  return [settings, new Map(servers.map((server) => [server.key, server.settings]))];
}
