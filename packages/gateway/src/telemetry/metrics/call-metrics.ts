/** Metrics of calls: ended calls by outcome, calls under way, durations. */

import { isFailure } from '@callsign/core';

import { errorType } from '../error/error-type.js';
import type { Metric, Sample } from './metric.js';
import { BOUNDS, type Tally } from './tally.js';

/**
 * OpenTelemetry's `mcp.server.operation.duration` in the spelling of Prometheus, like its labels.
 */
const DURATION = 'mcp_server_operation_duration_seconds';

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
      name: DURATION,
      help: 'How long calls took, from request to answer at the listener.',
      type: 'histogram',
      samples: () => tallies().flatMap(durations),
    },
  ];
}

function ended(tally: Tally): Sample[] {
  return Array.from(tally.ended(), ({ decision, outcome, calls }) => ({
    labels: { ...tally.labels, decision, outcome },
    value: calls,
  }));
}

function durations(tally: Tally): Sample[] {
  return Array.from(tally.durations).flatMap(([outcome, { buckets: counts, seconds }]) => {
    const { server, risk, tool } = tally.labels;
    const labels = {
      mcp_method_name: tally.method,
      gen_ai_tool_name: tool,
      gen_ai_operation_name: tally.method === 'tools/call' ? 'execute_tool' : '',
      error_type: isFailure(outcome) ? errorType(outcome) : '',
      server,
      risk,
    };
    let calls = 0;
    const buckets = counts.map((count, i): Sample => {
      calls += count;
      const le = BOUNDS[i] ?? '+Inf';
      return { metricName: `${DURATION}_bucket`, labels: { ...labels, le }, value: calls };
    });
    return [
      ...buckets,
      { metricName: `${DURATION}_sum`, labels, value: seconds },
      { metricName: `${DURATION}_count`, labels, value: calls },
    ];
  });
}
