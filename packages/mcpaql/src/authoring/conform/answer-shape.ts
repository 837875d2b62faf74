/** Compares the answer of an operation with the type that the adapter declares for it. */

import { isObject } from '@callsign/core';

import type { PropertyShape } from '../../adapter/adapter-document.js';
import type { Adapter, Operation } from '../../adapter/adapter.js';
import { typeFits } from '../../adapter/type-fits.js';

/** Elements of a list that are compared, and differences that are named. */
const MAX_ELEMENTS = 20;
const MAX_DIFFERENCES = 5;

/** The differences, in words. `undefined`: the adapter declares no type, or one without fields. */
export function shapeDifferences(
  data: unknown,
  operation: Operation,
  { types }: Pick<Adapter, 'types'>,
): readonly string[] | undefined {
  const { response, pagination } = operation;
  const fields = types.get(response.type)?.fields;
  // Of an answer with the list inside, the declared type is that of the answer, which is gone.
  if (!fields || response.format !== 'json' || pagination?.items !== undefined) return undefined;
  const listed = pagination && isObject(data) ? data['items'] : data;
  const things = Array.isArray(listed) ? (listed as unknown[]).slice(0, MAX_ELEMENTS) : [listed];
  const found = things.flatMap((thing) => differencesOf(thing, fields, response.type));
  return [...new Set(found)].slice(0, MAX_DIFFERENCES);
}

function differencesOf(
  thing: unknown,
  fields: Readonly<Record<string, PropertyShape>>,
  type: string,
): string[] {
  if (!isObject(thing)) return [`${type} is ${nameOf(thing)} instead of object`];
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = Object.hasOwn(thing, key) ? thing[key] : undefined;
    if (value === undefined) return field.required ? [`${type}.${key} is missing`] : [];
    if (typeFits(value, field)) return [];
    return [`${type}.${key} is ${nameOf(value)} instead of ${field.type}`];
  });
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Number.isInteger(value)) return 'integer';
  return Array.isArray(value) ? 'array' : typeof value;
}
