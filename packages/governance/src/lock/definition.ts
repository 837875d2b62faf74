/**
 * A tool's definition and its hash: the whole for the lock file, and the parts that decide its
 * label.
 */

import { hash } from 'node:crypto';

import type { Item } from '@callsign/core';

import { canonicalJson } from './canonical-json.js';

export interface Definition {
  /** `sha256:` and the hash of `text`. */
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

const parts = new WeakMap<Item, Definition>();
const wholes = new WeakMap<Item, Definition>();

/** The parts that people read and that decide the label. Accepted labels are bound to these. */
export function definitionOf(item: Item): Definition {
  return cached(parts, item, (key) => PARTS.has(key));
}

/**
 * Everything that the server says about the tool, including `_meta`, `icons` and unknown members.
 */
export function wholeDefinitionOf(item: Item): Definition {
  return cached(wholes, item, () => true);
}

function cached(
  known: WeakMap<Item, Definition>,
  item: Item,
  keeps: (key: string) => boolean,
): Definition {
  const before = known.get(item);
  if (before) return before;
  // A text that is not JSON is compared as it is, so that any change is noticed.
  const text = canonicalJson(item.json, keeps) ?? JSON.stringify(item.json);
  const definition = { text, hash: `sha256:${hash('sha256', text, 'hex')}` };
  known.set(item, definition);
  return definition;
}
