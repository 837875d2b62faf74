/** A server's result as the stateless era wants it: complete, with our name on it, and cacheable or not. */

import { memberText, withMeta } from '@callsign/core';

import { META } from '../message/protocol.js';
import type { Implementation } from '../message/protocol.js';

const TYPE_FIRST = '{"resultType":"';
const TYPE_LAST = ',"resultType":"complete"}';
/** What we say of ourselves does not change. */
const written = new WeakMap<Implementation, string>();

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

/** As most results are; a search is much cheaper than a scan. With escapes, a key may be written in many ways. */
function isUnsigned(json: string): boolean {
  return !json.includes('"_meta"') && !json.includes('\\u');
}

/**
 * Whether its type stands where most servers put it. Nothing deeper can be taken for it: the last brace is
 * that of the whole, and quotes inside of texts are escaped.
 */
function hasTypeInPlace(json: string): boolean {
  return json.startsWith(TYPE_FIRST) || json.endsWith(TYPE_LAST);
}

function textOf(self: Implementation): string {
  let text = written.get(self);
  if (text === undefined) written.set(self, (text = JSON.stringify(self)));
  return text;
}
