import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { longAnswerIn, type LongAnswer } from './long-answer.js';
import { readMessage } from './message.js';

// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these inside strings
const CONTROL = /[\u0000-\u001f]/;

function read(text: string): LongAnswer | undefined {
  const work = longAnswerIn(Buffer.from(text, 'latin1'), CONTROL.test(text));
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function resultOf(text: string): string | undefined {
  return read(text)?.result.text();
}

const answer = (result: string): string => `{"jsonrpc":"2.0","id":7,"result":${result}}`;

describe('a long answer in bytes', () => {
  it.each([
    '{}',
    '{"content":[]}',
    '{ "a" : [ 1 , -0.5e+10, 0E1, true, false, null, "", {} , [] ] }',
    String.raw`{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D","b":"x"}`,
    '{"a":{"isError":true}}',
  ])('has the result %s', (result) => {
    expect(read(answer(result))).toMatchObject({ id: '7', result: { isError: false } });
    expect(resultOf(answer(result))).toBe(result);
  });

  it.each([
    ['{"isError":true}', true],
    ['{"content":[],"isError": true }', true],
    ['{"isError":false}', false],
    ['{"isError":"true"}', false],
  ])('knows whether the tool has failed: %s', (result, isError) => {
    expect(read(answer(result))?.result.isError).toBe(isError);
  });

  it.each([
    ['in another order', '{"result":{"a":1},"id":"x","jsonrpc":"2.0"}', '"x"'],
    ['with white space', ' {\t"id" : 1 , "result" : {} } ', '1'],
    ['without a version', '{"id":1,"result":{}}', '1'],
    ['with a carriage return at its end', '{"id":1,"result":{}}\r', '1'],
  ])('may be %s', (_, text, id) => {
    expect(read(text)).toMatchObject({ id });
  });

  it.each([
    ['an error', '{"id":1,"error":{"code":1,"message":"x"}}'],
    ['a request', '{"id":1,"method":"ping","result":{}}'],
    ['a result that is not an object', answer('[1]')],
    ['another version', '{"jsonrpc":"1.0","id":1,"result":{}}'],
    ['a duplicate result', '{"id":1,"result":{},"result":{}}'],
    ['a duplicate isError', answer('{"isError":false,"isError":true}')],
    ['an escaped key', answer(String.raw`{"\u0069sError":true}`)],
    ['an escaped key of the message', String.raw`{"\u0069d":1,"result":{}}`],
    ['a carriage return within the result', answer('{"a":\r1}')],
    ['an unknown member', '{"id":1,"result":{},"more":1}'],
    ['two messages', `${answer('{}')}${answer('{}')}`],
    ['nothing', ''],
  ])('is left to the reader of texts: %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('pauses', () => {
    const work = longAnswerIn(Buffer.from(answer(`{"a":[${'1,'.repeat(200_000)}1]}`)), false);
    let pauses = 0;
    while (!work.next().done) pauses++;
    expect(pauses).toBeGreaterThan(5);
  });

  it('never accepts what is not valid, and reads the same as the reader of texts', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify({ a: value }));
    const cut = fc.record({
      json,
      at: fc.nat(),
      put: fc.constantFrom('', '"', '\\', '1', ',', '}', '\n', 'e', '-', '.'),
    });
    fc.assert(
      fc.property(cut, ({ json: result, at, put }) => {
        const whole = answer(result);
        const place = at % whole.length;
        const text = whole.slice(0, place) + put + whole.slice(place + 1);
        // Long lines with other characters are read as texts.
        // oxlint-disable-next-line no-control-regex -- ASCII
        if (!/^[\u0000-\u007f]*$/.test(text)) return;
        const [long, message] = [read(text), readMessage(text)];
        if (!long) return;
        expect([long.id, long.result.text()]).toEqual([message?.id, message?.result]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('accepts every valid answer of ASCII characters', () => {
    const ascii = fc.string({ unit: 'binary-ascii' });
    const value = fc.jsonValue({ stringUnit: 'binary-ascii' });
    fc.assert(
      fc.property(fc.dictionary(ascii, value), (result) => {
        const json = JSON.stringify(result);
        const hasEscapedKey = Object.keys(result).some((key) => JSON.stringify(key).includes('\\'));
        expect(resultOf(answer(json))).toBe(hasEscapedKey ? undefined : json);
      }),
    );
  });
});
