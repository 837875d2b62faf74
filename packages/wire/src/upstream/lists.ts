/** Everything that a server lists, all pages of it, each definition as the text it came as. */

import {
  byKind,
  definitionFault,
  elementsOf,
  memberText,
  withoutDeepElements,
} from '@callsign/core';
import type { Item, Kind, Reply } from '@callsign/core';

import { METHOD_NOT_FOUND } from '../message/rpc-error.js';
import type { Connection } from './connection.js';
import type { Capabilities } from './handshake.js';

export type Lists = Readonly<Record<Kind, readonly Item[]>>;

export interface FetchedLists {
  readonly lists: Lists;
  /** What the server announced and did not give, one sentence each. */
  readonly failures: readonly string[];
}

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

/** Fetches the lists of some kinds. A list that fails stays as it was before. */
export async function fetchLists(
  kinds: readonly Kind[],
  before: Lists,
  options: FetchOptions,
): Promise<FetchedLists> {
  const failures: string[] = [];
  const fail = (failure: string): void => {
    failures.push(failure);
    options.warn(failure);
  };
  const fetched = new Map(
    await Promise.all(
      kinds.map(async (kind) => [kind, await fetchList(kind, options, fail)] as const),
    ),
  );
  return { lists: byKind((kind) => fetched.get(kind) ?? before[kind]), failures };
}

/** `undefined` if it failed before anything came. */
async function fetchList(
  kind: Kind,
  options: FetchOptions,
  fail: (failure: string) => void,
): Promise<readonly Item[] | undefined> {
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
    const reply = await connection.request(method, params, timeoutMs, (text) => {
      return readWithoutDeep(text, method, warn);
    });
    const elements = reply.ok ? elementsOf(memberText(reply.json, member) ?? '') : undefined;
    if (elements === undefined) {
      // A server may announce resources or prompts as a group and have only some of their lists.
      if (kind !== 'tool' && isMissing(reply)) return [];
      fail(`${method} failed: ${reply.json.slice(0, 300)}`);
      if (items.size === 0) return undefined;
      break;
    }
    for (const json of elements) {
      const item = readItem(json, name);
      const fault = item && definitionFault(kind, json);
      if (fault !== undefined) warn(`"${item!.name}" of ${method} was left out: ${fault}`);
      else if (!item) warn(`an element of ${method} without a ${name} was left out`);
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

function isMissing({ ok, json }: Reply): boolean {
  return !ok && memberText(json, 'code') === String(METHOD_NOT_FOUND);
}

/** A list that cannot be read because some elements are nested too deeply is read without them. */
function readWithoutDeep(
  text: string,
  method: string,
  warn: (message: string) => void,
): string | undefined {
  const shallow = withoutDeepElements(text);
  if (shallow === undefined) return undefined;
  for (const name of shallow.leftOut)
    warn(`${name} of ${method} was left out: it is nested too deeply`);
  return shallow.text;
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
