/**
 * The setting `callsign.audit`: what is recorded about calls, where, for how long, and what happens
 * if that is not possible.
 */

import * as z from 'zod';

import { count, MIB, type SettingOf, text, texts } from '@callsign/config';

export const SQLITE = 'sqlite';

/**
 * The schema of `callsign.audit`. Parses an unset value to the defaults: calls are recorded unless
 * `mode` is `off`.
 */
export const AUDIT_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      mode: z
        .enum(['best-effort', 'strict', 'off'])
        .meta({
          description:
            'Calls that cannot be recorded are made and counted (best-effort), or refused (strict).',
        })
        .default('best-effort'),
      durability: z
        .enum(['process', 'disk', 'shared'])
        .meta({
          description:
            'What an intent survives: the death of the gateway (process), a power failure (disk), or the loss of the machine (shared; needs "storage").',
        })
        .default('process'),
      folder: z.exactOptional(text('Folder for the journal and its tables.', '/var/lib/callsign')),
      arguments: z
        .enum(['fingerprint', 'redacted'])
        .meta({
          description:
            'What is kept of arguments: a fingerprint, or the arguments without secrets.',
        })
        .default('fingerprint'),
      redact: z
        .strictObject({
          keys: texts('Members of arguments to leave out.', 'customer_id').default([]),
          patterns: texts('Globs on words to leave out.', 'CUST-*').default([]),
        })
        .meta({
          description: 'What to leave out of arguments, besides what is known to be secret.',
          examples: [{ keys: ['customer_id'] }],
        })
        .prefault({}),
      keepDays: count('Days after which records are deleted.', 1, 90),
      maxBytes: count('Size of the journal at which its oldest files are deleted.', MIB, 512 * MIB),
      store: text('Store for the tables: sqlite, or a name in "stores".', SQLITE).default(SQLITE),
    })
    .meta({ description: 'The record of every call.', examples: [{ mode: 'strict' }] })
    .prefault({}),
);

/** The setting `callsign.audit`, with its defaults. */
export type AuditSettings = SettingOf<typeof AUDIT_SETTINGS>;
