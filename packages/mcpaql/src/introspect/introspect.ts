/** The operation `introspect`: what there is, in full or in few words, one thing or several at once. */

import { ENDPOINTS } from '@callsign/annotations';

import type { Param } from '../adapter/adapter.js';
import { INTROSPECT } from '../adapter/reserved-operations.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { type Params, validateParams } from '../protocol/validate.js';
import type { Catalogue } from './catalogue.js';
import { type OperationInfo, parameterInfo } from './operation-info.js';
import { signatureOf } from './signature.js';
import { listTypes, typeInfo } from './type-info.js';

/** The version of the protocol, not of an adapter. */
const PROTOCOL_VERSION = '1.0.0';
const MAX_NAMES = 100;

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
        name: 'format',
        type: 'string',
        enum: ['full', 'compact'],
        default: 'full',
        required: false,
        description: 'compact: names by endpoint, or one line for each of names.',
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

export function introspect(catalogue: Catalogue, given: Params): unknown {
  const params = validateParams(given, { operation: INTROSPECT, params: PARAMS });
  const names = namesIn(params);
  if (params.get('query') === 'types') {
    if (names === undefined) return { types: listTypes(catalogue.types) };
    const found = names.map((name) => typeInfo(catalogue.types, name));
    return params.has('names') ? { types: found } : { type: found[0] };
  }
  if (names === undefined) return listOperations(catalogue, params);
  const found = names.map((name) => [name, infoOf(catalogue, name)] as const);
  if (params.get('format') === 'compact') {
    const lines = found.map(([name, info]) => [name, info && signatureOf(info)]);
    return { operations: Object.fromEntries(lines) as unknown };
  }
  const details = found.map(([, info]) => pick(info, params));
  return params.has('names') ? { operations: details } : { operation: details[0] };
}

function listOperations(catalogue: Catalogue, params: Params): unknown {
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
    operations:
      params.get('format') === 'compact'
        ? grouped(shown)
        : shown.map((each) => listed(each, params)),
    ...(isPart ? { pagination } : {}),
  };
}

/** Four facts for a caller that counts its tokens; all of them otherwise. */
function protocolInfo(catalogue: Catalogue, isCompact: boolean): Readonly<Record<string, unknown>> {
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

function grouped(operations: readonly Listed[]): Readonly<Record<string, readonly string[]>> {
  const groups = ENDPOINTS.map((endpoint) => [
    endpoint,
    operations.filter((each) => each.endpoint === endpoint).map(({ name }) => name),
  ]);
  return Object.fromEntries(groups.filter(([, names]) => names!.length > 0)) as Record<
    string,
    string[]
  >;
}

function pick(info: object | null, params: Params): object | null {
  const fields = params.get('fields') as readonly string[] | undefined;
  if (info === null || fields === undefined) return info;
  return Object.fromEntries(Object.entries(info).filter(([key]) => fields.includes(key)));
}

function infoOf(catalogue: Catalogue, name: string): OperationInfo | null {
  if (name === INTROSPECT) return introspectInfo(catalogue);
  return catalogue.operations.get(name)?.info() ?? null;
}

function introspectInfo({ toolNames }: Catalogue): OperationInfo {
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
  if (name !== undefined && names !== undefined) {
    const message = "Send 'name' or 'names', not both.";
    throw new ProtocolError('VALIDATION_INVALID_QUERY', message);
  }
  if (names !== undefined) return names as string[];
  return name === undefined ? undefined : [name as string];
}
