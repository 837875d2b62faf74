/** What stays open when a credential ends: a stream must not go on to tell a client that lost its access. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { AccountGateway, ANN } from '../accounts/account-gateway.js';
import { startAccountServer } from '../accounts/account-server.js';
import { signInWith } from './known-client.js';

const LOOKS_MS = 15_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

interface Stream {
  /** Whether the gateway has ended it. */
  isEnded: boolean;
}

async function opened(url: string, init: RequestInit): Promise<Stream> {
  const response = await fetch(url, init);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const stream: Stream = { isEnded: false };
  const reader = response.body!.getReader();
  const read = async (): Promise<void> => {
    while (!(await reader.read()).done);
    stream.isEnded = true;
  };
  void read().catch(() => (stream.isEnded = true));
  return stream;
}

const JSON_OR_STREAM = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** The streams of a client: of a session, of the older pair of endpoints, and of one without a session. */
async function streamsWith(origin: string, token: string): Promise<Stream[]> {
  const authorization = { authorization: `Bearer ${token}` };
  const headers = { ...JSON_OR_STREAM, ...authorization };
  const initialized = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'tester', version: '1' },
      },
    }),
  });
  await initialized.text();
  const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id')! };
  const version = '2026-07-28';
  const subscription = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const stateless = {
    ...headers,
    'mcp-protocol-version': version,
    'mcp-method': 'subscriptions/listen',
  };
  const body = JSON.stringify(subscription);
  return await Promise.all([
    opened(`${origin}/mcp`, { headers: { ...headers, ...session } }),
    opened(`${origin}/sse`, { headers: authorization }),
    opened(`${origin}/mcp`, { method: 'POST', headers: stateless, body }),
  ]);
}

it('ends with the sign-in, and not with that of another client of the same person', async () => {
  const gateway = await AccountGateway.start(await startAccountServer());
  const { origin } = gateway;
  const [one, two] = [await signInWith(ANN.key, origin), await signInWith(ANN.key, origin)];
  const ended = await streamsWith(origin, one.access_token);
  const kept = await streamsWith(origin, two.access_token);
  const withKey = await streamsWith(origin, ANN.key);
  const open = (): boolean[] => [...ended, ...kept, ...withKey].map(({ isEnded }) => !isEnded);
  vi.advanceTimersByTime(LOOKS_MS);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(open()).toEqual(Array.from({ length: 9 }, () => true));
  const client = { client_id: 'known', token: one.access_token };
  await fetch(`${origin}/revoke`, { method: 'POST', body: new URLSearchParams(client) });
  vi.advanceTimersByTime(LOOKS_MS);
  await expect.poll(() => ended.map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
  expect(open().slice(3)).toEqual(Array.from({ length: 6 }, () => true));
});
