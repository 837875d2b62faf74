import { describe, expect, it } from 'vitest';

import { readMessage } from './message.js';

describe('reading a message', () => {
  it('finds the routing fields of a call, and keeps the rest as text', () => {
    const params =
      '{"arguments":{"n":12345678901234567890,"name":"inner"},"name":"fs:read","_meta":{"progressToken":7}}';
    const message = readMessage(
      `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":${params}}`,
    )!;
    expect(message).toMatchObject({ id: '"a"', method: 'tools/call', params });
    expect(params.slice(message.nameStart, message.nameEnd)).toBe('"fs:read"');
    expect(params.slice(message.tokenStart, message.tokenEnd)).toBe('7');
    expect(params.slice(message.metaStart, message.metaEnd)).toBe('{"progressToken":7}');
  });

  it('reads answers, in any order of members', () => {
    expect(readMessage('{"result":{"a":1.0},"id":3,"jsonrpc":"2.0"}')).toMatchObject({
      id: '3',
      result: '{"a":1.0}',
      error: undefined,
      method: undefined,
    });
    expect(readMessage('{"error":{"code":1},"id":null}')).toMatchObject({
      id: undefined,
      error: '{"code":1}',
    });
  });

  it('reads pretty-printed text', () => {
    const message = readMessage(' {\n  "method": "ping",\r\n "id" : 1 }\n');
    expect(message).toMatchObject({ method: 'ping', id: '1', params: undefined });
  });

  it('finds the name and the URI in any order', () => {
    for (const params of ['{"uri":"u","name":"n"}', '{"name":"n","uri":"u"}']) {
      const message = readMessage(`{"id":1,"method":"tools/call","params":${params}}`)!;
      expect(params.slice(message.nameStart, message.nameEnd)).toBe('"n"');
      expect(params.slice(message.uriStart, message.uriEnd)).toBe('"u"');
    }
  });

  it.each([
    ['two ids', '{"id":1,"id":2,"method":"x"}'],
    ['two methods', '{"id":1,"method":"x","method":"y"}'],
    ['an escaped second method', '{"id":1,"method":"x","meth\\u006fd":"y"}'],
    ['two params', '{"id":1,"method":"x","params":{},"params":{}}'],
    ['two names', '{"id":1,"method":"tools/call","params":{"name":"a","n\\u0061me":"b"}}'],
    ['two URIs', '{"id":1,"method":"resources/read","params":{"uri":"a","uri":"b"}}'],
    ['two _meta', '{"id":1,"method":"x","params":{"_meta":{},"_meta":{}}}'],
    [
      'two tokens',
      '{"id":1,"method":"x","params":{"_meta":{"progressToken":1,"progressToken":2}}}',
    ],
    ['a name in other letters', '{"id":1,"method":"x","params":{"name":"a","Name":"b"}}'],
    ['V7: two arguments', '{"id":1,"method":"x","params":{"arguments":{},"\\u0061rguments":{}}}'],
    ['arguments in other letters', '{"id":1,"method":"x","params":{"ARGUMENTS":{}}}'],
    ['text after the end', '{"id":1,"method":"x"}{"id":2,"method":"y"}'],
    ['a method that is no text', '{"id":1,"method":7}'],
    ['nothing to route by', '{"id":1}'],
    ['another JSON-RPC', '{"jsonrpc":"1.0","id":1,"result":{}}'],
    ['an array', '[{"id":1,"method":"x"}]'],
    ['broken JSON inside', '{"id":1,"method":"x","params":{"a":tru}}'],
    ['no JSON', 'Server started on port 3000'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(readMessage(text)).toBeUndefined();
  });
});
