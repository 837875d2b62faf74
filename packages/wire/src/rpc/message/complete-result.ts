/** Completes a server's result for the stateless era: type, server info and cache control. */

import { memberText, withMeta } from '@callsign/core';

import { META, type Implementation } from './protocol.js';

const TYPE_FIRST = '{"resultType":"';
const TYPE_LAST = ',"resultType":"complete"}';
/** The text of our server info, which never changes. */
const written = new WeakMap<Implementation, string>();

/** Adds only what is missing. Most results need one concatenation and no scan. */
export function completeResult(json: string, method: string, self: Implementation): string {
  const cache = method === 'resources/read' ? '"ttlMs":0,"cacheScope":"private",' : '';
  const head = `{"resultType":"complete",${cache}`;
  const hasType = hasTypeInPlace(json);
  if (!isUnsigned(json) || (!hasType && json.includes('"resultType"'))) {
    const signed = withMeta({ ok: true, json }, META.serverInfo, self).json;
    if (memberText(signed, 'resultType') !== undefined) return signed;
    return head + signed.slice(signed.indexOf('{') + 1);
  }
  const inner = json.slice(json.indexOf('{') + 1, json.lastIndexOf('}'));
  const comma = hasType || /\S/.test(inner) ? ',' : '';
  return `${hasType ? '{' : head}${inner}${comma}"_meta":{"${META.serverInfo}":${textOf(self)}}}`;
}

/** A search is much cheaper than a scan. Escapes allow many spellings of a key. */
function isUnsigned(json: string): boolean {
  return !json.includes('"_meta"') && !json.includes('\\u');
}

/**
 * Whether the type is where most servers put it. A nested value cannot match: the last brace
 * belongs to the result itself, and quotes inside texts are escaped.
 */
function hasTypeInPlace(json: string): boolean {
  return json.startsWith(TYPE_FIRST) || json.endsWith(TYPE_LAST);
}

function textOf(self: Implementation): string {
  let text = written.get(self);
  if (text === undefined) written.set(self, (text = JSON.stringify(self)));
  return text;
}
