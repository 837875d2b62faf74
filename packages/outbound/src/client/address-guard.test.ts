import type { LookupAddress } from 'node:dns';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { startTarget } from '../../../../test/adapters/target.js';
import { AddressRefused, type AddressGuard } from './address-guard.js';
import { readText } from './body.js';
import { HttpClient, type HttpRequest, type HttpResponse } from './http-client.js';
import { CERTIFICATE, KEY } from './testing/certificate.js';

type Send = (address: string, request?: HttpRequest) => Promise<HttpResponse>;

function guarded(guard: AddressGuard = {}): Send {
  const client = new HttpClient({ guard });
  onTestFinished(() => client.close());
  return (address, request) => client.request(address, { redirects: 'any', ...request });
}

/** The reason for which an address was not called. */
async function refusal(address: string, guard: AddressGuard = {}): Promise<string> {
  const error: unknown = await guarded(guard)(address).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AddressRefused);
  return (error as Error).message;
}

const textOf = ({ body }: HttpResponse): Promise<string> => readText(body, 1_000);

const resolving =
  (...addresses: LookupAddress[]) =>
  (_: string, callback: (error: null, found: readonly LookupAddress[]) => void) =>
    callback(null, addresses);

const v4 = (address: string): LookupAddress => ({ address, family: 4 });

describe('an address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://192.0.2.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://１２７.０.０.１/',
  ])('such as %s is not called', async (address) => {
    expect(await refusal(address)).toContain('is not a public address');
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x'])(
    '%s is not HTTP',
    async (address) => {
      expect(await refusal(address)).toContain('is not HTTP');
    },
  );

  it('with a password is not called', async () => {
    expect(await refusal('https://me:word@example.com/')).toContain('contains a password');
  });
});

describe('a name', () => {
  it('is checked with all of its addresses', async () => {
    const name = 'http://rebind.example/';
    expect(await refusal(name, { lookup: resolving(v4('127.0.0.1')) })).toContain('rebind.example');
    const mixed = resolving(v4('93.184.216.34'), v4('10.0.0.1'));
    expect(await refusal(name, { lookup: mixed })).toContain('10.0.0.1');
    expect(await refusal(name, { lookup: resolving() })).toContain('has no address');
    expect(await refusal('http://localhost:8080/')).toContain('is not a public address');
  });

  it('is resolved once, and the connection goes there: a second answer changes nothing', async () => {
    const target = await startTarget();
    const asked: string[] = [];
    const send = guarded({
      privateAddresses: 'allowed',
      lookup: (hostname, callback) => {
        asked.push(hostname);
        callback(null, [v4(asked.length === 1 ? '127.0.0.1' : '169.254.169.254')]);
      },
    });
    const response = await send(`http://rebind.example:${target.port}/x`);
    expect([response.status, await textOf(response)]).toEqual([200, '{"ok":true}']);
    expect(asked).toEqual(['rebind.example']);
    expect(target.asked[0]?.headers.host).toBe(`rebind.example:${target.port}`);
  });

  it('that cannot be resolved fails with the error of the resolver', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const send = guarded({ lookup: (_, callback) => callback(failure, []) });
    await expect(send('http://nobody.example/')).rejects.toMatchObject({
      code: 'ENOTFOUND',
      isSent: false,
    });
  });
});

describe('a redirect', () => {
  const redirecting = (location: string, status = 302) =>
    startTarget(({ url }, response) => {
      if (url !== '/start') response.end('arrived');
      else response.writeHead(status, { location }).end();
    });

  it.each([
    'http://169.254.169.254/',
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'file:///etc/passwd',
  ])('to %s is not followed', async (location) => {
    const target = await redirecting(location);
    const trusted = { trustedOrigins: [target.origin] };
    await refusal(`${target.origin}/start`, trusted);
    expect(target.asked).toHaveLength(1);
  });

  it('to the same origin is followed, or returned on request', async () => {
    const target = await redirecting('/end');
    const send = guarded({ trustedOrigins: [target.origin] });
    expect(await textOf(await send(`${target.origin}/start`))).toBe('arrived');
    expect((await send(`${target.origin}/start`, { redirects: 'none' })).status).toBe(302);
  });

  it('from HTTPS to HTTP is not followed', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const plain = await startTarget();
    const server = createSecureServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
      if (request.url === '/end') response.end('arrived');
      else {
        const location = request.url === '/down' ? `${plain.origin}/end` : '/end';
        response.writeHead(302, { location }).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const trusted = { trustedOrigins: [origin, plain.origin] };
    expect(await refusal(`${origin}/down`, trusted)).toContain('goes from HTTPS to HTTP');
    expect(plain.asked).toEqual([]);
    const response = await guarded(trusted)(`${origin}/along`);
    expect(await textOf(response)).toBe('arrived');
  });

  it('that repeats forever is stopped', async () => {
    const target = await redirecting('/start');
    expect(await refusal(`${target.origin}/start`, { trustedOrigins: [target.origin] })).toContain(
      'more than 5 redirects',
    );
    expect(target.asked).toHaveLength(6);
  });

  it('to another origin carries no secret', async () => {
    const other = await startTarget();
    const target = await redirecting(`${other.origin}/end`, 307);
    const send = guarded({ trustedOrigins: [target.origin, other.origin] });
    await send(`${target.origin}/start`, {
      method: 'POST',
      body: 'x',
      secretHeaders: ['X-Api-Key'],
      headers: { authorization: 'Bearer s', 'x-api-key': 's', 'x-plain': 'p' },
    });
    const { headers, method, body } = other.asked[0]!;
    expect([headers['authorization'], headers['x-api-key'], headers['x-plain']]).toEqual([
      undefined,
      undefined,
      'p',
    ]);
    expect([method, body]).toEqual(['POST', 'x']);
  });

  it('after a POST becomes a GET, as browsers do it', async () => {
    const target = await redirecting('/end', 303);
    await guarded({ trustedOrigins: [target.origin] })(`${target.origin}/start`, {
      method: 'POST',
      body: 'x',
    });
    expect(target.asked[1]).toMatchObject({ method: 'GET', body: '' });
  });
});
