import { describe, expect, it } from 'vitest';

import { matches, wantedIn } from './host-proxy.js';
import { errorTextIn, refusalIn, Refusals, withSentence } from './refusals.js';

const failed = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { isError: true, content: [{ type: 'text', text }] },
  });

describe('what a sandbox refused', () => {
  it('is found in the text of an error', () => {
    expect(refusalIn("EROFS: read-only file system, open '/home/ada/x'", true)).toBe('/home/ada/x');
    expect(refusalIn('[Errno 30] Read-only file system: "/data/db"', true)).toBe('/data/db');
    expect(refusalIn("EROFS: read-only file system, open 'mine'", true)).toBe('mine');
    expect(refusalIn("EACCES: permission denied, mkdir '/home/ada/my files'", true)).toBe(
      '/home/ada/my files',
    );
    expect(refusalIn('touch: /data/a: Permission denied', true)).toBe('/data/a');
    expect(refusalIn('getaddrinfo EAI_AGAIN api.example.com', false)).toBe('the network');
    expect(refusalIn('getaddrinfo EAI_AGAIN api.example.com', true)).toBeUndefined();
    expect(refusalIn('not found: /home/ada/x', true)).toBeUndefined();
  });

  it('is found only in errors', () => {
    expect(errorTextIn(failed('EROFS'))).toBe('EROFS');
    expect(errorTextIn('{"id":1,"error":{"code":-32000,"message":"EACCES"}}')).toBe('EACCES');
    expect(
      errorTextIn('{"id":1,"result":{"content":[{"type":"text","text":"EROFS"}]}}'),
    ).toBeUndefined();
    for (const odd of [
      '"isError"',
      '{"isError":true',
      '{"result":{"isError":true,"content":7}}',
      '["isError"]',
    ]) {
      expect(errorTextIn(odd), odd).toBeUndefined();
    }
  });

  it('is added to the answer', () => {
    const { result } = JSON.parse(withSentence(failed('EROFS'), 'Refused.')) as {
      result: { content: { text: string }[] };
    };
    expect(result.content.map(({ text }) => text)).toEqual(['EROFS', 'Refused.']);
    expect(withSentence('{"id":1,"error":{"code":1,"message":"no"}}', 'Refused.')).toContain(
      '"no Refused."',
    );
  });

  it('is kept, each once, the newest last, and not without end', () => {
    const refusals = new Refusals();
    for (const what of ['/a', '/b', '/a']) refusals.add(what);
    expect(refusals.list).toEqual(['/b', '/a']);
    expect(refusals.total).toBe(3);
    for (let i = 0; i < 200; i += 1) refusals.add(`/${i}`);
    expect(refusals.list).toHaveLength(50);
  });
});

describe('a host in the list', () => {
  it.each([
    ['api.example.com:443', 'API.example.com.', 443, true],
    ['api.example.com:443', 'api.example.com', 80, false],
    ['api.example.com:443', 'api.example.com.evil.test', 443, false],
    ['*.example.com:443', 'a.b.example.com', 443, true],
    ['*.example.com:443', 'example.com', 443, false],
    ['*.example.com:443', 'notexample.com', 443, false],
    ['[::1]:5432', '::1', 5432, true],
  ])('%s, and %s:%i: %s', (pattern, host, port, isAllowed) => {
    expect(matches(pattern, { host, port })).toBe(isAllowed);
  });

  it('is read with its port only', () => {
    for (const odd of ['', 'a', 'a:', 'a:99999', 'a b:1', 'u@a:1', 'a/b:1', 'a:1:2']) {
      expect(wantedIn(odd), odd).toBeUndefined();
    }
  });
});
