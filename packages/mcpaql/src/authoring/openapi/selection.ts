/** Selects the operations to import: by tag, path or name. */

import { memberOf } from '@callsign/core';

import { snakeName } from '../imported/snake-names.js';
import { textOf, wordsAt } from '../spec/spec-node.js';
import type { FoundOperation } from './operation-reader.js';

/** `*` matches any text. An operation must match one word of each given list. */
export interface Selection {
  /** Tags of the document, or `/ships` for operations without a tag below that path. */
  readonly tags?: readonly string[];
  /** Paths, such as `/repos/*`. A path without `*` includes all paths below it. */
  readonly paths?: readonly string[];
  /** Operations by their operationId, by their name in the adapter, or as `GET /ships`. */
  readonly only?: readonly string[];
  /** Operations, tags or paths to omit. */
  readonly exclude?: readonly string[];
}

export function selects(
  { tags, paths, only, exclude = [] }: Selection,
  operation: FoundOperation,
): boolean {
  const { method, path } = operation;
  const ids = [...namesOf(operation), `${method} ${path}`];
  const own = tagsOf(operation);
  if (tags && !matchesAny(tags, own)) return false;
  if (paths && !isBelow(paths, path)) return false;
  if (only && !matchesAny(only, ids)) return false;
  return !matchesAny(exclude, [...ids, ...own]) && !isBelow(exclude, path);
}

/** Operations without a tag count under the first part of their path: `/ships`. */
function tagsOf({ node, path }: FoundOperation): string[] {
  const tags = wordsAt(node, 'tags');
  return tags.length > 0 ? tags : [`/${path.split('/')[1] ?? ''}`];
}

export interface ApiTags {
  /** The number of operations in the document. */
  readonly operations: number;
  /** Tags in alphabetical order, each with the number of its operations. */
  readonly tags: ReadonlyMap<string, number>;
}

export function countTags(operations: readonly FoundOperation[]): ApiTags {
  const counts = new Map<string, number>();
  for (const tag of operations.flatMap((each) => [...new Set(tagsOf(each))])) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return { operations: operations.length, tags: new Map(sorted) };
}

function namesOf({ node }: FoundOperation): string[] {
  const id = textOf(node, 'operationId') ?? memberOf(node.value, 'operationId');
  return typeof id === 'string' ? [id, snakeName(id) ?? id] : [];
}

function isBelow(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => {
    if (!pattern.startsWith('/')) return false;
    return matches(pattern, path) || path.startsWith(`${pattern.replace(/\/+$/, '')}/`);
  });
}

function matchesAny(patterns: readonly string[], texts: readonly string[]): boolean {
  return patterns.some((pattern) => texts.some((text) => matches(pattern, text)));
}

/** Matches `*` without a regular expression, so that no pattern can be slow. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const whole = text.toLowerCase();
  if (rest.length === 0) return whole === first;
  if (!whole.startsWith(first)) return false;
  const last = rest.pop()!;
  let at = first.length;
  for (const part of rest) {
    const found = whole.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return whole.length - last.length >= at && whole.endsWith(last);
}
