/**
 * The modules in order, the first one outermost. This is the only place that states the order. A
 * configuration may put its own modules before any of these.
 */

import type { Environment } from '@callsign/config';
import type { AuditModules, AuditSettings } from '@callsign/audit';
import type { Module, Target } from '@callsign/core';
import {
  adapterConfirmationModule,
  breakerModule,
  lockFileOf,
  type LockModules,
  policyModule,
  quotaModule,
  retryModule,
  rolesModule,
  type RolesSettings,
  setsModule,
  type SharedQuotas,
  sizeModule,
  timeoutModule,
} from '@callsign/governance';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ResultSettings } from '../config/result-settings.js';
import type { ServerSettings } from '../config/settings.js';
import { scriptsModule } from '../scripts/scripts-module.js';
import { attemptMetricsModule, metricsModule } from '../telemetry/metrics/metrics-module.js';
import type { Metrics } from '../telemetry/metrics/metrics.js';
import { traceModules } from '../telemetry/trace/trace-module.js';
import { place, type ModuleWithSettings } from './module-host.js';

/** What the built-in modules need that is not in the settings. */
export interface BuiltInOptions {
  readonly version: string;
  /** Says whether calls are traced. */
  readonly env: Environment;
  /** Denies everything but reads, regardless of rules. */
  readonly readOnly: boolean;
  readonly metrics: Metrics;
  readonly audit: AuditModules;
  readonly locks: LockModules;
  /** Whether the caller's credential still counts. */
  readonly access: Module;
  /** What happens to results before clients get them. */
  readonly results: Module<ResultSettings>;
  /** The store of calls that instances share. */
  readonly store?: string | undefined;
  /** What all instances may use together. */
  readonly quotas?: SharedQuotas | undefined;
  /** Resolves when a server can be called again, with false if it will not come back. */
  readonly whenReady: (target: Pick<Target, 'account' | 'ref'>) => Promise<boolean>;
}

/**
 * Audit comes before everything that refuses calls, so that refusals are recorded. Roles come before
 * sets, which name what they refuse, and before the policy. The intent is written after the last decision and before the call is sent. Retry comes after
 * all of them, so that attempts of one call count once for them. What is inside it sees each attempt.
 */
export function builtInModules(options: BuiltInOptions): readonly ModuleWithSettings[] {
  const { version, env, readOnly, metrics, audit, locks, whenReady, store } = options;
  // Shared storage takes the place of SQLite. A store of the user stays.
  const auditSettings = ({ settings }: GatewayConfig): AuditSettings =>
    store !== undefined && settings.audit.store === 'sqlite'
      ? { ...settings.audit, store }
      : settings.audit;
  const trace = traceModules(version, env);
  return [
    place(trace.calls, () => undefined),
    place(metricsModule(metrics), rolesIn),
    place(audit.audit, auditSettings),
    place(options.access, ({ settings }) => settings.auth),
    place(locks.lock, ({ settings, file }) => ({ mode: settings.lock, file: lockFileOf(file) })),
    place(locks.quarantine, (config) => ({
      mode: config.settings.quarantine,
      trust: byServer(config, ({ trust }) => trust),
    })),
    place(rolesModule, rolesIn),
    place(setsModule, ({ settings }) => settings.sets),
    place(scriptsModule, ({ settings }) => settings.scripts),
    place(policyModule({ readOnly }), ({ settings }) => settings.policy),
    place(quotaModule(options.quotas), (config) => ({
      common: config.settings.quota,
      ofServer: byServer(config, ({ quota }) => quota),
    })),
    place(breakerModule, ({ settings }) => settings.breaker),
    place(audit.intent, auditSettings),
    place(options.results, ({ settings }) => settings.results),
    place(sizeModule, ({ settings }) => settings.limits.maxResultBytes),
    place(timeoutModule, (config) => byServer(config, ({ callTimeoutMs }) => callTimeoutMs)),
    place(adapterConfirmationModule, () => undefined),
    place(retryModule(whenReady), ({ settings }) => settings.retry),
    place(trace.attempts, () => undefined),
    place(attemptMetricsModule(metrics), () => undefined),
  ];
}

function rolesIn({ settings: { roles, access, sets } }: GatewayConfig): RolesSettings {
  return roles ? { roles, access, sets } : { access };
}

/** One setting, by server. */
function byServer<T>(
  { servers }: GatewayConfig,
  pick: (settings: ServerSettings) => T | undefined,
): Record<string, T> {
  // Without a prototype: a server may be called "constructor".
  const picked = Object.create(null) as Record<string, T>;
  for (const { key, settings } of servers) {
    const value = pick(settings);
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}
