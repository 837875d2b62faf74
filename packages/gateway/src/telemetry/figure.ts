/** One figure for Prometheus that is made when somebody asks for it, and costs nothing until then. */

import type { Metric, Registry } from 'prom-client';

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Where it is not that of the figure. */
  readonly metricName?: string;
}

export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly Sample[];
}

export function registerFigure(registry: Registry, { samples, ...figure }: Figure): void {
  const get = () => Promise.resolve({ ...figure, values: samples() });
  // The registry asks a metric for this and nothing else; its own would sort labels at every call.
  registry.registerMetric({ name: figure.name, get } as unknown as Metric);
}
