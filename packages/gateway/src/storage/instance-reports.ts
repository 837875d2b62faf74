/** What this instance tells operators about itself: its servers as it sees them, and its calls per second. */

import { hostname } from 'node:os';

import { visibleLine } from '@callsign/core';
import type { InstanceReport, ReportedServer } from '@callsign/instances';

import type { GatewayConfig } from '../config/gateway-config.js';
import { runsOnOne } from '../servers/server-process.js';
import { reasonIn, type ServerStatus } from '../servers/server-status.js';
import type { CallTotals } from '../telemetry/metrics/metrics.js';

/** The part of a gateway that a report is about. */
export interface ReportedGateway {
  readonly config: GatewayConfig;
  /** Missing if other instances cannot reach this one, so each runs all servers. */
  readonly instance?: object | undefined;
  readonly servers: { since(key: string): number | undefined };
  status(): readonly ServerStatus[];
  callTotals(): CallTotals;
}

const MAX_REASON = 200;

/**
 * Returns a function that makes a report. The rate of calls is since the last one. `problem`: why the file of this instance
 * cannot be used, if it cannot.
 */
export function instanceReports(
  gateway: ReportedGateway,
  problem: () => string | undefined,
): () => InstanceReport {
  let last = { ended: gateway.callTotals().ended, at: performance.now() };
  return () => {
    const { ended, inFlight } = gateway.callTotals();
    const at = performance.now();
    const perSecond = ((ended - last.ended) * 1000) / Math.max(1, at - last.at);
    last = { ended, at };
    const callsPerSecond = Math.round(perSecond * 10) / 10;
    const servers = gateway.status().map((server) => reported(gateway, server));
    const configProblem = problem();
    return {
      host: hostname(),
      pid: process.pid,
      callsPerSecond,
      inFlight,
      ...(configProblem === undefined
        ? {}
        : { configProblem: visibleLine(configProblem, MAX_REASON) }),
      servers,
    };
  };
}

function reported(
  { config, instance, servers }: ReportedGateway,
  { key, state, tools, restarts }: ServerStatus,
): ReportedServer {
  const entry = config.servers.find((server) => server.key === key);
  const placement = instance && entry && runsOnOne(entry) ? 'one' : 'each';
  const since = servers.since(key);
  const reason = reasonIn(state);
  return {
    key,
    placement,
    state: state.is,
    ...(reason !== undefined ? { reason: visibleLine(reason, MAX_REASON) } : {}),
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    tools,
    restarts,
  };
}
