/** Traces as modules. They are in the path of calls only if the environment asks for traces. */

import type { Module } from '@callsign/core';

import { wantsTraces, type Environment } from './otel-environment.js';
import { createTracing, type Tracing } from './tracing.js';

export interface TraceModules {
  /** Outermost: one span per call. */
  readonly calls: Module<undefined>;
  /** Innermost: one span each time that a call is sent. */
  readonly attempts: Module<undefined>;
}

export function traceModules(version: string, env: Environment): TraceModules {
  // Calls before the packages are loaded have no trace.
  let tracing: Tracing | undefined;
  const isWanted = wantsTraces(env);
  return {
    calls: {
      name: 'trace',
      create({ log }) {
        if (!isWanted) return undefined;
        let opened: Promise<void> | undefined;
        const open = async (): Promise<void> => {
          tracing = await createTracing({ env, log, version });
        };
        return {
          intercept: (call, next) => (tracing ? tracing.trace(call, next) : next()),
          open: () => {
            opened = open();
          },
          close: async () => {
            await opened;
            await tracing?.close();
          },
        };
      },
    },
    attempts: {
      name: 'attempt-trace',
      create: () =>
        isWanted
          ? { intercept: (call, next) => (tracing ? tracing.attempt(call, next) : next()) }
          : undefined,
    },
  };
}
