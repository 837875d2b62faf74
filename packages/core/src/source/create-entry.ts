/** Creates the entry of an offered item: identity, label and interceptors. */

import { labelTool, type Label as ToolLabel } from '@callsign/annotations';
import type { LabelHints, StatedHints, Trust } from '@callsign/annotations';
import { canonicalName, type ToolRef } from '@callsign/naming';

import type { Entry } from './entry.js';
import { intercept, type Interceptor } from './interceptor.js';
import type { Item } from '../call/item.js';
import { membersOf } from '../json/json-text.js';
import type { Kind } from '../call/kind.js';
import type { Route } from '../call/route.js';

/** The operator's settings for one item. */
export interface Label {
  readonly override?: StatedHints;
  /** A label that the operator accepted for this very definition. */
  readonly accepted?: StatedHints;
  /** Whether a label was accepted for another definition, and does not count any more. */
  readonly hasLapsed?: boolean;
  readonly assumed?: StatedHints;
  readonly trust?: Trust;
  /** Replaces the tool's own title. */
  readonly title?: string;
}

export interface EntryOptions {
  readonly kind: Kind;
  readonly ref: ToolRef;
  readonly item: Item;
  /** Directly to the source. */
  readonly route: Route;
  readonly displayName: string;
  readonly label?: Label | undefined;
  readonly interceptors?: readonly Interceptor[];
}

/** The inputs of a label. */
const DEFINITION = ['title', 'description', 'inputSchema', 'annotations'] as const;

/** The protocol has only reads for prompts and resources. */
const READING_HINTS: LabelHints = {
  readOnlyHint: { value: true, evidence: { by: 'default' } },
  destructiveHint: { value: false, evidence: { by: 'default' } },
  idempotentHint: { value: true, evidence: { by: 'default' } },
  openWorldHint: { value: true, evidence: { by: 'default' } },
};
const READING: ToolLabel = { risk: 'read', hints: READING_HINTS };

export function createEntry(options: EntryOptions): Entry {
  const { kind, ref, item, route, displayName, label, interceptors = [] } = options;
  const members = readMembers(item.json, DEFINITION);
  const { title, annotations: claim } = members;
  const { override, accepted, assumed, trust } = label ?? {};
  const found =
    kind === 'tool'
      ? labelTool({ ...members, name: item.name, override, accepted, assumed, trust })
      : READING;
  const intercepted = intercept(route, interceptors);
  const entry: Entry = {
    kind,
    ref,
    // A source without a key has plain names.
    canonical: ref.server === '' ? ref.tool : canonicalName(ref),
    item,
    title: label?.title ?? title,
    claim,
    override: { ...accepted, ...override },
    displayName,
    ...found,
    ...(label?.hasLapsed ? { hasLapsed: true } : {}),
    route: {
      item,
      get target() {
        return entry;
      },
      ...(route.seenBy ? { seenBy: (sight) => route.seenBy!(sight) } : {}),
      // In a nested hub the target is the outer item.
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
