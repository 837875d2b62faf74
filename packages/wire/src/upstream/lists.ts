/** Fetches all pages of all lists of a server. Each definition stays text. */

import {
  byKind,
  definitionFault,
  type Item,
  ItemFaults,
  type Kind,
  listIn,
  memberText,
  type Reply,
  type Slices,
  visibleLine,
  withoutDeepElements,
} from '@callsign/core';

import { METHOD_NOT_FOUND } from '../rpc/message/rpc-error.js';
import { inSlices } from '../rpc/stream/in-slices.js';
import type { Connection } from './connection.js';
import type { Capabilities } from './handshake.js';
import { ListBudget, type ListLimits } from './list-budget.js';

export type Lists = Readonly<Record<Kind, readonly Item[]>>;

export interface FetchedLists {
  readonly lists: Lists;
  /** The lists that the server announced but did not provide, one sentence each. */
  readonly failures: readonly string[];
  /** Missing if it has no skills. */
  readonly skills?: readonly Item[] | undefined;
}

interface ListMethod {
  readonly method: string;
  /** The member of the result that holds the list. */
  readonly member: string;
  /** The member of each element that names it. */
  readonly name: string;
}

interface KindMethod extends ListMethod {
  readonly capability: 'tools' | 'prompts' | 'resources';
}

const LIST_METHODS: Readonly<Record<Kind, KindMethod>> = {
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

/** A list to fetch, and what is left out of it. */
export interface ListRequest extends ListMethod {
  /** How many elements it may have. */
  readonly most: number;
  /** Why an element is left out; `undefined` if it is used. */
  readonly fault?: (json: string) => string | undefined;
  /** Whether the server may not know the method. */
  readonly mayBeMissing: boolean;
}

export interface FetchOptions {
  readonly connection: Connection;
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
  options: FetchOptions & { readonly capabilities: Capabilities },
): Promise<FetchedLists> {
  const failures: string[] = [];
  const fail = (failure: string): void => {
    failures.push(failure);
    options.warn(failure);
  };
  const budget = new ListBudget(options.limits, options.timeoutMs);
  const fetched = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, await fetchKind(kind)] as const)),
  );
  return { lists: byKind((kind) => fetched.get(kind) ?? before[kind]), failures };

  async function fetchKind(kind: Kind): Promise<readonly Item[] | undefined> {
    const { capability, ...method } = LIST_METHODS[kind];
    if (options.capabilities[capability] === undefined) return [];
    const { maxTools, maxListItems } = options.limits;
    const request: ListRequest = {
      ...method,
      most: kind === 'tool' ? maxTools : maxListItems,
      fault: (json) => definitionFault(kind, json),
      // A server may announce resources or prompts and have only some of their lists.
      mayBeMissing: kind !== 'tool',
    };
    return fetchList(request, options, budget, fail);
  }
}

/** `undefined`: it failed before anything came. */
export async function fetchList(
  request: ListRequest,
  { connection, meta, warn }: FetchOptions,
  budget: ListBudget,
  fail: (failure: string) => void,
): Promise<readonly Item[] | undefined> {
  const { method, member, name, most, mayBeMissing } = request;
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
      if (mayBeMissing && isMissing(reply)) return [];
      // Its end is reported by the upstream.
      if (reply.fault?.code === 'upstream-closed') throw reply.fault;
      const said = reply.ok ? undefined : memberText(reply.json, 'message');
      fail(`${method} failed: ${visibleLine(said ?? reply.json, 300)}`);
      if (items.size === 0) return undefined;
      break;
    }
    const read = page ? readItems(page.elements, { request, items, faults, budget }) : undefined;
    const isCut = read && (await inSlices(read));
    cursor = cursorIn(page?.other);
    const isFull = items.size + faults.count >= most;
    const why =
      budget.page(reply?.json.length ?? 0) ??
      (isFull ? `it has more than ${most} entries` : page ? undefined : budget.late);
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
  readonly request: ListRequest;
  readonly items: Map<string, Item>;
  readonly faults: ItemFaults;
  readonly budget: ListBudget;
}

/** Reads the elements of a page. Returns true if not all of them fit. Those that are left out count too. */
function* readItems(elements: readonly string[], reading: Reading): Slices<boolean> {
  const { request, items, faults, budget } = reading;
  const { maxDefinitionBytes } = budget.limits;
  for (const json of elements) {
    if (items.size + faults.count >= request.most) return true;
    const item = readItem(json, request.name);
    if (!item) faults.nameless();
    else if (json.length > maxDefinitionBytes) faults.tooLong(item.name);
    else if (items.has(item.name)) faults.twice(item.name);
    else {
      const fault = request.fault?.(json);
      if (fault === undefined) items.set(item.name, item);
      else faults.wrong(item.name, fault);
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
  const faults = new ItemFaults(method, '');
  for (const name of shallow.leftOut) faults.wrong(name, 'it is nested too deeply');
  faults.report(warn);
  return shallow.text;
}

function readItem(json: string, member: string): Item | undefined {
  const text = memberText(json, member);
  const name: unknown = text === undefined ? undefined : JSON.parse(text);
  return typeof name === 'string' && name !== '' ? { name, json } : undefined;
}

/** The next page. Some servers write `null` or an empty text where there is none. */
function cursorIn(nextCursor: string | undefined): string | undefined {
  return nextCursor === 'null' || nextCursor === '""' ? undefined : nextCursor;
}
