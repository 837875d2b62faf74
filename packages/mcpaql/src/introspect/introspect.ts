/** The operation `introspect`: lists or describes operations and types, in full or in compact form. */

import { createSearch, type Search } from '@callsign/core/search';
import { type Endpoint, ENDPOINTS } from '@callsign/effects';

import type { Param } from '../adapter/adapter.js';
import { INTROSPECT } from '../adapter/reserved-operations.js';
import { braced, countedByNoun } from '../endpoints/name-groups.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { type Params, validateParams } from '../protocol/validate.js';
import type { CatalogueEntry, OperationCatalogue } from './operation-catalogue.js';
import { type OperationInfo, parameterInfo } from './operation-info.js';
import { NOTHING_FOUND } from './nothing-found.js';
import { signatureOf } from './signature.js';
import { listTypes, typeInfo } from './type-info.js';

/** The version of the protocol, not of an adapter. */
const PROTOCOL_VERSION = '1.0.0';
const MAX_NAMES = 100;
/** The limit of names in a compact list. */
const MAX_LISTED = 300;
const DEFAULT_RESULTS = 5;

const PARAMS: ReadonlyMap<string, Param> = new Map(
  (
    [
      {
        name: 'query',
        type: 'string',
        enum: ['operations', 'types'],
        default: 'operations',
        required: false,
        description: 'What to list.',
      },
      {
        name: 'name',
        type: 'string',
        required: false,
        description: 'One thing in detail.',
      },
      {
        name: 'names',
        type: 'array',
        items: { type: 'string' },
        min_items: 1,
        max_items: MAX_NAMES,
        required: false,
        description: 'Several in detail, in one call.',
      },
      {
        name: 'search',
        type: 'string',
        min_length: 1,
        required: false,
        description:
          'Keywords in any order; the best operations come first, with their parameters.',
      },
      {
        name: 'format',
        type: 'string',
        enum: ['full', 'compact'],
        required: false,
        description:
          'compact: names, or a line each. Full with query, name or fields; else compact.',
      },
      {
        name: 'endpoint',
        type: 'string',
        enum: [...ENDPOINTS],
        required: false,
        description: 'Only operations of this endpoint.',
      },
      {
        name: 'fields',
        type: 'array',
        items: { type: 'string' },
        required: false,
        description: 'Only these keys of each operation.',
      },
      {
        name: 'offset',
        type: 'integer',
        minimum: 0,
        required: false,
        description: 'How many to skip.',
      },
      {
        name: 'limit',
        type: 'integer',
        minimum: 1,
        required: false,
        description: 'How many to list.',
      },
    ] satisfies Param[]
  ).map((param) => [param.name, param]),
);

export function introspect(catalogue: OperationCatalogue, given: Params): unknown {
  const read = validateParams(given, { operation: INTROSPECT, params: PARAMS });
  // Clients of the protocol send a query and expect the full form.
  const isDetailed = ['query', 'name', 'fields'].some((key) => given.has(key));
  const isFull = (read.get('format') ?? (isDetailed ? 'full' : 'compact')) === 'full';
  const params = new Map([...read, ['format', isFull ? 'full' : 'compact']]);
  const names = namesIn(params) ?? foundIn(catalogue, params);
  const identity = { _protocol: protocolInfo(catalogue, !isFull || names !== undefined) };
  if (params.get('query') === 'types') {
    if (names === undefined) return { ...identity, types: listTypes(catalogue.types) };
    const found = names.map((name) => typeInfo(catalogue.types, name));
    return { ...identity, ...(params.has('names') ? { types: found } : { type: found[0] }) };
  }
  if (names === undefined) return listOperations(catalogue, params);
  const found = names.map((name) => [name, infoOf(catalogue, name)] as const);
  const advice = found.length === 0 ? { hint: adviceFor(params) } : {};
  if (params.get('format') === 'compact') {
    const lines = found.map(([name, info]) => [name, info && lineOf(info)]);
    return { ...identity, operations: Object.fromEntries(lines) as unknown, ...advice };
  }
  const details = found.map(([, info]) => pick(info, params));
  return {
    ...identity,
    ...(params.has('name') ? { operation: details[0] } : { operations: details }),
    ...advice,
  };
}

/** Each line names the endpoint, since an operation is called through it. */
function lineOf(info: OperationInfo): string {
  return `${info.endpoint}${signatureOf(info)}`;
}

/** The names of the operations that match the words best. */
function foundIn(catalogue: OperationCatalogue, params: Params): readonly string[] | undefined {
  const words = params.get('search');
  if (words === undefined) return undefined;
  const endpoint = params.get('endpoint');
  const offset = Number(params.get('offset') ?? 0);
  const limit = Number(params.get('limit') ?? DEFAULT_RESULTS);
  return searchOf(catalogue)(words as string)
    .filter(({ thing }) => endpoint === undefined || thing.endpoint === endpoint)
    .slice(offset, offset + limit)
    .map(({ thing }) => thing.name);
}

/** What to try after a search without a result. */
function adviceFor(params: Params): string {
  const narrowed = ['endpoint', 'offset'].filter((key) => params.has(key));
  const wider = narrowed.length === 0 ? '' : ` Or leave out ${narrowed.join(' and ')}.`;
  return `${NOTHING_FOUND}${wider} To see all names, send no 'search'.`;
}

/** One index for each list of operations, built at the first search. */
const SEARCHES = new WeakMap<OperationCatalogue['operations'], Search<CatalogueEntry>>();

function searchOf({ operations }: OperationCatalogue): Search<CatalogueEntry> {
  const known = SEARCHES.get(operations);
  if (known) return known;
  const search = createSearch([...operations.values()], (entry) => {
    return { ...entry.info(), reads: entry.endpoint === 'read' };
  });
  SEARCHES.set(operations, search);
  return search;
}

function listOperations(catalogue: OperationCatalogue, params: Params): unknown {
  const endpoint = params.get('endpoint');
  const all = [introspectInfo(catalogue), ...catalogue.operations.values()].filter(
    (operation) => endpoint === undefined || operation.endpoint === endpoint,
  );
  const offset = Number(params.get('offset') ?? 0);
  const limit = Number(params.get('limit') ?? Infinity);
  const shown = all.slice(offset, offset + limit);
  const isPart = params.has('offset') || params.has('limit');
  const pagination = {
    offset,
    returned: shown.length,
    total_items: all.length,
    has_more: offset + shown.length < all.length,
  };
  return {
    _protocol: protocolInfo(catalogue, params.get('format') === 'compact'),
    ...(params.get('format') === 'compact'
      ? compact(shown, isPart)
      : { operations: shown.map((each) => listed(each, params)) }),
    ...(isPart ? { pagination } : {}),
  };
}

/** Names in groups. Very many are only counted: a search costs less than a full list. */
function compact(shown: readonly Listed[], isPart: boolean): Readonly<Record<string, unknown>> {
  if (shown.length <= MAX_LISTED || isPart) {
    const groups = grouped(shown, braced);
    return { operations: groups.map(([endpoint, names]) => ({ endpoint, names })) };
  }
  const hint = "Too many to list. Send 'search' with keywords, or 'limit' and 'offset'.";
  return { operations: [], counts: Object.fromEntries(grouped(shown, countedByNoun)), hint };
}

/** The compact form has only the identity, to save tokens. */
function protocolInfo(
  catalogue: OperationCatalogue,
  isCompact: boolean,
): Readonly<Record<string, unknown>> {
  const { name, displayName, capabilities, limits } = catalogue;
  const identity = {
    version: PROTOCOL_VERSION,
    mode: 'crude',
    adapter: name,
    display_name: displayName,
  };
  return isCompact ? identity : { ...identity, capabilities, ...(limits ? { limits } : {}) };
}

type Listed = Pick<OperationInfo, 'name' | 'endpoint' | 'description'>;

function listed(operation: Listed, params: Params): unknown {
  const { name, endpoint, description } = operation;
  const info = { name, semantic_category: endpoint.toUpperCase(), endpoint, description };
  return pick(info, params);
}

function grouped<T>(
  operations: readonly Listed[],
  written: (names: readonly string[]) => T,
): [Endpoint, T][] {
  return ENDPOINTS.flatMap((endpoint): [Endpoint, T][] => {
    const own = operations.filter((each) => each.endpoint === endpoint);
    return own.length === 0 ? [] : [[endpoint, written(own.map(({ name }) => name))]];
  });
}

function pick(info: object | null, params: Params): object | null {
  const fields = params.get('fields') as readonly string[] | undefined;
  if (info === null || fields === undefined) return info;
  return Object.fromEntries(Object.entries(info).filter(([key]) => fields.includes(key)));
}

function infoOf(catalogue: OperationCatalogue, name: string): OperationInfo | null {
  if (name === INTROSPECT) return introspectInfo(catalogue);
  const info = catalogue.operations.get(name)?.info();
  return info ? { ...info, mcpTool: catalogue.toolNames.get(info.endpoint) ?? info.mcpTool } : null;
}

function introspectInfo({ toolNames }: OperationCatalogue): OperationInfo {
  return {
    name: INTROSPECT,
    semantic_category: 'READ',
    endpoint: 'read',
    mcpTool: toolNames.get('read')!,
    description: 'Lists operations and types, or shows some in detail. Every endpoint takes it.',
    permissions: { readOnly: true, destructive: false },
    parameters: Array.from(PARAMS.values(), parameterInfo),
    returns: { name: 'Introspection', kind: 'object' },
  };
}

function namesIn(params: Params): readonly string[] | undefined {
  const [name, names] = [params.get('name'), params.get('names')];
  if ([name, names, params.get('search')].filter((each) => each !== undefined).length > 1) {
    const message = "Send one of 'name', 'names' and 'search'.";
    throw new ProtocolError('VALIDATION_INVALID_QUERY', message);
  }
  if (names !== undefined) return names as string[];
  return name === undefined ? undefined : [name as string];
}
