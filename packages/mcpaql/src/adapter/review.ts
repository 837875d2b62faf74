/** A person's review of one operation: a fingerprint of all that decides what a call does. */

import { createHash } from 'node:crypto';

import type { Endpoint } from '@callsign/annotations';

import type { OperationDocument } from './adapter-document.js';

/** A short print tells edits apart. A review needs a long one: its document may come from an attacker. */
const SHORT = 10;
const LONG = 32;

/** Texts for people and models: they may change without a new review. */
const TEXTS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'review',
  'reviewed',
  'examples',
  'deprecated',
  'response',
  'default_fields',
  'field_presets',
  'supports_fields',
  'pagination',
]);

/** As a file says it: with or without the defaults. */
export type WrittenOperation = Omit<OperationDocument, 'params'> &
  Partial<Pick<OperationDocument, 'params'>>;

/** The same for equal values, whatever the order of their keys. */
export function fingerprint(value: unknown, length: number = SHORT): string {
  const text = JSON.stringify(sorted(value)) ?? '';
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** What `reviewed` holds once a person has accepted the operation. It lapses when the operation changes. */
export function reviewPrint(operation: WrittenOperation, endpoint: Endpoint): string {
  const members = Object.entries(operation).filter(([key]) => !TEXTS.has(key) && key !== 'params');
  const params = Object.entries(operation.params ?? {}).map(([name, param]) => {
    const { description: _, review: __, ...rest } = param;
    return [name, rest];
  });
  const decided = { ...Object.fromEntries(members), params: Object.fromEntries(params), endpoint };
  return fingerprint(decided, LONG);
}

/** An operation without `reviewed` was written by a person. */
export function isReviewed(operation: WrittenOperation, endpoint: Endpoint): boolean {
  const { reviewed } = operation;
  if (typeof reviewed !== 'string') return reviewed === undefined;
  return reviewed === reviewPrint(operation, endpoint);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
