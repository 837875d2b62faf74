import { Hub, View } from '@callsign/core';
import {
  Client,
  discoverOAuthServerInfo,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { CANONICAL } from '@callsign/naming';
import { createServedSource, PendingCalls, HttpListener } from '@callsign/wire';
import { describe, expect, it, onTestFinished } from 'vitest';

import { OfferedSource, tool } from '../../../../test/testing/offered.js';
import type { TokenSettings } from './auth-settings.js';
import { createAuthentication } from './authentication.js';
import { TokenIssuer } from './testing/token-issuer.js';

/** A listener that knows its own address, which exists only after it is open. */
async function openDoor(issuer: string): Promise<string> {
  const hub = new Hub();
  hub.set('s', new OfferedSource(tool('echo')));
  const view = new View(hub, { profile: CANONICAL });
  const listener = new HttpListener({
    host: '127.0.0.1',
    port: 0,
    served: createServedSource(view, { self: { name: 'callsign', version: '0' } }),
    pending: new PendingCalls(),
    maxBodyBytes: 100_000,
    viewOf: () => undefined,
    health: () => ({}),
    authenticate: (request) => authentication.authenticate(request),
    pageAt: (path) => authentication.pageAt(path),
  });
  onTestFinished(() => listener.close());
  const resource = `http://127.0.0.1:${await listener.listen()}/mcp`;
  const tokens: TokenSettings = { issuer, resource, rolesClaim: 'roles', scopes: [] };
  const authentication = createAuthentication({ keys: [], tokens }, { fetch });
  return resource;
}

describe('a client of the official SDK', () => {
  it('finds the issuer through our metadata, and is accepted with its token', async () => {
    const issuer = await TokenIssuer.start();
    const url = await openDoor(issuer.url);
    const { authorizationServerUrl, resourceMetadata } = await discoverOAuthServerInfo(url);
    expect(authorizationServerUrl).toBe(issuer.url);
    expect(resourceMetadata).toMatchObject({ resource: url });

    const token = await issuer.token({ aud: resourceMetadata!.resource });
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider: { token: async () => token },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['s:echo']);
  });

  it('is refused with a token for another resource', async () => {
    const issuer = await TokenIssuer.start();
    const url = await openDoor(issuer.url);
    const token = await issuer.token({ aud: 'https://other.example/mcp' });
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider: { token: async () => token },
    });
    await expect(client.connect(transport)).rejects.toThrow();
  });
});
