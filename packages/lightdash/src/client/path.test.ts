import { describe, expect, it } from 'vitest';

import { path } from './path.js';

describe('a path', () => {
  it.each([
    ['a b', '/x/a%20b/y'],
    ['../admin', '/x/..%2Fadmin/y'],
    ['a?role=admin', '/x/a%3Frole%3Dadmin/y'],
    ['a#b', '/x/a%23b/y'],
    ['%2e%2e', '/x/%252e%252e/y'],
    ['a/b', '/x/a%2Fb/y'],
    ['é💡', '/x/%C3%A9%F0%9F%92%A1/y'],
    ['__proto__', '/x/__proto__/y'],
  ])('keeps %s in its place', (value, expected) => {
    const made = path`/x/${value}/y`;
    expect(made).toBe(expected);
    const url = new URL(made, 'https://example.com');
    expect([url.pathname, url.search, url.hash]).toEqual([expected, '', '']);
  });

  it.each([
    ['', 'is empty'],
    ['.', 'another address'],
    ['..', 'another address'],
    ['a\u0000b', 'control characters'],
    ['a\r\nHost: x', 'control characters'],
    ['\ud800', 'not well-formed'],
    ['x'.repeat(256), '256 characters'],
  ])('refuses %j', (value, why) => {
    expect(() => path`/x/${value}`).toThrow(why);
  });
});
