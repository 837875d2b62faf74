/** The Lightdash server behind the gateway: its names for every kind of client, and calls that arrive. */

import { createToolRenderer, maxNameLength, profileById, PROFILES } from '@callsign/naming';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { JAFFLE_SHOP, Sandbox } from '@callsign/lightdash/sandbox';

import { gatewayCommand } from '../clients/gateway.js';
import { v2 } from '../clients/sdk.js';
import { startGateway } from '../gateway-process.js';
import { lightdashEntry } from './lightdash-process.js';
import { removeFolder } from '../../testing/remove-folder.js';

const CHARTS = { projectUuid: JAFFLE_SHOP, pageSize: 1 };

/** One gateway for all tests here; each test has its own clients. */
let sandbox: Sandbox;
let url: string;
const afterwards: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  sandbox = await Sandbox.start();
  const servers = { lightdash: lightdashEntry(sandbox) };
  const gateway = await startGateway({ servers, listener: 'http' }, (work) =>
    afterwards.push(work),
  );
  url = gateway.url;
});
afterAll(async () => {
  for (const work of afterwards.toReversed()) await work();
  await sandbox.close();
});

type Client = InstanceType<typeof v2.Client>;

async function connected(
  name: string,
  era: 'legacy' | 'modern' = 'legacy',
  address: string = url,
): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new v2.Client({ name, version: '9.9.9' }, { versionNegotiation: { mode } });
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(address)));
  onTestFinished(() => client.close());
  return client;
}

async function namesOf(client: Client): Promise<string[]> {
  // The gateway serves before all servers have answered.
  await expect.poll(async () => (await client.listTools()).tools.length).toBe(10);
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('behind the gateway', () => {
  it('is called lightdash:lightdash_tools__… by an unknown client', async () => {
    const client = await connected('somebody');
    const names = await namesOf(client);
    expect(names).toContain('lightdash:lightdash_tools__list_charts');
    const { tools } = await client.listTools();
    const charts = tools.find(({ name }) => name === 'lightdash:lightdash_tools__list_charts');
    expect(charts).toMatchObject({
      title: expect.stringContaining('List charts'),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
  });

  it('has names of its own that are short enough for every client', async () => {
    const names = (await namesOf(await connected('somebody'))).map((name) => name.split(':')[1]!);
    expect(Math.max(...names.map(({ length }) => length))).toBe(42);
    expect(maxNameLength(profileById('portable'))).toBeGreaterThanOrEqual(42);
  });

  it.each(['legacy', 'modern'] as const)('answers calls of the %s era', async (era) => {
    const client = await connected('somebody', era);
    const names = await namesOf(client);
    const name = 'lightdash:lightdash_tools__list_charts';
    expect(names).toContain(name);
    const { structuredContent } = await client.callTool({ name, arguments: CHARTS });
    expect(structuredContent).toMatchObject({ total: 312, pageCount: 312 });
  });

  it.each(['legacy', 'modern'] as const)('answers on stdio in the %s era', async (era) => {
    const { command, args, folder } = gatewayCommand('stdio', {
      servers: { lightdash: lightdashEntry(sandbox) },
    });
    onTestFinished(() => removeFolder(folder));
    const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
    const client = new v2.Client(
      { name: 'somebody', version: '1.0.0' },
      { versionNegotiation: { mode } },
    );
    await client.connect(
      new v2.StdioClientTransport({ command, args: [...args], stderr: 'ignore' }),
    );
    onTestFinished(() => client.close());
    await namesOf(client);
    const name = 'lightdash:lightdash_tools__list_charts';
    const { structuredContent } = await client.callTool({ name, arguments: CHARTS });
    expect(structuredContent).toMatchObject({ total: 312 });
  });

  it('has names that each kind of client accepts, and is called by them', async () => {
    for (const profile of PROFILES.values()) {
      const client = await connected('somebody', 'legacy', `${url}/profile/${profile.id}`);
      const names = await namesOf(client);
      const render = createToolRenderer({ profile, keys: ['lightdash'] });
      const ref = { server: 'lightdash', tool: 'lightdash_tools__list_charts' };
      const { name } = render(ref);
      expect(names, profile.id).toContain(name);
      expect(new Set(names).size).toBe(10);
      for (const each of names) expect(each.length).toBeLessThanOrEqual(profile.maxLength);
      const { structuredContent } = await client.callTool({ name, arguments: CHARTS });
      expect(structuredContent, profile.id).toMatchObject({ total: 312 });
    }
  });

  it.each([
    ['claude-code', 'lightdash_tools__list_charts'],
    ['claude-ai', 'lightdash_tools__list_charts'],
    ['cursor-vscode', 'lightdash_tools__list_charts'],
  ])('shows %s the name %s, and accepts the canonical one too', async (announced, expected) => {
    const client = await connected(announced);
    expect(await namesOf(client)).toContain(expected);
    for (const name of [expected, 'lightdash:lightdash_tools__list_charts']) {
      const { structuredContent } = await client.callTool({ name, arguments: CHARTS });
      expect(structuredContent).toMatchObject({ total: 312 });
    }
  });

  it('passes on a tool’s own failure', async () => {
    const client = await connected('somebody');
    await namesOf(client);
    onTestFinished(sandbox.fail({ fault: 'forbidden' }));
    const name = 'lightdash:lightdash_tools__list_charts';
    expect(await client.callTool({ name, arguments: CHARTS })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('has no permission') }],
    });
    await expect(
      client.callTool({ name: 'lightdash:list_charts', arguments: CHARTS }),
    ).rejects.toMatchObject({ code: -32602 });
  });
});
