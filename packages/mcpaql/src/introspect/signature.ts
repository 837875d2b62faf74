/** How an operation is called, in one line: `(flag?: string, first?: integer 1..) — Lists the ships.` */

import { isObject } from '@callsign/core';

import type { OperationInfo, ParameterInfo } from './operation-info.js';

const DESCRIPTION_LENGTH = 160;

export function signatureOf({
  parameters,
  description,
}: Pick<OperationInfo, 'parameters' | 'description'>): string {
  const list = parameters.map(parameterText).join(', ');
  const meaning = description === '' ? '' : ` — ${firstSentence(description)}`;
  return `(${list})${meaning}`;
}

function parameterText(parameter: ParameterInfo): string {
  const { name, required, default: standard } = parameter;
  const value = standard === undefined ? '' : ` = ${JSON.stringify(standard)}`;
  return `${name}${required ? '' : '?'}: ${typeText(parameter)}${value}`;
}

function typeText(shape: Readonly<Record<string, unknown>>): string {
  const { type, enum: words, items, prefixItems, format, properties, additionalProperties } = shape;
  if (format === 'file') return 'file{base64|path}';
  const forms = shape['oneOf'] ?? shape['anyOf'];
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join('|');
  if (Array.isArray(forms)) {
    return [...new Set(forms.filter(isObject).map(typeText))].join('|') || 'any';
  }
  if (type === 'array') {
    const first = Array.isArray(prefixItems) ? prefixItems.filter(isObject).map(typeText) : [];
    if (first.length > 0) return `[${first.join(', ')}${isObject(items) ? ', …' : ''}]`;
    const element = isObject(items) ? typeText(items) : 'any';
    return `${/[|]/.test(element) ? `(${element})` : element}[]`;
  }
  if (type === 'object' && isObject(properties)) return objectText(properties, shape['required']);
  if (type === 'object' && isObject(additionalProperties)) {
    return `{[key]: ${typeText(additionalProperties)}}`;
  }
  const least = bound(shape['minimum'], shape['exclusiveMinimum'], '>');
  const most = bound(shape['maximum'], shape['exclusiveMaximum'], '<');
  const range = least === '' && most === '' ? '' : ` ${least}..${most}`;
  const kind = typeof format === 'string' ? `(${format})` : '';
  const word = Array.isArray(type) ? type.join('|') : typeof type === 'string' ? type : 'any';
  return `${word}${kind}${range}`;
}

function objectText(properties: Readonly<Record<string, unknown>>, required: unknown): string {
  const keys = new Set<unknown>(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(
    ([key, shape]) =>
      `${key}${keys.has(key) ? '' : '?'}: ${isObject(shape) ? typeText(shape) : 'any'}`,
  );
  return `{${members.join(', ')}}`;
}

function bound(value: unknown, exclusive: unknown, mark: string): string {
  if (typeof exclusive === 'number') return mark + String(exclusive);
  return typeof value === 'number' ? String(value) : '';
}

/** Up to the first full stop, at most one line. */
export function firstSentence(text: string): string {
  const line = text
    .slice(0, 4 * DESCRIPTION_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  const end = line.search(/[.!?](?:\s|$)/);
  const sentence = end === -1 ? line : line.slice(0, end + 1);
  return sentence.length <= DESCRIPTION_LENGTH
    ? sentence
    : `${sentence.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;
}
