/** Converts JSON Schema from OpenAPI and MCP to shapes of an adapter. */

import { isObject, memberOf } from '@callsign/core';

import type { ParamType, PropertyShape, ValueShape } from '../../adapter/adapter-document.js';
import { fingerprint } from '../../adapter/review.js';
import { SCHEMA_NAME } from '../../adapter/value-keys.js';
import { type NamedSchema, SchemaForms, wordsIn } from './schema-forms.js';
import { constraintsOf } from './shape-constraints.js';
import {
  childOf,
  lineOf,
  pointerOf,
  schemaName,
  type SpecNode,
  textOf,
  wordsAt,
} from './spec-node.js';
import type { SpecReader } from './spec-reader.js';

/** Deeper parts accept any value: few readers need them, and a schema may contain itself. */
const MAX_DEPTH = 4;
/** The limit of parts for one operation. Parts above it accept any value. */
const MAX_PARTS = 600;
const DESCRIPTION_LENGTH = 200;
/** Keys with a special meaning in JavaScript or other languages. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The types of JSON Schema that an adapter has. */
const TYPES: readonly ParamType[] = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

/** Only texts have these. */
const TEXT_KEYS = 'pattern format maxLength minLength contentMediaType contentEncoding'.split(' ');

/** Only numbers have these. */
const NUMBER_KEYS = 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' ');

export class ShapeReader {
  readonly #reader: SpecReader;
  /** The key that marks properties which do not exist in this direction. */
  readonly #absent: 'readOnly' | 'writeOnly';
  /** The schemas that enclose the current one. A schema inside itself accepts any value. */
  readonly #within: unknown[] = [];
  readonly #forms: SchemaForms;
  #parts = 0;

  /** One reader for each operation, because it counts the operation's parts. */
  constructor(reader: SpecReader, direction: 'sent' | 'received' = 'sent') {
    this.#reader = reader;
    this.#forms = new SchemaForms(reader);
    this.#absent = direction === 'sent' ? 'readOnly' : 'writeOnly';
  }

  read(node: SpecNode, depth = 0): ValueShape {
    const found = this.#reader.resolve(node);
    const isTooMuch = depth > MAX_DEPTH || ++this.#parts > MAX_PARTS;
    if (!found || isTooMuch || this.#within.includes(found.value)) return open(found);
    this.#within.push(found.value);
    const shape = this.#shape(found, depth);
    this.#within.pop();
    const name = schemaName(found);
    return name === undefined ? shape : { ...shape, [SCHEMA_NAME]: name };
  }

  #shape(found: SpecNode, depth: number): ValueShape {
    const { forms, isCut } = this.#forms.of(found);
    const shapes = distinct(forms.map((form) => this.#single(form, depth)));
    // A value of a form that was dropped must be accepted, too.
    if (isCut) shapes.push({ type: 'any' });
    const [only, ...others] = shapes as [ValueShape, ...ValueShape[]];
    if (others.length === 0) return only;
    const description = lineOf(textOf(found, 'description'), DESCRIPTION_LENGTH);
    return {
      type: 'union',
      ...(description === undefined ? {} : { description }),
      ...(shapes.some(({ nullable }) => nullable) ? { nullable: true } : {}),
      one_of: shapes.map(withoutNull),
    };
  }

  /** A schema without alternatives. */
  #single(schema: SpecNode, depth: number): ValueShape {
    const type = this.#typeOf(schema);
    const shape: Mutable<ValueShape> = { type };
    const name = (schema.value as NamedSchema)[SCHEMA_NAME];
    if (name !== undefined) shape[SCHEMA_NAME] = name;
    const description = lineOf(textOf(schema, 'description'), DESCRIPTION_LENGTH);
    if (description !== undefined) shape.description = description;
    if (isNullable(schema)) shape.nullable = true;
    Object.assign(shape, constraintsOf(schema, type, this.#reader.findings));
    if (type === 'array') Object.assign(shape, this.#elements(schema, depth));
    if (type === 'object') Object.assign(shape, this.#object(schema, depth));
    return shape;
  }

  /** Before 3.1, `items` may be the list of the first elements, and `additionalItems` has the rest. */
  #elements(schema: SpecNode, depth: number): Partial<ValueShape> {
    const { value } = schema;
    const firstKey = Array.isArray(memberOf(value, 'items')) ? 'items' : 'prefixItems';
    const restKey = firstKey === 'items' ? 'additionalItems' : 'items';
    const first = childOf(schema, firstKey);
    const list = Array.isArray(first.value) ? (first.value as unknown[]) : [];
    const rest = memberOf(value, restKey);
    const most = memberOf(value, 'maxItems');
    const isFull = rest === false && !(typeof most === 'number' && most < list.length);
    return {
      ...(list.length === 0
        ? {}
        : { prefix_items: list.map((_, i) => this.read(childOf(first, i), depth + 1)) }),
      ...(isObject(rest) ? { items: this.read(childOf(schema, restKey), depth + 1) } : {}),
      ...(isFull ? { max_items: list.length } : {}),
    };
  }

  /** The properties of an object, without those that do not exist in this direction. */
  #object(schema: SpecNode, depth: number): Partial<ValueShape> {
    const required = new Set(wordsAt(schema, 'required'));
    const properties: [string, PropertyShape][] = [];
    // Some schemas require a property that they do not describe.
    const undescribed = new Set([...required].filter((key) => !RESERVED.has(key)));
    for (const [key, property] of this.#reader.entries(childOf(schema, 'properties'))) {
      undescribed.delete(key);
      if (memberOf(property.value, this.#absent) === true) continue;
      if (RESERVED.has(key)) {
        const message = `The property "${key}" has a name that no request may contain.`;
        this.#reader.findings.note('left-out', pointerOf(property), message);
        continue;
      }
      const shape = this.read(property, depth + 1);
      properties.push([key, required.has(key) ? { ...shape, required: true } : shape]);
    }
    for (const key of undescribed) properties.push([key, { type: 'any', required: true }]);
    const others = this.#others(schema, depth);
    const isClosed = memberOf(schema.value, 'additionalProperties') === false;
    // Without a description of any property, there are more than the required ones.
    const isBare = properties.length === 0 || memberOf(schema.value, 'properties') === undefined;
    const free = others ?? (isBare && !isClosed ? true : undefined);
    return {
      ...(properties.length === 0 && free !== undefined
        ? {}
        : { properties: Object.fromEntries(properties) }),
      ...(free === undefined ? {} : { additional_properties: free }),
    };
  }

  /** The values of other keys. `true`: any values. `undefined`: the schema names no other keys. */
  #others(schema: SpecNode, depth: number): true | ValueShape | undefined {
    const more = memberOf(schema.value, 'additionalProperties');
    // An adapter has no patterns for keys, so every key is accepted.
    if (isObject(memberOf(schema.value, 'patternProperties'))) return true;
    if (!isObject(more)) return more === true ? true : undefined;
    const shape = this.read(childOf(schema, 'additionalProperties'), depth + 1);
    return shape.type === 'any' ? true : shape;
  }

  #typeOf(schema: SpecNode): ParamType {
    const said = memberOf(schema.value, 'type');
    return (isType(said) ? said : impliedType(schema)) ?? 'any';
  }
}

/** An object or list that accepts anything. A single value keeps its type. */
function open(node: SpecNode | undefined): ValueShape {
  const said = memberOf(node?.value, 'type');
  const joined = Array.isArray(memberOf(node?.value, 'allOf')) ? ('object' as const) : undefined;
  const type = isType(said) ? said : ((node && impliedType(node)) ?? joined);
  return type === 'object' ? { type, additional_properties: true } : { type: type ?? 'any' };
}

function isType(value: unknown): value is ParamType {
  return (TYPES as readonly unknown[]).includes(value);
}

function impliedType({ value }: SpecNode): ParamType | undefined {
  const has = (key: string): boolean => memberOf(value, key) !== undefined;
  if (has('properties') || has('additionalProperties')) return 'object';
  if (has('items') || has('prefixItems')) return 'array';
  const [word] = wordsIn({ value }) ?? [];
  if (word !== undefined && word !== null) {
    const kind = typeof word;
    return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : undefined;
  }
  if (TEXT_KEYS.some(has)) return 'string';
  return NUMBER_KEYS.some(has) ? 'number' : undefined;
}

function isNullable({ value }: SpecNode): boolean {
  const type = memberOf(value, 'type');
  const words = memberOf(value, 'enum');
  return (
    memberOf(value, 'nullable') === true ||
    memberOf(value, 'x-nullable') === true ||
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(words) && words.includes(null))
  );
}

/** Null is allowed once for the whole union, not for each form. */
function withoutNull(shape: ValueShape): ValueShape {
  const { nullable: _, ...rest } = shape;
  return rest;
}

/** Each form once, in the order of the document. */
function distinct(shapes: readonly ValueShape[]): ValueShape[] {
  const { length } = shapes;
  if (length === 1) return [...shapes];
  const scalars = shapes.map((shape) => {
    const { description: _, enum: words, ...rest } = shape;
    return { words, rest };
  });
  const [first] = scalars;
  const isWords = scalars.every(({ words, rest }) => words && isSame(rest, first!.rest));
  // Merges several enums of one type.
  if (isWords)
    return [{ ...shapes[0]!, enum: [...new Set(scalars.flatMap(({ words }) => words!))] }];
  return [...new Map(shapes.map((shape) => [fingerprint(shape), shape])).values()];
}

function isSame(a: unknown, b: unknown): boolean {
  return fingerprint(a) === fingerprint(b);
}
