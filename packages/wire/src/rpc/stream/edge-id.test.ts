import { describe, expect, it } from 'vitest';

import { answerId, requestId } from './edge-id.js';

const long = 'x'.repeat(5_000);
const edges = (text: string) => [text.slice(0, 1_024), text.slice(-1_024)] as const;

describe('the id of a message by its edges', () => {
  it.each([
    [`{"jsonrpc":"2.0","id":7,"result":{"a":"${long}"}}`, '7'],
    [`{"id":7,"result":{"a":"${long}"}}`, '7'],
    [`{"id":"7","jsonrpc":"2.0","result":{"a":"${long}"}}`, '"7"'],
    [` { "jsonrpc" : "2.0" , "id" : 7 , "error" : {"message":"${long}"}}`, '7'],
    [`{"result":{"a":"${long}"},"jsonrpc":"2.0","id":7}`, '7'],
    [`{"result":{"a":"${long}"},"id":7,"jsonrpc":"2.0"}\r`, '7'],
    [`{"jsonrpc":"2.0","result":{"a":"${long}"},"id":7}`, '7'],
  ])('answer %.40s…', (text, id) => {
    expect(answerId(...edges(text))).toBe(id);
    expect(requestId(...edges(text))).toBeUndefined();
  });

  it.each([
    [`{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"${long}"}}`, '7'],
    [`{"method":"m","params":{"a":"${long}"},"jsonrpc":"2.0","id":7}`, '7'],
    [`{"params":{"a":"${long}"},"method":"m","id":"a b"}`, '"a b"'],
  ])('request %.40s…', (text, id) => {
    expect(requestId(...edges(text))).toBe(id);
    expect(answerId(...edges(text))).toBeUndefined();
  });

  it.each([
    ['an id deeper down', `{"result":{"a":"${long}","id":7}}`],
    ['an id within a text', `{"result":"${long},\\"id\\":7}"}`],
    ['an id that is no text and no number', `{"id":{},"result":"${long}"}`],
    ['an array', `[${long}]`],
    ['nothing', ''],
  ])('is not guessed from %s', (_, text) => {
    expect(answerId(...edges(text))).toBeUndefined();
  });
});
