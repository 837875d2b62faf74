/**
 * The review of one operation by a person: a fingerprint of everything that decides what a call
 * does.
 */

import { createHash } from 'node:crypto';

import type { Endpoint } from '@callsign/effects';

import type { OperationDocument } from './adapter-document.js';

/**
 * Digits of a fingerprint. Edits need few; a review needs many, because an attacker may write the
 * document.
 */
const SHORT = 10;
const LONG = 32;

/** Texts for people and models. They may change without a new review. */
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

/** An operation as in the file, with or without defaults. */
export type WrittenOperation = Omit<OperationDocument, 'params'> &
  Partial<Pick<OperationDocument, 'params'>>;

/** Equal values have equal fingerprints. The order of keys does not matter. */
export function fingerprint(value: unknown, length: number = SHORT): string {
  const text = JSON.stringify(sorted(value)) ?? '';
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** The value of `reviewed` after a person has accepted the operation. It is invalid after a change. */
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
