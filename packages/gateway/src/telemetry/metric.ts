/** One metric for Prometheus. Its samples are made when they are asked for. */

import type { Metric as PromMetric, Registry } from 'prom-client';

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Where it is not that of the metric. */
  readonly metricName?: string;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly Sample[];
}

export function registerMetric(registry: Registry, { samples, ...metric }: Metric): void {
  const get = () => Promise.resolve({ ...metric, values: samples() });
  // The registry asks a metric for this and nothing else; its own would sort labels at every call.
  registry.registerMetric({ name: metric.name, get } as unknown as PromMetric);
}
