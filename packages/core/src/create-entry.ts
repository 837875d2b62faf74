/** Makes an entry of what a source offers: identity, label, and interceptors on the way to it. */

import { resolveHints, riskOf } from '@callsign/annotations';
import type { EffectiveHints, StatedHints, Trust } from '@callsign/annotations';
import { canonicalName, type ToolRef } from '@callsign/naming';

import type { Entry } from './entry.js';
import { intercept, type Interceptor } from './interceptor.js';
import type { Item } from './item.js';
import { membersOf } from './json-text.js';
import type { Kind } from './kind.js';
import type { Route } from './route.js';

/** What the operator says of one thing. */
export interface Label {
  readonly override?: StatedHints;
  readonly assumed?: StatedHints;
  readonly trust?: Trust;
  /** A title in place of the tool's own. */
  readonly title?: string;
}

export interface EntryOptions {
  readonly kind: Kind;
  readonly ref: ToolRef;
  readonly item: Item;
  /** Straight to the source. */
  readonly route: Route;
  readonly displayName: string;
  readonly label?: Label | undefined;
  readonly interceptors?: readonly Interceptor[];
}

/** Prompts and resources are read and nothing else: the protocol has no other use for them. */
const READING: EffectiveHints = {
  readOnlyHint: { value: true, source: 'default' },
  destructiveHint: { value: false, source: 'default' },
  idempotentHint: { value: true, source: 'default' },
  openWorldHint: { value: true, source: 'default' },
};

export function createEntry(options: EntryOptions): Entry {
  const { kind, ref, item, route, displayName, label, interceptors = [] } = options;
  const { title, annotations: claim } = readMembers(item.json, ['title', 'annotations']);
  const { override, assumed, trust } = label ?? {};
  const hints = kind === 'tool' ? resolveHints({ claim, override, assumed, trust }) : READING;
  const intercepted = intercept(route, interceptors);
  const entry: Entry = {
    kind,
    ref,
    // A source without a key has plain names.
    canonical: ref.server === '' ? ref.tool : canonicalName(ref),
    item,
    title: label?.title ?? title,
    claim,
    override: override ?? {},
    displayName,
    hints,
    risk: riskOf(hints),
    route: {
      item,
      get target() {
        return entry;
      },
      // In a hub within a hub the call is aimed at the outer thing.
      send: (call) => intercepted.send(call.target === entry ? call : call.with({ target: entry })),
    },
  };
  return entry;
}

function readMembers<K extends string>(
  json: string,
  keys: readonly K[],
): Partial<Record<K, unknown>> {
  const members = membersOf(json);
  const read: Partial<Record<K, unknown>> = {};
  for (const key of keys) {
    const range = members?.get(key);
    if (range) read[key] = JSON.parse(json.slice(range.start, range.end));
  }
  return read;
}
