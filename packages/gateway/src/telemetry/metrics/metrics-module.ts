/** Metrics as a module: counts every call and serves `/metrics`. */

import type { Module } from '@callsign/core';
import { mayReadMetrics, type RolesSettings } from '@callsign/governance';

import type { Metrics } from './metrics.js';

/** Innermost: it times each attempt of a call. */
export function attemptMetricsModule({ attempt }: Metrics): Module<undefined> {
  return { name: 'attempt-metrics', create: () => ({ intercept: attempt }) };
}

/** Counters survive a reload. The settings are those of the roles, which say who may read metrics. */
export function metricsModule(metrics: Metrics): Module<RolesSettings> {
  return {
    name: 'metrics',
    create({ settings }) {
      let current = settings;
      return {
        observe: metrics,
        pages: [
          {
            path: '/metrics',
            type: metrics.contentType,
            mayRead: (principal) => mayReadMetrics(current, principal),
            text: () => metrics.text(),
          },
        ],
        reload: (context) => void (current = context.settings),
      };
    },
  };
}
