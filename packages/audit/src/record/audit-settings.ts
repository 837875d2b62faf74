/** The key `callsign.audit`: what is recorded of calls, where, for how long, and what if it cannot be. */

import * as z from 'zod';

import { count, MIB, text, texts } from '@callsign/config';

export interface AuditSettings {
  /** Whether calls that cannot be recorded are made all the same. */
  readonly mode: 'best-effort' | 'strict' | 'off';
  /** In the user's state folder if absent. */
  readonly file?: string;
  /** What is kept of arguments: what tells equal ones apart from others, or they themselves without secrets. */
  readonly arguments: 'fingerprint' | 'redacted';
  readonly redact: {
    /** Members whose value is left out, besides those that are known to hold secrets. */
    readonly keys: readonly string[];
    /** Globs on words; what they match is left out. */
    readonly patterns: readonly string[];
  };
  readonly keepDays: number;
  readonly maxBytes: number;
}

export const AUDIT_SETTINGS: z.ZodType<AuditSettings> = z
  .strictObject({
    mode: z
      .enum(['best-effort', 'strict', 'off'])
      .meta({
        description:
          'Calls that cannot be recorded are made and counted (best-effort), or refused (strict).',
      })
      .default('best-effort'),
    file: z.exactOptional(text('File to record calls in.', '/var/lib/callsign/audit.db')),
    arguments: z
      .enum(['fingerprint', 'redacted'])
      .meta({
        description:
          'What is kept of arguments: a fingerprint only, or themselves without secrets.',
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
    maxBytes: count('Size at which the oldest records are deleted.', MIB, 512 * MIB),
  })
  .meta({ description: 'The record of every call.', examples: [{ mode: 'strict' }] })
  .prefault({});
