/** The modules of a gateway: the built-in ones and the user's, and the host that runs them. */

import { auditModules, type AuditModules } from '@callsign/audit';
import { homeIn } from '@callsign/config';
import { Confirmation, lockModules, POLICY_SETTINGS, type LockModules } from '@callsign/governance';

import type { CallerAuth } from '../auth/caller-auth.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import {
  ModuleHost,
  type ModuleHostOptions,
  type ModuleWithSettings,
} from '../modules/module-host.js';
import { builtInModules, type BuiltInOptions } from '../modules/module-order.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { UserModules } from '../modules/user-modules.js';
import type { SharedParts } from '../storage/shared-parts.js';
import { createMetrics, type Metrics, type MetricsOptions } from '../telemetry/metrics/metrics.js';
import type { GatewayOptions } from './gateway-options.js';

/** The rest of the gateway, as far as modules need it. Functions are called when it exists. */
export interface GatewayModulesOptions
  extends
    Pick<Required<MetricsOptions>, 'servers' | 'http'>,
    Pick<BuiltInOptions, 'results' | 'whenReady'>,
    Pick<ModuleHostOptions, 'refresh' | 'current'> {
  readonly options: GatewayOptions;
  /** The configuration in use. */
  readonly config: () => GatewayConfig;
  readonly auth: CallerAuth;
  readonly shared: SharedParts;
}

/** For a call to one of our own tools, which have no server. */
const DEFAULT_LIMIT_MS = 60_000;

export class GatewayModules {
  readonly host: ModuleHost;
  /** The records of calls. */
  readonly audit: AuditModules;
  readonly locks: LockModules;
  readonly metrics: Metrics;
  /** The calls that wait for a person. */
  readonly confirmation: Confirmation;
  readonly #added: GatewayOptions['modules'];
  readonly #builtIn: readonly ModuleWithSettings[];
  readonly #users: UserModules;

  /** Creates the modules of the configuration. Throws if one cannot be created. */
  constructor({ options, config, auth, shared, ...gateway }: GatewayModulesOptions) {
    const {
      log,
      self,
      env = process.env,
      readOnly = false,
      stores = [],
      modules,
      storage,
    } = options;
    this.#added = modules;
    this.#users = new UserModules(({ ref }) => {
      const server = config().servers.find(({ key }) => key === ref.server);
      return server?.settings.callTimeoutMs ?? DEFAULT_LIMIT_MS;
    });
    this.audit = auditModules(
      () => [...shared.stores, ...stores.map((module) => ({ module })), ...(config().stores ?? [])],
      homeIn(env),
    );
    this.locks = lockModules((file) => shared.stateStores.lockAt(file));
    this.metrics = createMetrics({
      settings: config().settings.metrics,
      servers: gateway.servers,
      audit: () => this.audit.status(),
      http: gateway.http,
    });
    this.#builtIn = builtInModules({
      version: self.version,
      env,
      readOnly,
      metrics: this.metrics,
      audit: this.audit,
      locks: this.locks,
      access: auth.access,
      quotas: shared.quotas,
      store: shared.stores[0]?.module.name,
      whenReady: gateway.whenReady,
      results: gateway.results,
    });
    this.confirmation = new Confirmation({
      clock: SYSTEM_CLOCK,
      approvals: shared.approvals,
      answers: storage?.answers,
      settings: () => config().settings.policy ?? POLICY_SETTINGS.parse({}),
    });
    this.host = new ModuleHost({
      clock: SYSTEM_CLOCK,
      log,
      refresh: gateway.refresh,
      current: gateway.current,
      confirm: (call, next) => this.confirmation.confirm(call, next),
    });
    this.host.apply(config(), this.placedFor(config()));
  }

  /** The built-in modules and those of a configuration, in order. Throws if one cannot be placed. */
  placedFor({ modules = [] }: GatewayConfig): readonly ModuleWithSettings[] {
    return this.#users.placedAmong(this.#builtIn, [...(this.#added ?? []), ...modules]);
  }
}
