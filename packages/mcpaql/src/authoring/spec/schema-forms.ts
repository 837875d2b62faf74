/**
 * Lists the forms of a schema: `allOf` is merged; `oneOf`, `anyOf` and lists of types are
 * alternatives.
 */

import { isObject, memberOf } from '@callsign/core';

import { SCHEMA_NAME } from '../../adapter/value-keys.js';
import { childOf, schemaName, type SpecNode, textOf } from './spec-node.js';
import type { SpecReader } from './spec-reader.js';

/** A schema with the name that it has in the document. */
export interface NamedSchema {
  readonly [SCHEMA_NAME]?: string;
}

type Schema = Readonly<Record<string, unknown>> & NamedSchema;

/** More forms are dropped: no model would read them. */
const MAX_FORMS = 16;
const MAX_CHOICES = 50;
const MAX_DEPTH = 6;
/** Keys that make a choice a separate form. A choice without them only narrows the schema. */
const SHAPING: readonly string[] = [
  'type',
  'properties',
  'items',
  'enum',
  'const',
  'format',
  'pattern',
  'additionalProperties',
  'contentMediaType',
];

export class SchemaForms {
  readonly #reader: SpecReader;
  /** By schema and depth: schemas that refer to each other would be followed again and again. */
  readonly #known = new WeakMap<object, Map<number, Schema[]>>();

  constructor(reader: SpecReader) {
    this.#reader = reader;
  }

  /** At least one form. Each is a schema without alternatives. `isCut`: there are more. */
  of(node: SpecNode): { readonly forms: SpecNode[]; readonly isCut: boolean } {
    const all = this.#schemas(node, 0).flatMap(byType);
    const forms = all.slice(0, MAX_FORMS).map((value) => ({ ...node, value }));
    return { forms, isCut: all.length > MAX_FORMS };
  }

  #schemas(node: SpecNode, depth: number): Schema[] {
    if (!isObject(node.value)) return [{}];
    const { allOf, oneOf, anyOf, ...own } = node.value;
    if ((!allOf && !oneOf && !anyOf) || depth > MAX_DEPTH) return [own];
    const known = this.#known.get(node.value) ?? new Map<number, Schema[]>();
    this.#known.set(node.value, known);
    const before = known.get(depth);
    if (before) return before;
    let forms: readonly Schema[] = [own];
    const parts = this.#elements(node, 'allOf');
    for (const part of parts) {
      // One part is the way to add a description to a reference.
      const schemas = this.#schemas(part, depth + 1);
      forms = product(
        forms,
        parts.length === 1 ? schemas.map((each) => named(each, part)) : schemas,
      );
    }
    for (const key of ['oneOf', 'anyOf']) {
      const choices = this.#elements(node, key);
      const real = choices.filter(({ value }) => memberOf(value, 'type') !== 'null');
      if (real.length < choices.length) forms = forms.map((form) => ({ ...form, nullable: true }));
      const alternatives = real.flatMap((choice) =>
        this.#schemas(choice, depth + 1).map((form) =>
          named(this.#marked(form, choice, node), choice),
        ),
      );
      if (alternatives.some(isForm)) forms = product(forms, alternatives.filter(isForm));
    }
    const found = [...forms];
    known.set(depth, found);
    return found;
  }

  #elements(node: SpecNode, key: string): SpecNode[] {
    const list = memberOf(node.value, key);
    if (!Array.isArray(list)) return [];
    return list.slice(0, MAX_CHOICES).flatMap((raw: unknown, i) => {
      const found = this.#reader.resolve(childOf(childOf(node, key), i));
      if (!found || !isObject(found.value)) return [];
      const reference = memberOf(raw, '$ref');
      return [{ ...found, ...(typeof reference === 'string' ? { reference } : {}) }];
    });
  }

  /** A `discriminator` property distinguishes the forms: each form has its own constant there. */
  #marked(form: Schema, choice: SpecNode & { reference?: string }, node: SpecNode): Schema {
    const discriminator = childOf(node, 'discriminator');
    const property = textOf(discriminator, 'propertyName');
    const { reference } = choice;
    if (property === undefined || reference === undefined) return form;
    const mapping = memberOf(discriminator.value, 'mapping');
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    const words = Object.entries(isObject(mapping) ? mapping : {}).flatMap(([word, to]) =>
      to === reference || to === name ? [word] : [],
    );
    const properties = isObject(form['properties']) ? form['properties'] : {};
    const there = this.#reader.resolve({ ...choice, value: memberOf(properties, property) })?.value;
    if (memberOf(there, 'enum') !== undefined || memberOf(there, 'const') !== undefined)
      return form;
    const marked = {
      ...(isObject(there) ? there : { type: 'string' }),
      enum: words.length > 0 ? words : [name],
    };
    const required = Array.isArray(form['required']) ? (form['required'] as unknown[]) : [];
    return {
      ...form,
      properties: { ...properties, [property]: marked },
      required: [...new Set([...required, property])],
    };
  }
}

function named(schema: Schema, node: SpecNode): Schema {
  const name = schemaName(node);
  return name === undefined ? schema : { ...schema, [SCHEMA_NAME]: name };
}

/** The values of an `enum`, or that of a `const`. */
export function wordsIn({ value }: Pick<SpecNode, 'value'>): unknown[] | undefined {
  const words = memberOf(value, 'enum');
  if (Array.isArray(words)) return words as unknown[];
  const only = memberOf(value, 'const');
  return only === undefined ? undefined : [only];
}

/** `type: [string, integer]` has one form for each type. */
function byType(schema: Schema): Schema[] {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return [schema];
  const nullable = type.includes('null') ? { nullable: true } : {};
  const types = type.filter((each) => each !== 'null');
  if (types.length === 0) return [{ ...rest, ...nullable }];
  return types.map((each: unknown) => ({ ...rest, ...nullable, type: each }));
}

function isForm(schema: Schema): boolean {
  return SHAPING.some((key) => schema[key] !== undefined);
}

/** One more than allowed, if there are so many, shows that there are too many. */
function product(left: readonly Schema[], right: readonly Schema[]): Schema[] {
  const forms: Schema[] = [];
  for (const a of left) {
    for (const b of right) {
      if (forms.length > MAX_FORMS) return forms;
      forms.push(joined(a, b));
    }
  }
  return forms;
}

/** Merges two schemas: properties and required keys of both. For other keys the first one counts. */
function joined(left: Schema, right: Schema): Schema {
  const properties = [left['properties'], right['properties']].filter(isObject);
  const required = [left['required'], right['required']].filter(Array.isArray).flat() as unknown[];
  return {
    ...right,
    ...left,
    ...(properties.length === 0
      ? {}
      : { properties: Object.fromEntries(properties.flatMap((each) => Object.entries(each))) }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}
