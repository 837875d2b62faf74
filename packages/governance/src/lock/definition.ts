/** A tool's definition as it is accepted: the parts that people and models read. */

import { hash } from 'node:crypto';

import type { Item } from '@callsign/core';

import { canonicalJson } from './canonical-json.js';

export interface Definition {
  /** `sha256:` and the hash of the text. */
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
}

const PARTS: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
]);

const known = new WeakMap<Item, Definition>();

export function definitionOf(item: Item): Definition {
  const before = known.get(item);
  if (before) return before;
  // Text that cannot be parsed is compared as it is, so that any change counts.
  const text = canonicalJson(item.json, (key) => PARTS.has(key)) ?? JSON.stringify(item.json);
  const definition = { text, hash: `sha256:${hash('sha256', text, 'hex')}` };
  known.set(item, definition);
  return definition;
}
