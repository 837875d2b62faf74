/** Fetches all pages of all lists of a server. Each definition stays text. */

import { byKind, definitionFault, listIn, memberText, withoutDeepElements } from '@callsign/core';
import type { Item, Kind, Reply, Slices } from '@callsign/core';

import { inSlices, METHOD_NOT_FOUND } from '@callsign/rpc';
import type { Connection } from './connection.js';
import type { Capabilities } from './handshake.js';
import { ListBudget, type ListLimits } from './list-budget.js';

export type Lists = Readonly<Record<Kind, readonly Item[]>>;

export interface FetchedLists {
  readonly lists: Lists;
  /** The lists that the server announced but did not provide, one sentence each. */
  readonly failures: readonly string[];
  /** Unset: it has no skills. */
  readonly skills?: readonly Item[] | undefined;
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

export interface FetchOptions {
  readonly connection: Connection;
  readonly capabilities: Capabilities;
  /** For all pages of all lists together. */
  readonly timeoutMs: number;
  readonly limits: ListLimits;
  /** `_meta` for our own requests, if the era needs it. JSON text. */
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
  const budget = new ListBudget(options.limits, options.timeoutMs);
  const fetched = new Map(
    await Promise.all(
      kinds.map(async (kind) => [kind, await fetchList(kind, options, budget, fail)] as const),
    ),
  );
  return { lists: byKind((kind) => fetched.get(kind) ?? before[kind]), failures };
}

/** `undefined`: it failed before anything came. */
async function fetchList(
  kind: Kind,
  { connection, capabilities, meta, warn }: FetchOptions,
  budget: ListBudget,
  fail: (failure: string) => void,
): Promise<readonly Item[] | undefined> {
  const { method, member, name, capability } = LIST_METHODS[kind];
  if (capabilities[capability] === undefined) return [];
  const items = new Map<string, Item>();
  const faults = new ItemFaults(method, name);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const members = [
      ...(cursor === undefined ? [] : [`"cursor":${cursor}`]),
      ...(meta === undefined ? [] : [`"_meta":${meta}`]),
    ];
    const params = members.length > 0 ? `{${members.join(',')}}` : undefined;
    const asked = connection.request(method, params, budget.msLeft, (text) => {
      return readWithoutDeep(text, method, warn);
    });
    // If a later page does not come in time, the list ends there. The server stays up.
    const reply: Reply | undefined =
      cursor === undefined ? await asked : await asked.catch(() => undefined);
    const page = reply?.ok ? await inSlices(listIn(reply.json, member, 'nextCursor')) : undefined;
    if (reply && page === undefined) {
      // A server may announce resources or prompts and have only some of their lists.
      if (kind !== 'tool' && isMissing(reply)) return [];
      fail(`${method} failed: ${reply.json.slice(0, 300)}`);
      if (items.size === 0) return undefined;
      break;
    }
    const read = page ? readItems(page.elements, { kind, items, name, faults, budget }) : undefined;
    const isCut = read && (await inSlices(read));
    cursor = cursorIn(page?.other);
    const why =
      budget.page(kind, reply?.json.length ?? 0, items.size) ?? (page ? undefined : budget.late);
    const isEndless = cursor !== undefined && cursors.has(cursor);
    if (why !== undefined && (isCut === true || page === undefined || cursor !== undefined)) {
      fail(`${method} was cut off: ${why}; the items before that are used`);
      break;
    }
    if (isEndless) {
      fail(`${method} has pages without end; the items so far are used`);
      break;
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  faults.report(warn);
  return [...items.values()];
}

interface Reading {
  readonly kind: Kind;
  readonly items: Map<string, Item>;
  readonly name: string;
  readonly faults: ItemFaults;
  readonly budget: ListBudget;
}

/** Reads the elements of a page. True: not all of them fit. */
function* readItems(elements: readonly string[], reading: Reading): Slices<boolean> {
  const { kind, items, name, faults, budget } = reading;
  const { maxDefinitionBytes } = budget.limits;
  const most = budget.most(kind);
  for (const json of elements) {
    if (items.size >= most) return true;
    const item = readItem(json, name);
    if (!item) faults.nameless++;
    else if (json.length > maxDefinitionBytes) faults.tooLong.add(item.name);
    else if (items.has(item.name)) faults.twice.add(item.name);
    else {
      const fault = definitionFault(kind, json);
      if (fault === undefined) items.set(item.name, item);
      else faults.wrong.set(item.name, fault);
    }
    yield;
  }
  return false;
}

function isMissing({ ok, json }: Reply): boolean {
  return !ok && memberText(json, 'code') === String(METHOD_NOT_FOUND);
}

/** Repairs a list of which some elements are nested too deeply: reads it without them. */
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
  return typeof name === 'string' && name !== '' ? { name, json } : undefined;
}

/** Elements of a list that are left out, and why. */
class ItemFaults {
  readonly tooLong = new Set<string>();
  readonly twice = new Set<string>();
  /** Definitions that clients could not use, and why. */
  readonly wrong = new Map<string, string>();
  nameless = 0;
  readonly #method: string;
  readonly #name: string;

  constructor(method: string, name: string) {
    this.#method = method;
    this.#name = name;
  }

  report(warn: (message: string) => void): void {
    if (this.nameless > 0)
      warn(`${this.nameless} items of ${this.#method} were left out: they have no ${this.#name}`);
    for (const name of [...this.tooLong].slice(0, 3))
      warn(`"${name.slice(0, 100)}" was left out: its definition is too long`);
    for (const [name, fault] of this.wrong)
      warn(`"${name.slice(0, 100)}" of ${this.#method} was left out: ${fault}`);
    warnOfTwins(this.twice, warn);
  }
}

/** Names up to three. Of more, it names only the first. */
function warnOfTwins(names: ReadonlySet<string>, warn: (message: string) => void): void {
  const [first] = names;
  if (names.size > 3)
    warn(`${names.size} names such as "${first}" are listed twice; the first of each is used`);
  else for (const name of names) warn(`"${name}" is listed twice; the first one is used`);
}

/** The next page. Some servers write `null` or an empty text where there is none. */
export function cursorIn(nextCursor: string | undefined): string | undefined {
  return nextCursor === 'null' || nextCursor === '""' ? undefined : nextCursor;
}
