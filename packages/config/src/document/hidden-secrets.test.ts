import { describe, expect, it } from 'vitest';

import {
  secretArgs,
  shownAddress,
  shownArgs,
  shownEntry,
  shownUrl,
  shownValue,
  startOf,
} from './hidden-secrets.js';

describe('the shown form of an entry', () => {
  it.each([
    ['${TOKEN}', '${TOKEN}'],
    ['Bearer ${TOKEN}', 'Bearer ${TOKEN}'],
    ['$TOKEN', '$TOKEN'],
    ['secret', '***'],
    ['secret ${TOKEN}secret', '***'],
    ['${TOKEN:-x} and more', '***'],
    ['${TOKEN:-ghp_0123456789abcdef}', '${TOKEN:-***}'],
    ['Bearer ${T:-ghp_0123456789abcdef}', 'Bearer ${T:-***}'],
    ['${env:T:-x}', '${env:T:-***}'],
    ['${X}secretpart', '***'],
    ['secretpart${X}', '***'],
    ['hunter2 ${X}', '***'],
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

  it('contains no secret of a fragment, of a default or after a second question mark', () => {
    expect(shownUrl('https://x.example/#token=ghp_0123456789abcdef')).toBe(
      'https://x.example/#token=***',
    );
    expect(shownUrl('https://x.example/a?b=1?c=2&d=${D:-x}#part')).toBe(
      'https://x.example/a?b=***&d=${D:-***}#part',
    );
    expect(shownUrl('https://x.example/${T:-a?b#c}/mcp')).toBe('https://x.example/${T:-***}/mcp');
    expect(shownUrl('https://x.example/?ghp_0123456789abcdef')).toBe('https://x.example/?***');
    expect(shownArgs(['${API_TOKEN:-hunter2}', '${PORT:-80}'])).toEqual([
      '${API_TOKEN:***}',
      '${PORT:-80}',
    ]);
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

  it('hides the same parts of a path as errors do', () => {
    const part = 'abcdefghijklmnopqrstuvwxy';
    expect(shownUrl(`https://a-very-long-name-of-a-host.example/s/${part}/mcp`)).toBe(
      'https://a-very-long-name-of-a-host.example/s/***/mcp',
    );
    const named = 'https://x.example/${A_LONG_NAME_OF_A_VARIABLE}/mcp';
    expect(shownUrl(named)).toBe(named);
    expect(shownUrl('${A_LONG_NAME_OF_A_VARIABLE}')).toBe('${A_LONG_NAME_OF_A_VARIABLE}');
  });

  it('contains no password that follows its flag directly', () => {
    const plain = ['-p', '-p8080', '-path', '-projects', '-p${PASSWORD}'];
    expect(shownArgs([...plain, '-pHunter2'])).toEqual([...plain, '-p***']);
    expect(
      secretArgs([...plain, '-pHunter2', '--token=a', '--api-key', 'b', 'https://u:p@x.example']),
    ).toEqual(['Hunter2', 'a', 'b', 'https://u:p@x.example']);
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

  it('shows every command to the person who accepts it', () => {
    const line = (...args: string[]) => startOf({ command: 'sh', args });
    expect(line('-c', 'token=1; touch /tmp/x; exec cat')).toBe(
      "sh -c 'token=1; touch /tmp/x; exec cat'",
    );
    for (const hiding of ['Cookie: a; rm -rf /', 'token="1;rm -rf /"', 'Authorization: rm -rf /']) {
      expect(line('-c', hiding)).toContain('rm -rf /');
    }
    expect(line('--token', './evil.sh')).toContain('./evil.sh');
    expect(line('API_TOKEN=hunter2', 'x')).toBe('sh API_TOKEN=*** x');
    expect(line('-c', 'K=ghp_0123456789abcdef; run')).toBe("sh -c 'K=***; run'");
    expect(line('postgres://ann:hunter2@db/x')).toBe('sh postgres://***@db/x');
    const url = '${U:-https://evil.example/mcp}';
    expect(startOf({ url })).toBe(url);
    expect(startOf({ url: 'https://a:b@x.example/?key=abc' })).toBe(
      'https://***@x.example/?key=***',
    );
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
