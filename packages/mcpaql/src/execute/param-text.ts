/** Writes values of parameters as text, in the OpenAPI styles for lists and objects. */

import { isObject } from '@callsign/core';

import type { Param } from '../adapter/adapter.js';

type Style = Pick<Partial<Param>, 'list_style' | 'object_style' | 'path_style'>;
/** Writes one name or value. Separators are not encoded, so that no value can contain one. */
type Encode = (text: string) => string;

/** The separators of a list in one value, as they stand in a query. */
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
    case 'pairs':
      return [[name, joinedText(value, object_style, formText)]];
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
    if (isObject(value)) return joinedText(value, object_style, encode);
  }
  return encode(plainText(value));
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
    : partsOf(value, object_style, encodeURIComponent);
  const isExploded = isList ? list_style === 'repeat' : object_style === 'pairs';
  if (!isExploded || path_style === undefined) return start + parts.join(',');
  const before = path_style === 'label' ? '.' : isList ? start : ';';
  return parts.map((part) => before + part).join('');
}

/** `a,1,b,2`, or `a=1,b=2`. */
function joinedText(value: object, style: Style['object_style'], encode: Encode): string {
  return partsOf(value, style, encode).join(',');
}

function partsOf(value: object, style: Style['object_style'], encode: Encode): string[] {
  const mark = style === 'pairs' ? '=' : ',';
  return entriesOf(value).map(([key, inner]) => `${encode(key)}${mark}${encode(plainText(inner))}`);
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
