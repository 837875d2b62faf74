/** Writes values of parameters as text, in the OpenAPI styles for lists and objects. */

import { isObject } from '@callsign/core';

import type { Param } from '../adapter/adapter.js';

type Style = Pick<Partial<Param>, 'list_style' | 'object_style' | 'path_style'>;
/** Writes one name or value. Separators are not encoded, so that no value can contain one. */
type Encode = (text: string) => string;

/** The separators in one value, as they stand in a query. */
const SEPARATORS = { comma: ',', space: '%20', pipe: '%7C', tab: '%09' } as const;

const plain: Encode = (text) => text;

/** The encoded pairs of a parameter for a query or a form: `tags=a,b%2Cc`. */
export function pairsOf(name: string, value: unknown, style: Style): string[] {
  return writtenPairs(name, value, style).map(([key, text]) => `${formText(key)}=${text}`);
}

function writtenPairs(
  name: string,
  value: unknown,
  { list_style = 'repeat', object_style }: Style,
): [name: string, encoded: string][] {
  if (value === null) return [];
  if (object_style === 'json') return [[name, formText(plainText(value))]];
  if (Array.isArray(value)) {
    if (list_style !== 'repeat') {
      const texts = value.map((element) => formText(plainText(element)));
      return [[name, texts.join(SEPARATORS[list_style])]];
    }
    return value.flatMap((element: unknown, i) =>
      object_style === 'deep' && isObject(element)
        ? deepPairs(`${name}[${i}]`, element)
        : [[name, formText(plainText(element))] as [string, string]],
    );
  }
  if (!isObject(value)) return [[name, formText(plainText(value))]];
  switch (object_style) {
    case 'keys':
      return entriesOf(value).map(([key, inner]) => [key, formText(plainText(inner))]);
    case 'deep':
      return deepPairs(name, value);
    case 'comma':
    case 'space':
    case 'pipe':
      return [[name, joinedText(value, SEPARATORS[object_style], formText)]];
    case 'pairs':
      return [[name, partsOf(value, '=', formText).join(',')]];
    default:
      return [[name, formText(plainText(value))]];
  }
}

/** One text for a header, or with `encode` for a cookie. */
export function singleText(
  value: unknown,
  { object_style }: Style,
  encode: Encode = plain,
): string {
  if (object_style !== 'json') {
    if (Array.isArray(value)) return value.map((each) => encode(plainText(each))).join(',');
    if (isObject(value)) return partsOf(value, markOf(object_style), encode).join(',');
  }
  return encode(plainText(value));
}

/** The encoded cookies of a parameter: `tags=a,b`, or `tags=a` and `tags=b`. */
export function cookiesOf(name: string, value: unknown, style: Style): string[] {
  const { list_style, object_style } = style;
  if (Array.isArray(value) && list_style === 'repeat' && object_style !== 'json') {
    return value.map((element) => cookie(name, element));
  }
  if (isObject(value) && object_style === 'keys') {
    return entriesOf(value).map(([key, inner]) => cookie(key, inner));
  }
  return [`${encodeURIComponent(name)}=${singleText(value, style, encodeURIComponent)}`];
}

function cookie(name: string, value: unknown): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(plainText(value))}`;
}

/** One text for a path, encoded: `a,b`, `.a.b` or `;ids=a;ids=b`. */
export function pathText(name: string, value: unknown, style: Style): string {
  const { path_style, list_style, object_style } = style;
  const key = encodeURIComponent(name);
  const start = { label: '.', matrix: `;${key}=`, none: '' }[path_style ?? 'none'];
  const isList = Array.isArray(value);
  if ((!isList && !isObject(value)) || object_style === 'json') {
    return start + encodeURIComponent(plainText(value));
  }
  const parts = isList
    ? value.map((element) => encodeURIComponent(plainText(element)))
    : partsOf(value, markOf(object_style), encodeURIComponent);
  const isExploded = isList ? list_style === 'repeat' : object_style === 'pairs';
  if (!isExploded || path_style === undefined) return start + parts.join(',');
  const before = path_style === 'label' ? '.' : isList ? start : ';';
  return parts.map((part) => before + part).join('');
}

/** `a,1,b,2`. */
function joinedText(value: object, separator: string, encode: Encode): string {
  return partsOf(value, separator, encode).join(separator);
}

/** `a,1` and `b,2`. */
function partsOf(value: object, mark: string, encode: Encode): string[] {
  return entriesOf(value).map(([key, inner]) => `${encode(key)}${mark}${encode(plainText(inner))}`);
}

/** Between a key and its value outside a query. */
function markOf(style: Style['object_style']): string {
  return style === 'pairs' ? '=' : ',';
}

/** `filter[flag]=NO`, at every depth. */
function deepPairs(name: string, value: object): [string, string][] {
  return entriesOf(value).flatMap(([key, inner]) => {
    const path = `${name}[${key}]`;
    if (Array.isArray(inner))
      return inner.flatMap((each: unknown, i) =>
        isObject(each)
          ? deepPairs(`${path}[${i}]`, each)
          : [[`${path}[]`, formText(plainText(each))] as [string, string]],
      );
    return isObject(inner) ? deepPairs(path, inner) : [[path, formText(plainText(inner))]];
  });
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
}

export function plainText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** As in a form: a space becomes a plus sign. */
export function formText(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
