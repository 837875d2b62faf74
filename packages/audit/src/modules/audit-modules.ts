/**
 * The journal as two modules: one records how calls end, the other writes intents before calls are
 * sent.
 */

import { isDeepStrictEqual } from 'node:util';

import type { Home } from '@callsign/config';
import type { Log, Module } from '@callsign/core';

import { Audit, type AuditStatus, type ConfiguredStore } from './audit.js';
import type { AuditSettings } from '../record/audit-settings.js';

/** Two modules over one journal. They have different places in the order of modules. */
export interface AuditModules {
  readonly audit: Module<AuditSettings>;
  readonly intent: Module<AuditSettings>;
  /** `undefined`: calls are not recorded. */
  status(): AuditStatus | undefined;
  /** Writes the records that are queued, so that a query finds them. */
  flush(): void;
}

/**
 * Both modules use one journal. `stores`: the current stores besides SQLite. `home`: where records
 * are kept if the settings do not say. Default: the home of this process.
 */
export function auditModules(
  stores: () => readonly ConfiguredStore[] = () => [],
  home?: Home,
): AuditModules {
  let current: { readonly settings: AuditSettings; readonly audit: Audit } | undefined;

  const open = (settings: AuditSettings, log: Log): Audit => {
    if (!current || !isDeepStrictEqual(current.settings, settings)) {
      current = { settings, audit: new Audit({ settings, log, stores: stores(), home }) };
    }
    return current.audit;
  };

  return {
    status: () => current?.audit.status,
    flush: () => current?.audit.flush(),
    audit: {
      name: 'audit',
      create({ settings, log }) {
        if (settings.mode === 'off') return undefined;
        let audit: Audit | undefined;
        const journal = (): Audit => (audit ??= open(settings, log));
        return {
          observe: {
            end: (ended) => journal().end(ended),
            taskEnded: (ended) => journal().end(ended),
            unknown: (call) => journal().unknown(call),
          },
          ...(settings.mode === 'strict'
            ? { intercept: (call, next) => journal().strict!(call, next) }
            : {}),
          open: () => void journal(),
          close: async () => {
            if (audit && current?.audit === audit) current = undefined;
            await audit?.close();
          },
        };
      },
    },
    intent: {
      name: 'intent',
      create({ settings, log }) {
        if (settings.mode === 'off') return undefined;
        let audit: Audit | undefined;
        return {
          intercept: (call, next) => (audit ??= open(settings, log)).intent(call, next),
        };
      },
    },
  };
}
