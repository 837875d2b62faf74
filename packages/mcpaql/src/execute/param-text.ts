/** Writes values of parameters as text, in the OpenAPI styles for lists and objects. */

import { isObject } from '@callsign/core';

import type { Param } from '../adapter/adapter.js';

/** One or more pairs for a query or a form. */
export function pairsOf(
  name: string,
  value: unknown,
  { list_style, object_style }: Partial<Param>,
): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) {
    if (list_style === 'comma') return [[name, value.map(plainText).join(',')]];
    return value.flatMap((element: unknown, i) =>
      object_style === 'deep' && isObject(element)
        ? deepPairs(`${name}[${i}]`, element)
        : [[name, plainText(element)] as [string, string]],
    );
  }
  if (!isObject(value)) return [[name, plainText(value)]];
  switch (object_style) {
    case 'keys':
      return entriesOf(value).map(([key, inner]) => [key, plainText(inner)]);
    case 'deep':
      return deepPairs(name, value);
    case 'comma':
    case 'pairs':
      return [[name, joinedText(value, object_style)]];
    default:
      return [[name, plainText(value)]];
  }
}

/** One text for a path, a header or a cookie. `separator` separates elements. */
export function singleText(
  value: unknown,
  { object_style }: Partial<Param>,
  separator = ',',
): string {
  if (Array.isArray(value)) return value.map(plainText).join(separator);
  if (!isObject(value) || object_style === 'json') return plainText(value);
  return joinedText(value, object_style === 'pairs' ? 'pairs' : 'comma');
}

/** `a,1,b,2`, or `a=1,b=2`. */
function joinedText(value: object, style: 'comma' | 'pairs'): string {
  const mark = style === 'pairs' ? '=' : ',';
  return entriesOf(value)
    .map(([key, inner]) => `${key}${mark}${plainText(inner)}`)
    .join(',');
}

/** `filter[flag]=NO`, at every depth. */
function deepPairs(name: string, value: object): [string, string][] {
  return entriesOf(value).flatMap(([key, inner]) => {
    const path = `${name}[${key}]`;
    if (Array.isArray(inner))
      return inner.flatMap((each: unknown, i) =>
        isObject(each)
          ? deepPairs(`${path}[${i}]`, each)
          : [[`${path}[]`, plainText(each)] as [string, string]],
      );
    return isObject(inner) ? deepPairs(path, inner) : [[path, plainText(inner)]];
  });
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
}

function plainText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
