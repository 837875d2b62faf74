import { describe, expect, it } from 'vitest';

import { shownAddress, shownArgs, shownEntry, shownUrl, shownValue } from './hidden-secrets.js';

describe('the shown form of an entry', () => {
  it.each([
    ['${TOKEN}', '${TOKEN}'],
    ['Bearer ${TOKEN}', 'Bearer ${TOKEN}'],
    ['$TOKEN', '$TOKEN'],
    ['secret', '***'],
    ['secret ${TOKEN}secret', '***'],
    ['${TOKEN:-x} and more', '***'],
  ])('of the value %s is %s', (value, shown) => {
    expect(shownValue(value)).toBe(shown);
  });

  it('contains no secret of a command line', () => {
    expect(shownArgs(['--token', 'abc', '--api-key=def', '-y', 'pkg', '--port', '80'])).toEqual([
      '--token',
      '***',
      '--api-key=***',
      '-y',
      'pkg',
      '--port',
      '80',
    ]);
    expect(shownArgs(['ghp_0123456789abcdef', '/some/long/path/with/1/number'])).toEqual([
      '***',
      '/some/long/path/with/1/number',
    ]);
    expect(shownArgs(['--token', '${T}', '--auth', '--verbose'])).toEqual([
      '--token',
      '${T}',
      '--auth',
      '--verbose',
    ]);
  });

  it('contains no secret of an address', () => {
    expect(shownUrl('https://me:pw@x.example/mcp?key=abc&v=${V}')).toBe(
      'https://***@x.example/mcp?key=***&v=${V}',
    );
  });

  it('contains no key in the path of an address', () => {
    expect(shownUrl('https://x.example/s/ghp_0123456789abcdef/mcp')).toBe(
      'https://x.example/s/***/mcp',
    );
    expect(shownUrl('https://x.example/3675b69e-8324-4110-bdca-059031aa8da3/mcp?v=${V}')).toBe(
      'https://x.example/***/mcp?v=${V}',
    );
    const plain = 'https://x.example/api/v1/streamable-http-endpoint/${KEY}/mcp';
    expect(shownUrl(plain)).toBe(plain);
    expect(shownEntry({ url: 'https://x.example/ghp_0123456789abcdef' })).toEqual({
      url: 'https://x.example/***',
    });
  });

  it('N16: contains no password of an address, at any place', () => {
    const address = 'postgresql://ann:hunter2@localhost/db';
    const hidden = 'postgresql://***@localhost/db';
    expect(shownArgs(['-y', address, `--dsn=${address}`])).toEqual([
      '-y',
      hidden,
      `--dsn=${hidden}`,
    ]);
    expect(shownAddress({ command: 'x', args: [address] })).not.toContain('hunter2');
    expect(shownEntry({ command: 'x', args: [address], database: address })).toEqual({
      command: 'x',
      args: [hidden],
      database: hidden,
    });
    expect(shownUrl('https://me:p@ss@x.example/mcp')).toBe('https://***@x.example/mcp');
    expect(shownArgs(['https://x.example/@scope/pkg'])).toEqual(['https://x.example/@scope/pkg']);
  });

  it('can be pasted if nothing is hidden', () => {
    expect(shownAddress({ command: 'a b', args: ["it's"] })).toBe(`'a b' 'it'\\''s'`);
  });

  it('hides values of env and headers, and fields with the name of a secret', () => {
    const entry = {
      command: { path: 'x', env: { A: '1' } },
      headers: { H: 'x' },
      oauth: { client_secret: 'hush', scopes: ['read'] },
      timeout: 5,
    };
    expect(shownEntry(entry)).toEqual({
      command: { path: 'x', env: { A: '***' } },
      headers: { H: '***' },
      oauth: { client_secret: '***', scopes: ['read'] },
      timeout: 5,
    });
  });
});
