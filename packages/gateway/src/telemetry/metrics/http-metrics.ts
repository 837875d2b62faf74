/** Metrics of the HTTP listener's connections. */

import type { ConnectionStatus } from '@callsign/wire';

import type { Metric } from './metric.js';

/** Without an HTTP listener there are no samples. */
export function httpMetrics(status: () => ConnectionStatus | undefined): readonly Metric[] {
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
