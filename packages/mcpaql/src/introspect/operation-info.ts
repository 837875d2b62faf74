/** Describes an operation for callers, with the member names of the protocol. */

import type { Endpoint } from '@callsign/effects';

import type { TypeDocument, ValueShape } from '../adapter/adapter-document.js';
import type { Operation, Param } from '../adapter/adapter.js';
import { isAtLeast } from '../adapter/danger.js';
import { acceptedParams } from '../protocol/accepted-params.js';

export interface ParameterInfo {
  readonly name: string;
  readonly type?: unknown;
  readonly required: boolean;
  readonly [constraint: string]: unknown;
}

export interface OperationInfo {
  readonly name: string;
  readonly semantic_category: string;
  readonly endpoint: Endpoint;
  /** The full name of its tool. */
  readonly mcpTool: string;
  readonly description: string;
  readonly permissions: { readonly readOnly: boolean; readonly destructive: boolean };
  readonly parameters: readonly ParameterInfo[];
  readonly returns: { readonly name: string; readonly kind: string; readonly description?: string };
  readonly examples?: readonly { readonly description?: string; readonly request: unknown }[];
  /** Named parts that parameters refer to. */
  readonly definitions?: unknown;
}

export function operationInfo(
  operation: Operation,
  mcpTool: string,
  types: ReadonlyMap<string, TypeDocument>,
): OperationInfo {
  const { name, endpoint, response, examples } = operation;
  const { type, description } = response;
  return {
    name,
    semantic_category: endpoint.toUpperCase(),
    endpoint,
    mcpTool,
    description: operation.description,
    permissions: {
      readOnly: endpoint === 'read',
      destructive: isAtLeast(operation.danger.level, 'destructive'),
    },
    parameters: Array.from(acceptedParams(operation).values(), parameterInfo),
    returns: {
      name: type,
      kind: types.get(type)?.kind ?? 'object',
      ...(description === undefined ? {} : { description }),
    },
    ...(examples.length === 0
      ? {}
      : {
          examples: examples.map(({ params, ...rest }) => ({
            ...rest,
            request: { operation: name, params },
          })),
        }),
  };
}

export function parameterInfo(param: Param): ParameterInfo {
  const { name, required, sensitive, default: standard } = param;
  return {
    name,
    ...shapeInfo(param),
    required,
    ...(standard === undefined ? {} : { default: standard }),
    ...(sensitive ? { sensitive } : {}),
  };
}

/** The content, or a path inside the folders that the adapter allows. */
const FILE_PROPERTIES = {
  base64: { type: 'string' },
  path: { type: 'string' },
  name: { type: 'string' },
  type: { type: 'string' },
};

/** Converts a shape to JSON Schema, which models know well. */
export function shapeInfo(shape: ValueShape): Readonly<Record<string, unknown>> {
  if (shape.type === 'file') {
    const { description = 'A file.' } = shape;
    return { type: 'object', description, format: 'file', properties: FILE_PROPERTIES };
  }
  const { min_length, max_length, min_items, max_items, items, properties, one_of } = shape;
  const { additional_properties: others } = shape;
  const info: Record<string, unknown> = {
    type: shape.type === 'union' || shape.type === 'any' ? undefined : shape.type,
    oneOf: one_of?.map(shapeInfo),
    description: shape.description,
    enum: shape.enum,
    minimum: shape.minimum,
    maximum: shape.maximum,
    exclusiveMinimum: shape.exclusive_minimum,
    exclusiveMaximum: shape.exclusive_maximum,
    multipleOf: shape.multiple_of,
    minLength: min_length,
    maxLength: max_length,
    pattern: shape.pattern,
    format: shape.format,
    minItems: min_items,
    maxItems: max_items,
    uniqueItems: shape.unique_items,
    minProperties: shape.min_properties,
    maxProperties: shape.max_properties,
    nullable: shape.nullable,
    prefixItems: shape.prefix_items?.map(shapeInfo),
    items: items && shapeInfo(items),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, shapeInfo(inner)])),
    required: properties && requiredKeys(properties),
    additionalProperties: typeof others === 'object' ? shapeInfo(others) : undefined,
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

function requiredKeys(
  properties: Readonly<Record<string, { readonly required?: boolean }>>,
): string[] | undefined {
  const keys = Object.entries(properties).flatMap(([key, { required }]) => (required ? key : []));
  return keys.length === 0 ? undefined : keys;
}
