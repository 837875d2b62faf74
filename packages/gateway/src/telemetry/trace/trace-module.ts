/** Traces as a module. It is in the path of calls only if the environment asks for traces. */

import type { Module } from '@callsign/core';

import { wantsTraces, type Environment } from './otel-environment.js';
import { createTracing, type Tracing } from './tracing.js';

export function traceModule(version: string, env: Environment): Module<undefined> {
  return {
    name: 'trace',
    create({ log }) {
      if (!wantsTraces(env)) return undefined;
      let tracing: Tracing | undefined;
      let opened: Promise<void> | undefined;
      const open = async (): Promise<void> => {
        tracing = await createTracing({ env, log, version });
      };
      return {
        // Calls before the packages are loaded have no trace.
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
  };
}
