/**
 * A definition as a client sees it: our name, our title, the operator's hints. The rest is
 * unchanged.
 */

import { toolTitle } from '@callsign/effects';
import { titleCase, wordsBeyondKey } from '@callsign/naming';

import type { Item } from '../call/item.js';
import { taskSupportOf } from '../call/task-support.js';
import { membersOf, memberText, withMembers, withoutMembers } from '../json/json-text.js';
import type { Entry } from '../source/entry.js';

/** How one definition is shown to one client. */
export interface ShownOptions {
  readonly name: string;
  /** Whether titles name the server. */
  readonly titles: boolean;
  /** Whether inferred hints are added where the server is silent. */
  readonly annotate: boolean;
  /** Whether the gateway signs people in, so that security schemes of servers are left out. */
  readonly signsIn?: boolean;
  /** Whether clients may call it as a task that the gateway runs, since calls of it may wait. */
  readonly mayBeTask?: boolean;
  /** Whether the schema of results is left out, because results may differ from it. */
  readonly hidesOutputSchema?: boolean;
  /** The definition to show. Default: the entry's. */
  readonly definition?: Item;
}

/** Rewrites the definition as text, so that numbers, unknown fields and order survive. */
export function shownItem(entry: Entry, options: ShownOptions): Item {
  const { name, titles, annotate, mayBeTask = false, definition = entry.item } = options;
  const { signsIn = false, hidesOutputSchema = false } = options;
  const whole = signsIn ? withoutSchemes(definition.json) : definition.json;
  const json = hidesOutputSchema ? withoutMembers(whole, ['outputSchema']) : whole;
  const members = membersOf(json);
  const changes: Record<string, string> = { name: JSON.stringify(name) };
  if (entry.kind === 'tool') {
    Object.assign(changes, typedSchema(json, members));
    if (mayBeTask && taskSupportOf(json) === 'forbidden')
      changes['execution'] = '{"taskSupport":"optional"}';
    const title = titles ? titleFor(entry) : undefined;
    const annotations: Record<string, string> = annotate ? inferredHints(entry) : {};
    for (const [hint, value] of Object.entries(entry.override)) {
      if (value !== undefined) annotations[hint] = String(value);
    }
    if (title !== undefined) changes['title'] = annotations['title'] = JSON.stringify(title);
    if (Object.keys(annotations).length > 0) {
      const range = members?.get('annotations');
      const claimed = range && json.slice(range.start, range.end);
      changes['annotations'] = withMembers(claimed?.startsWith('{') ? claimed : '{}', annotations);
    }
  }
  return { name, json: withMembers(json, changes, members) };
}

const SCHEMES = ['securitySchemes'];

/** Without the security schemes of the server, which some clients read in either of two places. */
function withoutSchemes(json: string): string {
  const own = withoutMembers(json, SCHEMES);
  const meta = memberText(own, '_meta');
  return meta?.startsWith('{') ? withMembers(own, { _meta: withoutMembers(meta, SCHEMES) }) : own;
}

/**
 * Adds `"type": "object"` to the schema of arguments if it is missing: clients refuse a whole list
 * if one tool lacks it.
 */
function typedSchema(
  json: string,
  members: ReturnType<typeof membersOf>,
): Readonly<Record<string, string>> {
  const range = members?.get('inputSchema');
  const schema = range ? json.slice(range.start, range.end) : '{}';
  if (memberText(schema, 'type') !== undefined) return {};
  return schema.startsWith('{') ? { inputSchema: withMembers(schema, { type: '"object"' }) } : {};
}

/**
 * Hints that only the tool's own words support. A claim that is not believed stays as the server
 * wrote it.
 */
function inferredHints({ hints }: Entry): Record<string, string> {
  const inferred = Object.entries(hints).filter(
    ([, { evidence }]) => evidence.by === 'words' && evidence.disbelieved === undefined,
  );
  return Object.fromEntries(inferred.map(([hint, { value }]) => [hint, String(value)]));
}

/** `{Display Name} — {Title}`. A tool without a title gets one made of its name. */
function titleFor({ displayName, title, claim: annotations, ref }: Entry): string | undefined {
  return toolTitle({ displayName, title, annotations, fallback: titleCase(wordsBeyondKey(ref)) });
}
