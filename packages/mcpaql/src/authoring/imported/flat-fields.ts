/**
 * Converts an adapter's document to flat fields and back, so that a merge can compare field by
 * field.
 */

import { isObject } from '@callsign/core';
import { type Endpoint, ENDPOINTS } from '@callsign/effects';

import type { OperationDocument } from '../../adapter/adapter-document.js';
import type { Fields } from './import-record.js';

/** Members of the document that are compared part by part. */
const GROUPS: ReadonlySet<string> = new Set(['target', 'types', 'headers']);
const PARAMS: ReadonlySet<string> = new Set(['params']);

/** An operation with the endpoint that it is listed under. */
export interface PlacedOperation {
  readonly endpoint: Endpoint;
  /** As in the file, without defaults. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Everything except the operations. */
export function documentFields(document: Readonly<Record<string, unknown>>): Fields {
  const { operations: _, ...rest } = document;
  return flat(rest, GROUPS);
}

export function documentOf(fields: Fields): Record<string, unknown> {
  return nested(fields, GROUPS);
}

export function operationFields({ endpoint, document }: PlacedOperation): Fields {
  return new Map([['endpoint', endpoint], ...flat(document, PARAMS)]);
}

export function operationOf(fields: Fields): PlacedOperation {
  const { endpoint, ...document } = nested(fields, PARAMS);
  return { endpoint: endpoint as Endpoint, document };
}

/** The operations of a document without defaults, in its order. */
export function operationsIn(document: Readonly<Record<string, unknown>>): PlacedOperation[] {
  const { operations } = document;
  if (!isObject(operations)) return [];
  return ENDPOINTS.flatMap((endpoint) => {
    const list = operations[endpoint];
    return (Array.isArray(list) ? (list as unknown[]) : [])
      .filter(isObject)
      .map((each) => ({ endpoint, document: each }));
  });
}

/** The inverse. Endpoints without operations are omitted. */
export function byEndpoint(
  operations: readonly PlacedOperation[],
): Partial<Record<Endpoint, readonly OperationDocument[]>> {
  const groups = ENDPOINTS.map((endpoint) => [
    endpoint,
    operations.filter((each) => each.endpoint === endpoint).map(({ document }) => document),
  ]);
  return Object.fromEntries(groups.filter(([, list]) => list!.length > 0)) as Partial<
    Record<Endpoint, readonly OperationDocument[]>
  >;
}

function flat(value: Readonly<Record<string, unknown>>, groups: ReadonlySet<string>): Fields {
  return new Map(
    Object.entries(value).flatMap(([key, member]) =>
      groups.has(key) && isObject(member)
        ? Object.entries(member).map(([inner, part]) => [`${key}.${inner}`, part] as const)
        : [[key, member] as const],
    ),
  );
}

function nested(fields: Fields, groups: ReadonlySet<string>): Record<string, unknown> {
  const value = new Map<string, unknown>();
  for (const [key, member] of fields) {
    const dot = key.indexOf('.');
    const group = dot === -1 ? key : key.slice(0, dot);
    if (dot === -1 || !groups.has(group)) value.set(key, member);
    else
      value.set(group, {
        ...(value.get(group) as object | undefined),
        [key.slice(dot + 1)]: member,
      });
  }
  return Object.fromEntries(value);
}
