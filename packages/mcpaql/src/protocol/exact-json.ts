/** JSON without loss: integers past 2^53 are text for us, and numbers at the target. */

import { randomUUID } from 'node:crypto';

import { isObject } from '@callsign/core';

import type { ValueShape } from '../adapter/adapter-document.js';
import { isLargeInteger } from '../adapter/large-integer.js';

/** A string, or a number. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON. Integers past 2^53 become text, all of them, so that a field has one type. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  return JSON.parse(
    text.replace(TOKENS, (token) => (isLargeInteger(token) ? `"${token}"` : token)),
  );
}

/** Random, so that no other text is taken for a number. */
const MARK = `${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** Writes JSON. Text that stands for an integer by its shape is written as a number. */
export function exactJson(value: unknown, shape: ValueShape): string {
  const json = JSON.stringify(value);
  if (!/"-?\d{16,}"/.test(json)) return json;
  return JSON.stringify(marked(value, shape)).replace(MARKED, '$1');
}

function marked(value: unknown, shape: ValueShape): unknown {
  const { items, prefix_items = [], properties = {}, additional_properties, one_of = [] } = shape;
  if (isLargeInteger(value)) return isNumber(shape) ? MARK + value : value;
  // The forms of a union differ in their keys, and one key has the same type in most of them.
  const form = one_of.find(({ type }) => type === (Array.isArray(value) ? 'array' : 'object'));
  if (form) return marked(value, form);
  if (Array.isArray(value)) {
    return value.map((element: unknown, i) => {
      const part = prefix_items[i] ?? items;
      return part ? marked(element, part) : element;
    });
  }
  if (!isObject(value)) return value;
  const others = typeof additional_properties === 'object' ? additional_properties : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const part = Object.hasOwn(properties, key) ? properties[key] : others;
      return [key, part ? marked(inner, part) : inner];
    }),
  );
}

/** Whether a value of this shape is a number, and never text. */
function isNumber({ type, one_of = [] }: ValueShape): boolean {
  if (type !== 'union') return type === 'integer' || type === 'number';
  return one_of.some(isNumber) && !one_of.some((form) => form.type === 'string');
}
