/** Reads the types of answers, for introspection. */

import type { PropertyShape, TypeDocument, ValueShape } from '../../adapter/adapter-document.js';
import { ShapeReader } from '../spec/shape-reader.js';
import { lineOf, type SpecNode, textOf } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

const MAX_TYPES = 200;
const DESCRIPTION_LENGTH = 200;

export interface NamedSchema {
  readonly name: string;
  readonly schema: SpecNode;
}

/** Each name once. The first definition counts. */
export function readTypes(
  schemas: readonly NamedSchema[],
  reader: SpecReader,
): Readonly<Record<string, TypeDocument>> {
  const types = new Map<string, TypeDocument>();
  for (const { name, schema } of schemas) {
    if (types.has(name) || types.size === MAX_TYPES) continue;
    const list = reader.at(schema, 'items');
    types.set(name, typeOf(list.value === undefined ? schema : list, reader));
  }
  return Object.fromEntries(types);
}

function typeOf(schema: SpecNode, reader: SpecReader): TypeDocument {
  const shape = new ShapeReader(reader, 'received').read(schema);
  const description = lineOf(textOf(schema, 'description'), DESCRIPTION_LENGTH);
  const described = description === undefined ? {} : { description };
  if (shape.enum) {
    const values = shape.enum.filter((word) => typeof word !== 'boolean');
    return { kind: 'enum', ...described, values };
  }
  if (shape.type === 'union') return { kind: 'union', ...described };
  if (shape.type !== 'object') return { kind: 'scalar', ...described };
  const fields = Object.entries(shape.properties ?? {}).map(([key, field]) => [
    key,
    shallow(field),
  ]);
  return {
    kind: 'object',
    ...described,
    ...(fields.length === 0
      ? {}
      : { fields: Object.fromEntries(fields) as Record<string, PropertyShape> }),
  };
}

/** The type of a field without its inner parts, which is enough for an overview. */
function shallow({
  type,
  description,
  nullable,
  required,
  format,
  items,
  one_of,
}: PropertyShape): PropertyShape {
  return {
    type,
    ...(one_of ? { one_of: one_of.map(plain) } : {}),
    ...(description === undefined ? {} : { description }),
    ...(nullable ? { nullable } : {}),
    ...(format === undefined ? {} : { format }),
    ...(items ? { items: plain(items) } : {}),
    ...(required ? { required } : {}),
  };
}

function plain({ type, one_of }: ValueShape): ValueShape {
  return { type, ...(one_of ? { one_of: one_of.map(plain) } : {}) };
}
