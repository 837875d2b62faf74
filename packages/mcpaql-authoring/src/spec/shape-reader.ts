/** JSON Schema, as OpenAPI and MCP write it, read into what an adapter knows of a value. */

import type { ParamType, PropertyShape, ValueShape } from '@callsign/mcpaql';

import { constraintsOf } from './shape-constraints.js';
import {
  childOf,
  isRecord,
  lineOf,
  memberOf,
  pointerOf,
  type SpecNode,
  textOf,
  wordsAt,
} from './spec-node.js';
import type { SpecReader } from './spec-reader.js';

/** Deeper parts are left open: nobody reads them, and a schema may contain itself. */
const MAX_DEPTH = 4;
/** Parts of one operation; beyond them everything is left open. */
const MAX_PARTS = 300;
const DESCRIPTION_LENGTH = 200;
/** Keys that mean something to the language of whoever reads the adapter. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Of several types the one that can write most of the others. */
const WIDEST: readonly ParamType[] = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

export class ShapeReader {
  readonly #reader: SpecReader;
  /** Marks properties that are not there in this direction. */
  readonly #absent: 'readOnly' | 'writeOnly';
  /** What is being read, from the outside in: a schema inside itself is left open. */
  readonly #within: unknown[] = [];
  #parts = 0;

  /** One for each operation: what it counts is the operation's. */
  constructor(reader: SpecReader, direction: 'sent' | 'received' = 'sent') {
    this.#reader = reader;
    this.#absent = direction === 'sent' ? 'readOnly' : 'writeOnly';
  }

  read(node: SpecNode, depth = 0): ValueShape {
    const found = this.#reader.resolve(node);
    const isTooMuch = depth > MAX_DEPTH || ++this.#parts > MAX_PARTS;
    if (!found || isTooMuch || this.#within.includes(found.value)) return open(found);
    this.#within.push(found.value);
    const shape = this.#shape(found, depth);
    this.#within.pop();
    return shape;
  }

  #shape(found: SpecNode, depth: number): ValueShape {
    const schema = this.#merged(found, depth);
    const type = this.#typeOf(schema);
    const shape: Mutable<ValueShape> = { type };
    const description = lineOf(textOf(schema, 'description'), DESCRIPTION_LENGTH);
    if (description !== undefined) shape.description = description;
    if (isNullable(schema)) shape.nullable = true;
    Object.assign(shape, constraintsOf(schema, type, this.#reader.findings));
    const items = memberOf(schema.value, 'items');
    if (type === 'array' && isRecord(items)) {
      shape.items = this.read(childOf(schema, 'items'), depth + 1);
    }
    if (type === 'object') Object.assign(shape, this.#object(schema, depth));
    return shape;
  }

  /** What an object holds; a property that only the server writes is not there to be sent, for one. */
  #object(schema: SpecNode, depth: number): Partial<ValueShape> {
    const required = new Set(wordsAt(schema, 'required'));
    const properties: [string, PropertyShape][] = [];
    for (const [key, property] of this.#reader.entries(childOf(schema, 'properties'))) {
      if (memberOf(property.value, this.#absent) === true) continue;
      if (RESERVED.has(key)) {
        const message = `The property "${key}" has a name that no request may hold.`;
        this.#reader.findings.note('left-out', pointerOf(property), message);
        continue;
      }
      const shape = this.read(property, depth + 1);
      properties.push([key, required.has(key) ? { ...shape, required: true } : shape]);
    }
    const more = memberOf(schema.value, 'additionalProperties');
    const isOpen = more === true || isRecord(more);
    if (properties.length === 0) return { additional_properties: true };
    return {
      properties: Object.fromEntries(properties),
      ...(isOpen ? { additional_properties: true } : {}),
    };
  }

  /** `allOf` is one schema in parts; of `oneOf` and `anyOf` what all have in common is kept. */
  #merged(node: SpecNode, depth: number): SpecNode {
    const parts = this.#partsOf(node, 'allOf', depth);
    const choices = [
      ...this.#partsOf(node, 'oneOf', depth),
      ...this.#partsOf(node, 'anyOf', depth),
    ];
    if (parts.length === 0 && choices.length === 0) return node;
    const { allOf: _, oneOf: __, anyOf: ___, ...own } = node.value as Record<string, unknown>;
    const whole = parts.reduce((all, { value }) => joined(all, value), own);
    const real = choices.filter(({ value }) => memberOf(value, 'type') !== 'null');
    const chosen = real.length === 0 ? {} : this.#choice(node, real);
    const nullable = real.length < choices.length ? { nullable: true } : {};
    return { ...node, value: { ...joined(whole, chosen), ...nullable } };
  }

  #partsOf(node: SpecNode, key: string, depth: number): SpecNode[] {
    return this.#reader
      .elements(childOf(node, key))
      .slice(0, 50)
      .filter(({ value }) => isRecord(value))
      .map((part) => (depth < MAX_DEPTH ? this.#merged(part, depth + 1) : part));
  }

  #choice(node: SpecNode, choices: readonly SpecNode[]): Record<string, unknown> {
    const [first, ...others] = choices as readonly [SpecNode, ...SpecNode[]];
    if (others.length === 0) return first.value as Record<string, unknown>;
    const words = choices.map(wordsIn);
    if (words.every((list) => list !== undefined)) return { enum: words.flat() };
    const types = new Set(choices.map((choice) => this.#typeOf(choice)));
    const type = WIDEST.find((each) => types.has(each))!;
    const names = [...types].join(' or ');
    const message = `It takes one of several forms (${names}); it was taken as ${type}. Check it.`;
    this.#reader.findings.note('guess', pointerOf(node), message);
    if (type !== 'object') return { type };
    // What is not in every form is no duty of any.
    const objects = choices.filter((choice) => this.#typeOf(choice) === 'object');
    const all = objects.reduce((sum, { value }) => joined(sum, value), {});
    return { ...all, type, required: common(objects.map((each) => wordsAt(each, 'required'))) };
  }

  #typeOf(schema: SpecNode): ParamType {
    const said = memberOf(schema.value, 'type');
    const types = (Array.isArray(said) ? (said as unknown[]) : [said]).filter(isType);
    const [only, ...others] = types;
    if (only !== undefined && others.length === 0) return only;
    const type =
      only === undefined ? impliedType(schema) : WIDEST.find((each) => types.includes(each));
    if (only !== undefined || type === undefined) {
      const what = only === undefined ? 'no type' : `the types ${types.join(' and ')}`;
      const message = `It has ${what}; it was taken as ${type ?? 'string'}. Check it.`;
      this.#reader.findings.note('guess', pointerOf(schema), message);
    }
    return type ?? 'string';
  }
}

/** An object or list that may hold anything; a single value stays what it is. */
function open(node: SpecNode | undefined): ValueShape {
  const type = memberOf(node?.value, 'type');
  if (type === 'array') return { type };
  return isType(type) && type !== 'object'
    ? { type }
    : { type: 'object', additional_properties: true };
}

function isType(value: unknown): value is ParamType {
  return (WIDEST as readonly unknown[]).includes(value);
}

function impliedType({ value }: SpecNode): ParamType | undefined {
  const has = (key: string): boolean => memberOf(value, key) !== undefined;
  if (has('properties') || has('additionalProperties')) return 'object';
  if (has('items')) return 'array';
  const [word] = wordsIn({ value, document: '', path: '' }) ?? [];
  if (word !== undefined && word !== null) {
    const kind = typeof word;
    return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : undefined;
  }
  if (has('pattern') || has('format') || has('maxLength') || has('minLength')) return 'string';
  return has('minimum') || has('maximum') ? 'number' : undefined;
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

/** The values of an `enum` or the one of a `const`. */
function wordsIn({ value }: SpecNode): unknown[] | undefined {
  const words = memberOf(value, 'enum');
  if (Array.isArray(words)) return words as unknown[];
  const only = memberOf(value, 'const');
  return only === undefined ? undefined : [only];
}

/** Two schemas as one: properties and duties of both, and for the rest the first that says something. */
function joined(a: unknown, b: unknown): Record<string, unknown> {
  const [left, right] = [isRecord(a) ? a : {}, isRecord(b) ? b : {}];
  const properties = [left['properties'], right['properties']].filter(isRecord);
  const required = [left['required'], right['required']].filter(Array.isArray).flat() as unknown[];
  return {
    ...right,
    ...left,
    ...(properties.length === 0
      ? {}
      : { properties: Object.fromEntries(properties.flatMap((each) => Object.entries(each))) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function common(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  return first.filter((word) => others.every((list) => list.includes(word)));
}
