/** A server's result as the stateless era wants it: complete, with our name on it, and cacheable or not. */

import { memberText, withMeta } from '@callsign/core';

import { META } from '../protocol.js';
import type { Implementation } from '../protocol.js';

export function completeResult(json: string, method: string, self: Implementation): string {
  const cache = method === 'resources/read' ? '"ttlMs":0,"cacheScope":"private",' : '';
  const head = `{"resultType":"complete",${cache}`;
  if (saysNothingOfItself(json)) {
    const inner = json.slice(json.indexOf('{') + 1, json.lastIndexOf('}'));
    const comma = /\S/.test(inner) ? ',' : '';
    return `${head}${inner}${comma}"_meta":{"${META.serverInfo}":${JSON.stringify(self)}}}`;
  }
  const signed = withMeta({ ok: true, json }, META.serverInfo, self).json;
  if (memberText(signed, 'resultType') !== undefined) return signed;
  return head + signed.slice(signed.indexOf('{') + 1);
}

/** As most results do; a search is much cheaper than a scan. With escapes, a key may be written in many ways. */
function saysNothingOfItself(json: string): boolean {
  return !json.includes('"_meta"') && !json.includes('"resultType"') && !json.includes('\\u');
}
