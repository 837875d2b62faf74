/** Checks the bodies of requests. */

import { isRecord } from '@callsign/config';
import * as z from 'zod';

import { AdminError } from '../router/admin-error.js';

type Optional<T extends z.ZodType> = z.ZodExactOptional<T>;

/** The members of every request that changes the configuration. */
export const CHANGE: {
  readonly save: Optional<z.ZodBoolean>;
  readonly base: Optional<z.ZodString>;
} = { save: z.exactOptional(z.boolean()), base: z.exactOptional(z.string()) };

/** Throws an `AdminError` that names what is wrong. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new AdminError(400, sentenceOf(result.error.issues[0]!));
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? 'The request' : `"${issue.path.join('.')}"`;
  if (issue.code === 'unrecognized_keys') {
    return `${place} has members that are not known here: ${issue.keys.join(', ')}.`;
  }
  if (issue.code === 'invalid_type')
    return `${place} is missing, or is not of the type ${issue.expected}.`;
  return `${place}: ${issue.message}`;
}

/** Whether the text is a JSON object. Arguments stay text, so that large numbers stay exact. */
export function isObjectText(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
