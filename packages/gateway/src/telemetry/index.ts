/** Metrics and traces of calls. The logs are separate exports: they load pino, or the terminal. */

// Metrics.
export { createMetrics } from './metrics/metrics.js';
export type { CallTotals, Metrics, MetricsOptions } from './metrics/metrics.js';
export { attemptMetricsModule, metricsModule } from './metrics/metrics-module.js';
export { METRICS_SETTINGS } from './metrics/metrics-settings.js';
export type { MetricsSettings } from './metrics/metrics-settings.js';
export { BOUNDS } from './metrics/tally.js';

// Traces.
export { traceModules } from './trace/trace-module.js';
