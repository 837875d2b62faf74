/** One metric for Prometheus. Its samples are computed on request. */

import type { Metric as PromMetric, Registry } from 'prom-client';

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Default: the name of the metric. */
  readonly metricName?: string;
}

/** `help` is shown by Prometheus. `samples` is called at every request for metrics. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly Sample[];
}

export function registerMetric(registry: Registry, { samples, ...metric }: Metric): void {
  const get = () => Promise.resolve({ ...metric, values: samples() });
  // The registry needs only this method. The library's own metrics would sort labels at every call.
  registry.registerMetric({ name: metric.name, get } as unknown as PromMetric);
}
