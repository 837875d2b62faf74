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
  ])('gets a type and our server info: %s', (json, members) => {
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

  it.each(['"resultType"', '"\\u0072esultType"'])('keeps the type that %s states', (key) => {
    const text = completeResult(`{${key}:"input_required"}`, 'tools/call', SELF);
    expect(JSON.parse(text)).toEqual({ resultType: 'input_required', _meta: SIGNED });
    expect(text).not.toContain('complete');
  });

  it.each([
    '{"resultType":"complete"}',
    '{"resultType":"input_required","inputRequests":{}}',
    '{"content":[],"resultType":"complete"}',
    '{"content":[],"resultType":"complete" }',
    '{"structuredContent":{"a":1,"resultType":"complete"},"resultType":"complete"}',
  ])('keeps the type at any place: %s', (json) => {
    const result = completeResult(json, 'resources/read', SELF);
    expect(JSON.parse(result)).toEqual({ ...(JSON.parse(json) as object), _meta: SIGNED });
    expect(result.match(/"resultType"/g)).toEqual(json.match(/"resultType"/g));
  });

  it.each([
    '{"structuredContent":{"resultType":"complete"}}',
    '{"structuredContent":{"a":1,"resultType":"complete"}}',
    '{"x\\"resultType":"complete"}',
    '{"a":",\\"resultType\\":\\"complete\\"}"}',
  ])('reads its type from nowhere else: %s', (json) => {
    expect(complete(json)).toEqual({
      resultType: 'complete',
      ...(JSON.parse(json) as object),
      _meta: SIGNED,
    });
  });

  it('is not cached if it is a read', () => {
    expect(complete('{"contents":[]}', 'resources/read')).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
  });
});
