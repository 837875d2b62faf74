/** Types in introspection: those of the adapter and those of the protocol. */

import type { PropertyShape, TypeDocument } from '../adapter/adapter-document.js';
import { shapeInfo } from './operation-info.js';

export type TypeInfo = Readonly<Record<string, unknown>>;

const text = (description: string, required = true): PropertyShape => ({
  type: 'string',
  description,
  required,
});

const PROTOCOL_TYPES: ReadonlyMap<string, TypeDocument> = new Map<string, TypeDocument>([
  [
    'SemanticCategory',
    {
      kind: 'enum',
      description: 'What an operation does to state.',
      values: ['CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE'],
    },
  ],
  [
    'OperationInput',
    {
      kind: 'object',
      description: 'What every tool takes.',
      fields: {
        operation: text('The name of an operation.'),
        params: { type: 'object', description: 'Its parameters.' },
      },
    },
  ],
  [
    'OperationResult',
    {
      kind: 'union',
      description: 'The form of every answer.',
      members: ['OperationSuccess', 'OperationFailure'],
    },
  ],
  [
    'OperationSuccess',
    {
      kind: 'object',
      fields: {
        success: { type: 'boolean', description: 'true', required: true },
        data: { type: 'object', description: 'The answer.', required: true },
        warnings: { type: 'array', items: { type: 'object' } },
      },
    },
  ],
  [
    'OperationFailure',
    {
      kind: 'object',
      fields: {
        success: { type: 'boolean', description: 'false', required: true },
        error: {
          type: 'object',
          required: true,
          properties: {
            code: text('What went wrong, for programs.'),
            message: text('What went wrong, and what to do.'),
            details: { type: 'object' },
          },
        },
      },
    },
  ],
  [
    'EndpointPermissions',
    {
      kind: 'object',
      fields: {
        readOnly: { type: 'boolean', required: true },
        destructive: { type: 'boolean', required: true },
      },
    },
  ],
]);

export function listTypes(types: ReadonlyMap<string, TypeDocument>): TypeInfo[] {
  return Array.from(allTypes(types), ([name, { kind, description }]) => ({
    name,
    kind,
    ...(description === undefined ? {} : { description }),
  }));
}

/** `null` for an unknown type, as the protocol requires. */
export function typeInfo(types: ReadonlyMap<string, TypeDocument>, name: string): TypeInfo | null {
  const found = allTypes(types).get(name);
  if (!found) return null;
  const { fields, ...rest } = found;
  if (fields === undefined) return { name, ...rest };
  const shown = Object.entries(fields).map(([key, shape]) => ({
    name: key,
    ...shapeInfo(shape),
    required: shape.required ?? false,
  }));
  return { name, ...rest, fields: shown };
}

function allTypes(types: ReadonlyMap<string, TypeDocument>): ReadonlyMap<string, TypeDocument> {
  return new Map([...PROTOCOL_TYPES, ...types]);
}
