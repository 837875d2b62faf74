/** Tokens of callers that are exchanged for tokens of a server, at a real provider (RFC 8693). */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ANN, AccountGateway, Browser } from './account-gateway.js';
import { type AccountServer, startAccountServer } from './account-server.js';

type Client = Awaited<ReturnType<AccountGateway['connect']>>;

const CALL = { name: 'notes:whoami', arguments: {} };

async function start(
  server: AccountServer,
  accounts: object = {},
): Promise<{ gateway: AccountGateway; tokenOf: (name: string) => Promise<string> }> {
  const exchange = { tokenUrl: `${server.issuer}/token`, ...server.exchanger };
  const gateway = await AccountGateway.start(server, {
    tokens: true,
    notes: { accounts: { by: 'caller', exchange, ...accounts } },
  });
  return { gateway, tokenOf: (name) => server.tokenFor(name, `${gateway.origin}/mcp`) };
}

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).toSorted();
}

async function said(client: Client): Promise<string> {
  const { content } = await client.callTool(CALL);
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
}

function kept({ folder }: AccountGateway): string {
  return readdirSync(join(folder, 'state'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

describe('the token of a caller', () => {
  it('gives each caller an account of their own, and reaches no server', async () => {
    const server = await startAccountServer((person) => (person === 'annie' ? ['only_ann'] : []));
    const { gateway, tokenOf } = await start(server);
    const tokens = [await tokenOf('annie'), await tokenOf('robert')] as const;
    const [ann, bob] = [await gateway.connect(tokens[0]), await gateway.connect(tokens[1])];
    await expect.poll(() => names(ann)).toEqual(['notes:only_ann', 'notes:whoami']);
    await expect.poll(() => names(bob)).toEqual(['notes:whoami']);
    expect(await said(ann)).toContain('whoami of annie');
    expect(await said(bob)).toContain('whoami of robert');
    expect(server.exchanges).toHaveLength(2);
    expect(server.exchanges[0]).toMatchObject({
      subject_token: tokens[0],
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource: server.url,
    });
    const records = (): string => kept(gateway);
    await expect.poll(records).toMatch(/"tool":"notes:whoami".*"account":"sub:annie"/);
    const sent = server.requests.map(({ authorization }) => authorization);
    for (const token of tokens) {
      for (const text of server.received) expect(text).not.toContain(token);
      for (const text of [records(), gateway.logged.join('\n')]) expect(text).not.toContain(token);
    }
    for (const secret of [...sent, server.exchanger.clientSecret])
      for (const text of [records(), gateway.logged.join('\n')]) expect(text).not.toContain(secret);
  });

  it('is exchanged once for ten calls, at first and after the other token has ended', async () => {
    const server = await startAccountServer();
    const { gateway, tokenOf } = await start(server);
    const token = await tokenOf('annie');
    const clients = await Promise.all(Array.from({ length: 10 }, () => gateway.connect(token)));
    const [ann] = clients as [Client];
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
    for (const text of await Promise.all(clients.map(said))) expect(text).toContain('annie');
    expect(server.exchanges).toHaveLength(1);
    server.expire();
    for (const text of await Promise.all(clients.map(said))) expect(text).toContain('annie');
    expect(server.exchanges).toHaveLength(2);
  });

  it('that gives no account leads to the link, until another token does', async () => {
    const server = await startAccountServer();
    server.strangers.add('annie');
    const { gateway, tokenOf } = await start(server);
    const ann = await gateway.connect(await tokenOf('annie'));
    await expect.poll(() => names(ann)).toEqual(['notes:sign_in']);
    const asked = await ann.callTool({ name: 'notes:sign_in', arguments: {} });
    expect(JSON.stringify(asked)).toContain('/accounts/link?server=notes');
    expect(server.exchanges).toHaveLength(1);
    expect(gateway.logged.join('\n')).toContain('"invalid_target" (account of sub:annie)');
    // Another person does not notice.
    const bob = await gateway.connect(await tokenOf('robert'));
    await expect.poll(() => names(bob)).toEqual(['notes:whoami']);
    expect(await names(ann)).toEqual(['notes:sign_in']);
    server.strangers.delete('annie');
    // Ends sooner than the one that was refused.
    server.tokensLastS = 600;
    await gateway.connect(await tokenOf('annie'));
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
  });

  it('gives no account to a person of the same name at another issuer', async () => {
    const [server, other] = [await startAccountServer(), await startAccountServer()];
    const { gateway, tokenOf } = await start(server);
    const ann = await gateway.connect(await tokenOf('annie'));
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
    const { config } = gateway.gateway;
    const { auth } = config.settings;
    const tokens = { ...auth!.tokens!, issuer: other.issuer };
    await gateway.gateway.apply({
      ...config,
      settings: { ...config.settings, auth: { ...auth!, tokens } },
    });
    const namesake = await gateway.connect(await other.tokenFor('annie', tokens.resource));
    await expect.poll(() => names(namesake)).toEqual(['notes:sign_in']);
    await expect(said(namesake)).rejects.toThrow('Tool not found');
  });

  it('comes after what a person has linked, and counts for no other credential', async () => {
    const server = await startAccountServer();
    const { gateway, tokenOf } = await start(server);
    const key = await gateway.connect(ANN.key);
    expect(await names(key)).toEqual(['notes:sign_in']);
    expect(server.exchanges).toEqual([]);
    await gateway.link(new Browser(), gateway.linkAddress, ANN.key, 'annie');
    await expect.poll(() => names(key)).toEqual(['notes:whoami']);
    expect(await said(key)).toContain('of annie');
    expect(server.exchanges).toEqual([]);
    const other = await gateway.connect(await tokenOf('robert'));
    await expect.poll(() => names(other)).toEqual(['notes:whoami']);
    expect(await said(other)).toContain('of robert');
    expect(await said(key)).toContain('of annie');
  });

  it('is not exchanged if it is for another gateway', async () => {
    const server = await startAccountServer();
    const { gateway } = await start(server);
    const foreign = await server.tokenFor('annie', 'https://other.example/mcp');
    await expect(gateway.connect(foreign)).rejects.toThrow('it is for another resource');
    expect(server.exchanges).toEqual([]);
  });
});
