/** Accounts with the new official client, with a session and without one. */

import { expect, it, onTestFinished } from 'vitest';

import { v2 } from '../clients/sdk.js';
import { ANN, AccountGateway, BOB, Browser } from './account-gateway.js';
import { startAccountServer } from './account-server.js';

type Client = InstanceType<typeof v2.Client>;

async function connect(
  gateway: AccountGateway,
  key: string,
  mode: 'legacy' | 'stateless',
  capabilities: object = {},
): Promise<Client> {
  const client = new v2.Client(
    { name: 'tester', version: '1' },
    {
      capabilities,
      versionNegotiation: { mode: mode === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  const transport = new v2.StreamableHTTPClientTransport(new URL(`${gateway.origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
  return client;
}

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).toSorted();
}

async function said(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name, arguments: {} });
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
}

it.each(['legacy', 'stateless'] as const)(
  'a client of the %s era gets a link, and after it the account of its person',
  async (mode) => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const [ann, bob] = [
      await connect(gateway, ANN.key, mode),
      await connect(gateway, BOB.key, mode),
    ];
    for (const client of [ann, bob]) expect(await names(client)).toEqual(['notes:sign_in']);
    const link = /http:\S+/.exec(await said(ann, 'notes:sign_in'))![0];
    await gateway.link(new Browser(), link, ANN.key, 'annie');
    await expect.poll(() => names(ann)).toEqual(['notes:whoami']);
    expect(await said(ann, 'notes:whoami')).toContain('whoami of annie');
    expect(await names(bob)).toEqual(['notes:sign_in']);
    await expect(said(bob, 'notes:whoami')).rejects.toThrow('notes:whoami');
  },
);

it.each(['legacy', 'stateless'] as const)(
  'a call of the %s era goes on after its page was used',
  async (mode) => {
    const gateway = await AccountGateway.start(await startAccountServer());
    const ann = await connect(gateway, ANN.key, mode, { elicitation: { url: {} } });
    const asked: string[] = [];
    ann.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url } = params as { url: string };
      asked.push(url);
      await gateway.link(new Browser(), url, ANN.key, 'annie');
      return { action: 'accept' };
    });
    expect(await said(ann, 'notes:sign_in')).toContain('is linked');
    expect(asked).toHaveLength(1);
    expect(await said(ann, 'notes:whoami')).toContain('whoami of annie');
  },
);
