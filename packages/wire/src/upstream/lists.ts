/** Everything that a server lists, all pages of it, each definition as the text it came as. */

import { byKind, elementsOf, memberText, type Item, type Kind } from '@callsign/core';

import type { Connection } from './connection.js';
import type { Capabilities } from './handshake.js';

export type Lists = Readonly<Record<Kind, readonly Item[]>>;

interface ListMethod {
  readonly method: string;
  /** The member of the result that holds the list. */
  readonly member: string;
  /** The member of each element that names it. */
  readonly name: string;
  readonly capability: 'tools' | 'prompts' | 'resources';
}

const LIST_METHODS: Readonly<Record<Kind, ListMethod>> = {
  tool: { method: 'tools/list', member: 'tools', name: 'name', capability: 'tools' },
  prompt: { method: 'prompts/list', member: 'prompts', name: 'name', capability: 'prompts' },
  resource: { method: 'resources/list', member: 'resources', name: 'uri', capability: 'resources' },
  template: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    name: 'uriTemplate',
    capability: 'resources',
  },
};

/** A server that pages on for ever is cut off here. */
const MAX_PAGES = 1_000;

export interface FetchOptions {
  readonly connection: Connection;
  readonly capabilities: Capabilities;
  readonly timeoutMs: number;
  /** `_meta` for our own requests, where the era wants it. */
  readonly meta?: string;
  readonly warn: (message: string) => void;
}

/** Fetches the lists of some kinds; a list that fails is empty, and said so. */
export async function fetchLists(
  kinds: readonly Kind[],
  before: Lists,
  options: FetchOptions,
): Promise<Lists> {
  const fetched = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await fetchList(kind, options)] as const)),
  );
  return byKind((kind) => fetched.get(kind) ?? before[kind]);
}

async function fetchList(kind: Kind, options: FetchOptions): Promise<readonly Item[]> {
  const { connection, capabilities, timeoutMs, meta, warn } = options;
  const { method, member, name, capability } = LIST_METHODS[kind];
  if (capabilities[capability] === undefined) return [];
  const items = new Map<string, Item>();
  const twice = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const members = [
      ...(cursor === undefined ? [] : [`"cursor":${cursor}`]),
      ...(meta === undefined ? [] : [`"_meta":${meta}`]),
    ];
    const params = members.length > 0 ? `{${members.join(',')}}` : undefined;
    const reply = await connection.request(method, params, timeoutMs);
    const elements = reply.ok ? elementsOf(memberText(reply.json, member) ?? '') : undefined;
    if (elements === undefined) {
      // Many servers announce resources and have no templates; that is no fault worth a word.
      if (kind !== 'template') warn(`${method} failed: ${reply.json.slice(0, 300)}`);
      break;
    }
    for (const json of elements) {
      const item = readItem(json, name);
      if (!item) warn(`an element of ${method} without a ${name} was left out`);
      else if (items.has(item.name)) twice.add(item.name);
      else items.set(item.name, item);
    }
    cursor = memberText(reply.json, 'nextCursor');
    if (cursor === 'null') cursor = undefined;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES)) {
      warn(`${method} pages without end; what came so far counts`);
      break;
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  warnOfTwins(twice, warn);
  return [...items.values()];
}

function readItem(json: string, member: string): Item | undefined {
  const text = memberText(json, member);
  const name: unknown = text === undefined ? undefined : JSON.parse(text);
  return typeof name === 'string' ? { name, json } : undefined;
}

/** A few are named; of many the first one stands for all. */
function warnOfTwins(names: ReadonlySet<string>, warn: (message: string) => void): void {
  const [first] = names;
  if (names.size > 3)
    warn(`${names.size} names such as "${first}" are listed twice; the first of each counts`);
  else for (const name of names) warn(`"${name}" is listed twice; the first one counts`);
}
