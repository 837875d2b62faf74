/** Quota, breaker, size, timeout and retry as modules. */

import { type Module, CallsignError, type Interceptor } from '@callsign/core';

import { breaker } from './breaker.js';
import type { BreakerSettings, Quota, QuotaSettings, RetrySettings } from './call-settings.js';
import { limit } from './limit.js';
import type { SharedQuotas } from './quota-block.js';
import { retry, type RetryOptions } from './retry.js';
import { timeout } from './timeout.js';

/** The common settings, and the quotas of servers that have their own. */
export interface QuotaModuleSettings {
  readonly common: QuotaSettings | undefined;
  readonly ofServer: Readonly<Record<string, Quota | undefined>>;
}

/** For a server that was just removed from the configuration. */
const LONGEST_WAIT_MS = 60_000;

/** Counters survive a reload. `shared`: quotas for all instances together. */
export function quotaModule(shared?: SharedQuotas): Module<QuotaModuleSettings> {
  return {
    name: 'quota',
    create({ settings: first, clock }) {
      if (!isConfigured(first)) return undefined;
      let settings = first;
      return {
        intercept: limit({
          clock,
          shared,
          ofServer: (server) => settings.ofServer[server] ?? settings.common?.perServer,
          ofCaller: () => settings.common?.perCaller,
          maxWaitMs: () => settings.common?.maxWaitMs ?? LONGEST_WAIT_MS,
        }),
        reload: (changed) => {
          settings = changed.settings;
          return isConfigured(settings);
        },
      };
    },
  };
}

function isConfigured({ common, ofServer }: QuotaModuleSettings): boolean {
  return common !== undefined || Object.keys(ofServer).length > 0;
}

/** Counts of failures survive a reload. */
export const breakerModule: Module<BreakerSettings | undefined> = {
  name: 'breaker',
  create({ settings: first, clock }) {
    if (!first) return undefined;
    let settings: BreakerSettings | undefined = first;
    return {
      intercept: breaker({
        clock,
        failures: () => settings?.failures ?? Infinity,
        restMs: () => settings?.restMs ?? 0,
      }),
      reload: (changed) => {
        settings = changed.settings;
        return settings !== undefined;
      },
    };
  },
};

/** Its setting is the number of bytes. */
export const sizeModule: Module<number | undefined> = {
  name: 'size',
  create: ({ settings: maxBytes }) =>
    maxBytes === undefined ? undefined : { intercept: resultSize(() => maxBytes) },
};

/** Its settings are milliseconds by server. */
export const timeoutModule: Module<Readonly<Record<string, number>>> = {
  name: 'timeout',
  create({ settings: first, clock }) {
    let limits = first;
    return {
      intercept: timeout({
        clock,
        limitMs: ({ ref }) => limits[ref.server] ?? LONGEST_WAIT_MS,
      }),
      reload: (changed) => {
        limits = changed.settings;
      },
    };
  },
};

/**
 * `whenBack` resolves when the target of a call can be called again: true, or false if it will not come back.
 */
export function retryModule(whenBack: RetryOptions['whenBack']): Module<RetrySettings | undefined> {
  return {
    name: 'retry',
    create: ({ settings, clock }) =>
      settings && { intercept: retry({ clock, whenBack, random: Math.random, ...settings }) },
  };
}

/** The limit is in bytes of UTF-8. Short replies are not counted. */
export function resultSize(maxBytes: () => number): Interceptor {
  return async (call, next) => {
    const reply = await next();
    const most = maxBytes();
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (reply.json.length * 3 <= most) return reply;
    const bytes = Buffer.byteLength(reply.json);
    if (bytes <= most) return reply;
    throw new CallsignError('result-too-large', {
      tool: call.target!.canonical,
      bytes,
      limit: most,
    });
  };
}
