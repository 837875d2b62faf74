/** Metrics for Prometheus. Labels come from the configuration only: a server's text never becomes one. */

import type { AuditStatus } from '@callsign/audit';
import {
  type Interceptor,
  isFailure,
  type Observer,
  type Outcome,
  outcomeOfError,
  outcomeOfReply,
  type Target,
} from '@callsign/core';
import type { ConnectionStatus } from '@callsign/wire';
import type { Registry } from 'prom-client';

import { callMetrics } from './call-metrics.js';
import { type Metric, registerMetric } from './metric.js';
import type { MetricsSettings } from './metrics-settings.js';
import { RecentCalls } from './recent-calls.js';
import { Tally } from './tally.js';

/** Servers beyond this number are counted together. */
const MOST_SERVERS = 256;
const OTHER = 'other';
/** The method that calls an item. */
const METHODS: Readonly<Record<Target['kind'], string>> = {
  tool: 'tools/call',
  prompt: 'prompts/get',
  resource: 'resources/read',
  template: 'resources/read',
};
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface ServerMetrics {
  readonly key: string;
  /** `ready`, `starting` and so on. */
  readonly state: string;
  readonly restarts: number;
}

export interface MetricsOptions {
  readonly settings: MetricsSettings;
  /** The servers of the configuration at the time of the request. */
  readonly servers: () => readonly ServerMetrics[];
  /** Missing if calls are not recorded. */
  readonly audit?: () => AuditStatus | undefined;
  /** The connections of the HTTP listener, if there is one. */
  readonly http?: () => ConnectionStatus | undefined;
}

/** Calls since the start. */
export interface CallTotals {
  readonly ended: number;
  readonly inFlight: number;
}

/** Counts calls as an observer, and writes all metrics as text. */
export interface Metrics extends Observer {
  totals(): CallTotals;
  /** The calls of the last minutes. */
  readonly recent: RecentCalls;
  readonly contentType: string;
  text(): Promise<string>;
  /** Times the server, each time that a call is sent. */
  readonly attempt: Interceptor;
  /** A call to an unknown name. Such calls have no server. */
  unknown(): void;
  /** The configuration was reloaded, successfully or not. */
  reloaded(isGood: boolean): void;
}

interface Reloads {
  success: number;
  failure: number;
  last: 'success' | 'failure';
}

export function createMetrics({ settings, servers, audit, http }: MetricsOptions): Metrics {
  let registry: Promise<Registry> | undefined;
  const tallies = new Map<string, Tally>();
  const byTarget = new WeakMap<Target, Tally>();
  const labels = new Set<string>();
  const tools = new Set(settings.tools);
  const accounts = new Set(settings.accounts);
  const recent = new RecentCalls(() => performance.now(), Date.now);
  let unknownNames = 0;
  const reloads: Reloads = { success: 0, failure: 0, last: 'success' };
  const metrics = [
    ...callMetrics(() => [...tallies.values()]),
    unknownMetric(() => unknownNames),
    ...serverMetrics(servers),
    ...(audit ? auditMetrics(audit) : []),
    ...reloadMetrics(reloads),
    ...(http ? httpMetrics(http) : []),
  ];

  return {
    begin(call) {
      tallyOf(call.target!).inFlight++;
    },
    recent,
    end({ call, outcome, ms, waitedMs }) {
      tallyOf(call.target!).end(call.context.verdict, outcome, ms / 1000);
      recent.add(isFailure(outcome), ms - waitedMs);
    },
    attempt(call, next) {
      const start = performance.now();
      const end = (outcome: Outcome): void =>
        tallyOf(call.target!).attempted(outcome, (performance.now() - start) / 1000);
      const reply = next();
      reply.then(
        (answer) => end(outcomeOfReply(answer)),
        (error: unknown) => end(outcomeOfError(error)),
      );
      return reply;
    },
    totals: () => totalsOf([...tallies.values()]),
    contentType: CONTENT_TYPE,
    text: async () => (await (registry ??= registryOf(metrics))).metrics(),
    unknown: () => void unknownNames++,
    reloaded(isGood) {
      reloads.last = isGood ? 'success' : 'failure';
      reloads[reloads.last]++;
    },
  };

  function tallyOf(target: Target): Tally {
    return byTarget.get(target) ?? newTally(target);
  }

  function newTally(target: Target): Tally {
    const { canonical, ref, risk, kind, account } = target;
    const server = serverLabel(ref.server);
    const tool = tools.has(canonical) ? canonical : '';
    const method = METHODS[kind];
    const whose = account !== undefined && accounts.has(account) ? { account } : {};
    const tallyLabels = { server, risk, tool, ...whose };
    const key = JSON.stringify([tallyLabels, method]);
    let tally = tallies.get(key);
    if (!tally) tallies.set(key, (tally = new Tally(tallyLabels, method)));
    byTarget.set(target, tally);
    return tally;
  }

  function serverLabel(server: string): string {
    if (labels.has(server)) return server;
    const isKnown = servers().some(({ key }) => key === server);
    if (!isKnown || labels.size >= MOST_SERVERS) return OTHER;
    labels.add(server);
    return server;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function totalsOf(tallies: readonly Tally[]): CallTotals {
  return {
    ended: sum(tallies.flatMap((tally) => Array.from(tally.ended(), ({ calls }) => calls))),
    inFlight: sum(tallies.map(({ inFlight }) => inFlight)),
  };
}

/** Loads the library at the first request: most gateways never get one. */
async function registryOf(metrics: readonly Metric[]): Promise<Registry> {
  // A CommonJS package: it has no named exports in a bundle.
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  for (const metric of metrics) registerMetric(registry, metric);
  return registry;
}

function unknownMetric(count: () => number): Metric {
  return {
    name: 'callsign_unknown_names_total',
    help: 'Calls to unknown names.',
    type: 'counter',
    samples: () => [{ value: count() }],
  };
}

function serverMetrics(servers: () => readonly ServerMetrics[]): readonly Metric[] {
  const labelled = (): readonly ServerMetrics[] => servers().slice(0, MOST_SERVERS);
  return [
    {
      name: 'callsign_server_state',
      help: 'The state of each server.',
      type: 'gauge',
      samples: () =>
        labelled().map(({ key, state }) => ({ labels: { server: key, state }, value: 1 })),
    },
    {
      name: 'callsign_server_restarts_total',
      help: 'How often each server was restarted.',
      type: 'counter',
      samples: () =>
        labelled().map(({ key, restarts }) => ({ labels: { server: key }, value: restarts })),
    },
  ];
}

function auditMetrics(status: () => AuditStatus | undefined): readonly Metric[] {
  return [
    {
      name: 'callsign_audit_waiting',
      help: 'Records waiting to be written.',
      type: 'gauge',
      samples: () => [{ value: status()?.waiting ?? 0 }],
    },
    {
      name: 'callsign_audit_trouble',
      help: '1 while the journal cannot be written, else 0.',
      type: 'gauge',
      samples: () => [{ value: status()?.trouble === undefined ? 0 : 1 }],
    },
    {
      name: 'callsign_audit_lost_total',
      help: 'Records that were lost since the start.',
      type: 'counter',
      samples: () => [{ value: status()?.lost ?? 0 }],
    },
  ];
}

function reloadMetrics(reloads: Reloads): readonly Metric[] {
  return [
    {
      name: 'callsign_config_reloads_total',
      help: 'How often the configuration was reloaded.',
      type: 'counter',
      samples: () => [
        { labels: { result: 'success' }, value: reloads.success },
        { labels: { result: 'failure' }, value: reloads.failure },
      ],
    },
    {
      name: 'callsign_config_last_reload_successful',
      help: '1 if the last reload succeeded, else 0.',
      type: 'gauge',
      samples: () => [{ value: reloads.last === 'success' ? 1 : 0 }],
    },
  ];
}

/** Without an HTTP listener there are no samples. */
function httpMetrics(status: () => ConnectionStatus | undefined): readonly Metric[] {
  const one = (read: (status: ConnectionStatus) => number) => () => {
    const now = status();
    return now ? [{ value: read(now) }] : [];
  };
  return [
    {
      name: 'callsign_http_connections',
      help: 'Open connections of HTTP clients.',
      type: 'gauge',
      samples: one(({ connections }) => connections),
    },
    {
      name: 'callsign_http_unsent_bytes',
      help: 'Bytes waiting to be sent to HTTP clients.',
      type: 'gauge',
      samples: one(({ unsentBytes }) => unsentBytes),
    },
    {
      name: 'callsign_http_dropped_total',
      help: 'Connections that were closed because of a limit.',
      type: 'counter',
      samples: () =>
        Object.entries(status()?.dropped ?? {}).map(([reason, value]) => {
          return { labels: { reason }, value };
        }),
    },
  ];
}
