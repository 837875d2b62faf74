import { describe, expect, it } from 'vitest';

import { OriginCheck } from './origin-check.js';

type Shown = Parameters<OriginCheck['refusal']>[0];

function request(host: string | undefined, origin?: string): Shown {
  return { headers: { host, origin }, rawHeaders: host === undefined ? [] : ['Host', host] };
}

describe('the origin check', () => {
  const check = new OriginCheck({
    allowedHosts: ['Box'],
    allowedOrigins: ['https://Good.example'],
  });

  it.each([
    ['localhost:3000', undefined],
    ['localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1:80', 'http://127.0.0.1'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['box', 'https://box'],
    ['BOX:1', 'https://good.example'],
  ])('accepts a request to %s from %s', (host, origin) => {
    for (let again = 0; again < 2; again++) {
      expect(check.refusal(request(host, origin))).toBeUndefined();
    }
  });

  it('V12: refuses two hosts, even if both are ours', () => {
    const { headers } = request('localhost:3000');
    const rawHeaders = ['Host', 'localhost:3000', 'hOST', 'localhost:3000'];
    expect(check.refusal({ headers, rawHeaders })).toBe('Invalid Host: there are several');
  });

  it.each([
    [undefined, undefined, 'Invalid Host: (none)'],
    ['evil.example', undefined, 'Invalid Host: evil.example'],
    ['localhost:3000:1', undefined, 'Invalid Host: localhost:3000:1'],
    ['localhost:3000', 'https://evil.example', 'Invalid Origin: https://evil.example'],
    ['localhost:3000', 'null', 'Invalid Origin: null'],
    // V12: other ports, names and schemes of this machine are not ours.
    ['127.0.0.1:3000', 'http://localhost:8080', 'Invalid Origin: http://localhost:8080'],
    ['localhost:3000', 'http://localhost', 'Invalid Origin: http://localhost'],
    ['localhost:3000', 'http://127.0.0.1:3000', 'Invalid Origin: http://127.0.0.1:3000'],
    ['localhost:3000', 'tauri://localhost', 'Invalid Origin: tauri://localhost'],
    ['localhost:3000', 'http://localhost:3000@evil', 'Invalid Origin: http://localhost:3000@evil'],
    ['box', 'https://box:8443', 'Invalid Origin: https://box:8443'],
  ])('V12: refuses a request to %s from %s, after any earlier request', (host, origin, reason) => {
    check.refusal(request('localhost:3000'));
    expect(check.refusal(request(host, origin))).toBe(reason);
    expect(check.refusal(request('localhost:3000'))).toBeUndefined();
  });
});
