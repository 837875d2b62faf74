import { describe, expect, it } from 'vitest';

import { completeResult } from './complete-result.js';

const SELF = { name: 'callsign', title: 'Callsign', version: '1.2.3' };
const SIGNED = { 'io.modelcontextprotocol/serverInfo': SELF };
const complete = (json: string, method = 'tools/call'): unknown =>
  JSON.parse(completeResult(json, method, SELF));

describe('a result of the stateless era', () => {
  it.each([
    ['{"content":[]}', { content: [] }],
    ['{}', {}],
    [' { \n } ', {}],
    ['{"a":"}","b":{"c":1} }', { a: '}', b: { c: 1 } }],
    ['{"text":"\\u00e4"}', { text: 'ä' }],
    ['{"a":{"_meta":{"b":1}}}', { a: { _meta: { b: 1 } } }],
  ])('is said to be complete, and signed: %s', (json, members) => {
    expect(complete(json)).toEqual({ resultType: 'complete', ...members, _meta: SIGNED });
  });

  it.each(['"_meta"', '"\\u005fmeta"'])('keeps what the server says in %s', (key) => {
    const result = complete(`{${key}:{"own":true},"content":[]}`);
    expect(result).toEqual({
      resultType: 'complete',
      content: [],
      _meta: { own: true, ...SIGNED },
    });
  });

  it.each(['"resultType"', '"\\u0072esultType"'])('keeps the sort that is said in %s', (key) => {
    const text = completeResult(`{${key}:"input_required"}`, 'tools/call', SELF);
    expect(JSON.parse(text)).toEqual({ resultType: 'input_required', _meta: SIGNED });
    expect(text).not.toContain('complete');
  });

  it('may not be kept if it was read', () => {
    expect(complete('{"contents":[]}', 'resources/read')).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
  });
});
