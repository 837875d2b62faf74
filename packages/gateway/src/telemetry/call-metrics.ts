/** Metrics of calls: ended calls by outcome, calls under way, durations. */

import type { Metric, Sample } from './metric.js';
import { BOUNDS, type Tally } from './tally.js';

const DURATION = 'callsign_call_duration_seconds';

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
      help: 'How long calls took, from the listener and back.',
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

function durations({ labels, durations: counts, seconds }: Tally): Sample[] {
  const shared = { ...labels };
  let calls = 0;
  const buckets = counts.map((count, i): Sample => {
    calls += count;
    const le = BOUNDS[i] ?? '+Inf';
    return { metricName: `${DURATION}_bucket`, labels: { ...shared, le }, value: calls };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels: shared, value: seconds },
    { metricName: `${DURATION}_count`, labels: shared, value: calls },
  ];
}
