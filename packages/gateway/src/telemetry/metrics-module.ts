/** Metrics as a module: counts every call and serves `/metrics`. */

import type { Module } from '@callsign/core';

import type { Metrics } from './metrics.js';
import type { MetricsSettings } from './metrics-settings.js';

/** Counters survive a reload. */
export function metricsModule(metrics: Metrics): Module<MetricsSettings> {
  return {
    name: 'metrics',
    create: () => ({
      observe: metrics,
      pages: [{ path: '/metrics', type: metrics.contentType, text: () => metrics.text() }],
      reload: () => undefined,
    }),
  };
}
