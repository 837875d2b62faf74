import { Hub, View } from '@callsign/core';
import { CANONICAL } from '@callsign/naming';
import { createServedSource, PendingCalls, HttpListener, openHttp, Upstream } from '@callsign/wire';
import { describe, expect, it, onTestFinished } from 'vitest';

import { SignInCredentials } from '../sign-in/sign-in-credentials.js';
import { ProtectedServer } from '../sign-in/testing/protected-server.js';
import { signedIn } from '../sign-in/testing/signed-in.js';
import { createApiKey } from './api-key.js';
import { createAuthentication } from './authentication.js';
import { RESOURCE, TokenIssuer } from './testing/token-issuer.js';

const STATELESS = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** One call over each transport, with every other request that it needs. */
async function useAll(url: string, credential: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${credential}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const post = async (path: string, message: object, more: Record<string, string> = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
    });
    expect(response.ok).toBe(true);
    return { response, text: await response.text() };
  };
  const clientInfo = { name: 'test', version: '1' };
  const hello = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  };
  const call = { id: 2, method: 'tools/call', params: { name: 's:echo', arguments: { a: 1 } } };

  const { response } = await post('/mcp', hello);
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id')! };
  await post('/mcp', { method: 'notifications/initialized' }, session);
  expect((await post('/mcp', call, session)).text).toContain('done');
  await fetch(`${url}/mcp`, { method: 'DELETE', headers: { ...headers, ...session } });

  const params = { ...call.params, _meta: STATELESS };
  const said = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 's:echo',
  };
  expect((await post('/mcp', { ...call, params }, said)).text).toContain('done');

  const leaving = new AbortController();
  const stream = await fetch(`${url}/sse`, { headers, signal: leaving.signal });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(heard)) heard += (await reader.read()).value ?? '';
    return pattern.exec(heard)![1]!;
  };
  const endpoint = await until(/data: (\/messages\S+)\n/);
  await post(endpoint, hello);
  await until(/("id":1)/);
  await post(endpoint, call);
  await until(/(done)/);
  leaving.abort();
}

async function openDoor(upstream: Upstream, options: Parameters<typeof createAuthentication>[0]) {
  const hub = new Hub();
  hub.set('s', upstream);
  const view = new View(hub, { profile: CANONICAL });
  const listener = new HttpListener({
    host: '127.0.0.1',
    port: 0,
    served: createServedSource(view, { self: { name: 'callsign', version: '0' } }),
    pending: new PendingCalls(),
    maxBodyBytes: 100_000,
    viewOf: () => undefined,
    health: () => ({}),
    ...createAuthentication(options, { fetch }),
  });
  onTestFinished(() => listener.close());
  return `http://127.0.0.1:${await listener.listen()}`;
}

function upstreamTo(url: string, credentials?: SignInCredentials): Upstream {
  const options = { url, headers: { 'x-own': 'ours' }, maxMessageBytes: 100_000, credentials };
  const upstream = new Upstream({
    key: 's',
    transport: { onePipe: false, open: (era) => openHttp({ ...options, era }) },
    self: { name: 'callsign', version: '0' },
  });
  onTestFinished(() => upstream.stop());
  return upstream;
}

describe('the credential of a caller', () => {
  it('reaches no server, in any header or body, over any transport', async () => {
    const server = await ProtectedServer.start({ isGood: () => true });
    const upstream = upstreamTo(server.url);
    await upstream.start();
    const issuer = await TokenIssuer.start();
    const { key, hash } = createApiKey();
    const tokens = { issuer: issuer.url, resource: RESOURCE, rolesClaim: 'roles', scopes: [] };
    const url = await openDoor(upstream, { keys: [{ name: 'ci', hash, roles: [] }], tokens });
    const token = await issuer.token();
    await useAll(url, key);
    await useAll(url, token);
    const calls = server.seen.filter(({ body }) => body.includes('tools/call'));
    expect(calls).toHaveLength(6);
    const everything = JSON.stringify(server.seen);
    expect(everything).toContain('ours');
    expect(everything).not.toContain('authorization');
    for (const secret of [key, hash, token, token.split('.')[2]!]) {
      expect(everything).not.toContain(secret);
    }
  });

  it('is not confused with our own for that server', async () => {
    const { entry, file, fetch: outbound, server } = await signedIn();
    const upstream = upstreamTo(
      entry.url,
      new SignInCredentials(entry, { store: file, fetch: outbound }),
    );
    await upstream.start();
    const { key, hash } = createApiKey();
    const url = await openDoor(upstream, { keys: [{ name: 'ci', hash, roles: [] }] });
    await useAll(url, key);
    const { accessToken } = (await file.find(entry))!;
    const calls = server.seen.filter(({ body }) => body.includes('tools/call'));
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill(`Bearer ${accessToken}`),
    );
    expect(JSON.stringify(server.seen)).not.toContain(key);
  });
});
