/** The key `callsign.audit`: what is recorded of calls, where, for how long, and what happens if it cannot be. */

import * as z from 'zod';

import { count, MIB, text, texts } from '@callsign/config';

export interface AuditSettings {
  /** Whether calls that cannot be recorded are made anyway. */
  readonly mode: 'best-effort' | 'strict' | 'off';
  /** What an intent survives before its call is sent: the death of the process, a power failure, or the machine. */
  readonly durability: 'process' | 'disk' | 'shared';
  /** Unset: in the user's state folder. */
  readonly folder?: string;
  /** What is kept of arguments: a fingerprint, or the arguments without secrets. */
  readonly arguments: 'fingerprint' | 'redacted';
  readonly redact: {
    /** Members whose value is left out, besides those that are known to hold secrets. */
    readonly keys: readonly string[];
    /** Globs on words that are left out. */
    readonly patterns: readonly string[];
  };
  readonly keepDays: number;
  /** Of the journal. */
  readonly maxBytes: number;
  /** The store of the tables: `sqlite`, or the name of a store from `stores`. */
  readonly store: string;
}

export const SQLITE = 'sqlite';

export const AUDIT_SETTINGS: z.ZodType<AuditSettings> = z
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
        description: 'What is kept of arguments: a fingerprint, or the arguments without secrets.',
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
    store: text('Store for the tables: sqlite, or the name of one from stores.', SQLITE).default(
      SQLITE,
    ),
  })
  .meta({ description: 'The record of every call.', examples: [{ mode: 'strict' }] })
  .prefault({});
