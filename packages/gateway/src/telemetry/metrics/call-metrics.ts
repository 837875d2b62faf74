/** Metrics of calls: ended calls by outcome, calls under way, durations. */

import { isFailure, type Outcome } from '@callsign/core';

import { errorType } from '../error/error-type.js';
import type { Metric, Sample } from './metric.js';
import { BOUNDS, type Durations, type Tally } from './tally.js';

/**
 * OpenTelemetry's `mcp.server.operation.duration` and `mcp.client.operation.duration` in the spelling
 * of Prometheus, like their labels. The gateway is a server for its clients, and a client of its servers.
 */
const AS_SERVER = 'mcp_server_operation_duration_seconds';
const AS_CLIENT = 'mcp_client_operation_duration_seconds';

export function callMetrics(tallies: () => readonly Tally[]): readonly Metric[] {
  return [
    {
      name: 'callsign_calls_total',
      help: 'Calls that have ended, by server, risk, decision of the policy and outcome.',
      type: 'counter',
      samples: () => tallies().flatMap(ended),
    },
    {
      name: 'callsign_calls_in_flight',
      help: 'Calls that are under way.',
      type: 'gauge',
      samples: () =>
        tallies().map(({ labels, inFlight }) => ({ labels: { ...labels }, value: inFlight })),
    },
    {
      name: AS_SERVER,
      help: 'How long calls took, from request to answer at the listener.',
      type: 'histogram',
      samples: () => tallies().flatMap((tally) => histogram(AS_SERVER, tally, tally.durations)),
    },
    {
      name: AS_CLIENT,
      help: 'How long servers took to answer. Each time that a call is sent counts.',
      type: 'histogram',
      samples: () => tallies().flatMap((tally) => histogram(AS_CLIENT, tally, tally.attempts)),
    },
  ];
}

function ended(tally: Tally): Sample[] {
  return Array.from(tally.ended(), ({ decision, outcome, calls }) => ({
    labels: { ...tally.labels, decision, outcome },
    value: calls,
  }));
}

function histogram(
  name: string,
  tally: Tally,
  durations: ReadonlyMap<Outcome, Durations>,
): Sample[] {
  return Array.from(durations).flatMap(([outcome, { buckets: counts, seconds }]) => {
    const { tool, ...own } = tally.labels;
    const labels = {
      mcp_method_name: tally.method,
      gen_ai_tool_name: tool,
      gen_ai_operation_name: tally.method === 'tools/call' ? 'execute_tool' : '',
      error_type: isFailure(outcome) ? errorType(outcome) : '',
      ...own,
    };
    let calls = 0;
    const buckets = counts.map((count, i): Sample => {
      calls += count;
      const le = BOUNDS[i] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: calls };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: calls },
    ];
  });
}
