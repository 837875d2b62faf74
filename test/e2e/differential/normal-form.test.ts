/** The comparison itself: it ignores allowed differences, and nothing else. */

import { describe, expect, it } from 'vitest';

import { rawMember } from '../clients/json-tree.js';
import { normalItems, normalQuestion, normalResult, tokens } from './normal-form.js';

const SIGNED = '"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}';

describe('the normal form of a result', () => {
  it('is without the fields of an era and of the signer', () => {
    const plain = '{"content":[],"_meta":{"a":1}}';
    expect(
      normalResult(
        `{"resultType":"complete","ttlMs":0, "cacheScope":"private","content":[],"_meta":{"a":1,${SIGNED}}}`,
      ),
    ).toBe(plain);
    expect(normalResult(`{"content":[],"_meta":{${SIGNED}}}`)).toBe('{"content":[]}');
  });

  it.each([
    ['the order of keys', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['how a number is written', '{"a":1.10}', '{"a":1.1}'],
    ['digits past what a number holds', '{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['how a text is escaped', '{"a":"\\u00e9"}', '{"a":"é"}'],
    ['an unknown field', '{"a":1,"x":null}', '{"a":1}'],
    ['an empty _meta', '{"_meta":{}}', '{}'],
    ['another _meta', '{"_meta":{"a":1}}', '{"_meta":{"a":2}}'],
    ['a field of the era further down', '{"a":{"ttlMs":1}}', '{"a":{}}'],
    ['a key that stands twice', '{"a":1,"a":1}', '{"a":1}'],
  ])('keeps %s', (_, one, other) => {
    expect(normalResult(one)).not.toBe(normalResult(other));
  });

  it('ignores space between tokens', () => {
    expect(tokens(' { "a" : [ 1 , "x y" ] } ')).toBe('{"a":[1,"x y"]}');
  });
});

describe('the normal form of a list', () => {
  it('is without our names and titles, and without the tools of others', () => {
    const own = '{"tools":[{"name":"t","inputSchema":{},"annotations":{"readOnlyHint":false}}]}';
    const ours =
      '{"tools":[{"name":"k:t","inputSchema":{},"annotations":{"readOnlyHint":false,"title":"K — T"},"title":"K — T"},{"name":"o:t","inputSchema":{}}]}';
    expect(normalItems(ours, 'tools', 'k:')).toEqual(normalItems(own, 'tools'));
  });

  it('keeps all claims', () => {
    const items = (annotations: string): string[] =>
      normalItems(
        `{"tools":[{"name":"t","inputSchema":{},"annotations":${annotations}}]}`,
        'tools',
      );
    expect(items('{"readOnlyHint":false}')).not.toEqual(items('{"title":"x"}'));
    expect(items('{"x-own":1}')).not.toEqual(items('{}'));
  });
});

describe('the normal form of a question', () => {
  it("is without the server's own count", () => {
    expect(normalQuestion('{"message":"?","_meta":{"progressToken":7}}')).toBe('{"message":"?"}');
    expect(normalQuestion('{"_meta":{"a":1,"progressToken":7}}')).toBe('{"_meta":{"a":1}}');
    expect(normalQuestion(undefined)).toBe('{}');
  });
});

describe('a raw member', () => {
  it('is found at the top level only, unchanged', () => {
    const text = '{"a":{"result":1},"s":"\\"result\\":2","result" : {"x" : "}" } ,"id":1}';
    expect(rawMember(text, 'result')).toBe('{"x" : "}" }');
    expect(rawMember(text, 'id')).toBe('1');
    expect(rawMember(text, 'x')).toBeUndefined();
  });
});
