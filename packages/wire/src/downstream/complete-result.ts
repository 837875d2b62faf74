/** A server's result as the stateless era wants it: complete, with our name on it, and cacheable or not. */

import { membersOf, withMembers } from '@callsign/core';

import { META } from '../protocol.js';
import type { Implementation } from '../protocol.js';

const SORT_FIRST = '{"resultType":"';
const SORT_LAST = ',"resultType":"complete"}';

export function completeResult(json: string, method: string, self: Implementation): string {
  const cache = method === 'resources/read' ? '"ttlMs":0,"cacheScope":"private",' : '';
  const head = `{"resultType":"complete",${cache}`;
  const ours = textOf(self);
  const hasSort = hasSortInPlace(json);
  if (!isUnsigned(json) || (!hasSort && json.includes('"resultType"'))) {
    return rewritten(json, head, ours);
  }
  const inner = json.slice(json.indexOf('{') + 1, json.lastIndexOf('}'));
  const comma = hasSort || /\S/.test(inner) ? ',' : '';
  return `${hasSort ? '{' : head}${inner}${comma}"_meta":{"${META.serverInfo}":${ours}}}`;
}

/** As most results are; a search is much cheaper than a scan. With escapes, a key may be written in many ways. */
function isUnsigned(json: string): boolean {
  return !json.includes('"_meta"') && !json.includes('\\u');
}

/** Whether the sort of the result stands where most servers put it, and nothing deeper can be taken for it. */
function hasSortInPlace(json: string): boolean {
  return json.startsWith(SORT_FIRST) || json.endsWith(SORT_LAST);
}

function rewritten(json: string, head: string, ours: string): string {
  const members = membersOf(json);
  if (members === undefined) return json;
  const range = members.get('_meta');
  const meta = range ? json.slice(range.start, range.end) : '{}';
  const signed = withMembers(meta.startsWith('{') ? meta : '{}', { [META.serverInfo]: ours });
  const result = withMembers(json, { _meta: signed }, members);
  return members.has('resultType') ? result : head + result.slice(result.indexOf('{') + 1);
}

const written = new WeakMap<Implementation, string>();

function textOf(self: Implementation): string {
  let text = written.get(self);
  if (text === undefined) written.set(self, (text = JSON.stringify(self)));
  return text;
}
