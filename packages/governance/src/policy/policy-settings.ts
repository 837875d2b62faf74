/** The setting `callsign.policy`: decisions about calls by label, name and condition. */

import * as z from 'zod';

import { milliseconds, type SettingOf, text, texts } from '@callsign/config';
import { compileExpression } from './expression.js';

/** The decisions, from the mildest to the strictest. */
export const DECISIONS = ['allow', 'confirm', 'dry-run', 'deny'] as const;

const decision = (description: string) =>
  z.enum(DECISIONS).meta({ description, examples: ['confirm'] });

const when = z.lazy(() =>
  text('A CEL expression over tool, args, caller and annotations.', 'args.force == true').check(
    (context) => {
      const compiled = compileExpression(context.value);
      if (compiled.ok) return;
      const { message, advice } = compiled;
      context.issues.push({ code: 'custom', message, params: { advice }, input: context.value });
    },
  ),
);

const rule = z.lazy(() =>
  z
    .strictObject({
      match: z.exactOptional(text('The tools, by glob on server:tool.', 'github:delete_*')),
      when: z.exactOptional(when),
      decision: decision('The action for the call.'),
      reason: z.exactOptional(
        text('The reason, shown to the person who is refused or asked.', 'Ask the team first.'),
      ),
    })
    .meta({ examples: [{ match: 'github:delete_*', decision: 'deny' }] }),
);

/** An exception: which calls it is about, and what happens to them. */
export type PolicyRule = SettingOf<typeof rule>;

const confirm = z.lazy(() =>
  z
    .strictObject({
      timeoutMs: milliseconds('How long a call waits for an approval.', 120_000),
      whenClientCannotAsk: z
        .enum(['refuse', 'task', 'wait'])
        .meta({
          description:
            'The action for a call whose client cannot ask its user: refuse it, let it wait for the operator as a task if the client supports tasks, or always let it wait.',
        })
        .default('task'),
      remember: z
        .enum(['never', 'call', 'tool'])
        .meta({ description: 'The widest scope of one approval within a session.' })
        .default('tool'),
    })
    .meta({ description: 'How confirmation is asked for.', examples: [{ timeoutMs: 120_000 }] })
    .prefault({}),
);

const redact = z.lazy(() =>
  z
    .strictObject({
      keys: texts('Words in keys whose values are not shown.', 'iban').default([]),
      patterns: texts('Words that are redacted in texts, by glob.', 'ACME-*').default([]),
    })
    .meta({
      description: 'Secrets in arguments that are shown to people, besides the usual ones.',
      examples: [{ keys: ['iban'] }],
    })
    .prefault({}),
);

/**
 * The schema of a policy in detail. An empty object confirms destructive calls and allows all
 * others.
 */
export const POLICY_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      read: decision('Calls that change nothing.').default('allow'),
      write: decision('Calls that add or change.').default('allow'),
      destructive: decision('Calls that may delete or overwrite.').default('confirm'),
      openWorld: z.exactOptional(decision('Calls that reach beyond their server.')),
      contradiction: z.exactOptional(
        decision('Calls of tools whose words contradict the claim of their server.'),
      ),
      rules: z
        .array(rule)
        .meta({
          description: 'Exceptions, in order; the first that matches decides.',
          examples: [[{ match: 'github:delete_*', decision: 'deny' }]],
        })
        .default([]),
      dryRun: z
        .boolean()
        .meta({ description: 'Describes writes instead of making them.', examples: [true] })
        .default(false),
      confirm,
      redact,
    })
    .meta({ examples: [{ destructive: 'confirm' }] }),
);

/** One decision per risk, and exceptions. The first rule that matches decides. */
export type PolicySettings = SettingOf<typeof POLICY_SETTINGS>;

/** Named policies. */
const READY_MADE = {
  careful: { read: 'allow', write: 'allow', destructive: 'confirm', contradiction: 'confirm' },
} as const;

/** The schema of `callsign.policy`. Give its result to `policyFrom`. */
export const WRITTEN_POLICY = z.lazy(() =>
  z
    .union([z.enum(Object.keys(READY_MADE) as (keyof typeof READY_MADE)[]), POLICY_SETTINGS], {
      error: 'must be "careful" or an object',
    })
    .meta({
      description:
        'The actions for calls: "careful", or in detail. Default: every call is allowed.',
      examples: ['careful', { destructive: 'confirm' }],
    }),
);

/** A policy as a file writes it: in detail, or by name. */
export type WrittenPolicy = SettingOf<typeof WRITTEN_POLICY>;

/** Replaces the name of a ready-made policy by its details. */
export function policyFrom(written: WrittenPolicy): PolicySettings {
  return typeof written === 'string' ? POLICY_SETTINGS.parse(READY_MADE[written]) : written;
}
