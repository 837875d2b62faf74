/** Real clients of the official SDK in front of the Lightdash server: both eras, on stdio and over HTTP. */

import { describe, expect, it, onTestFinished } from 'vitest';

import { JAFFLE_SHOP, type Sandbox } from '@callsign/lightdash/sandbox';

import { v1, v2 } from '../clients/sdk.js';
import { lightdashEntry, startLightdash, startSandbox } from './lightdash-process.js';

const INFO = { name: 'sdk-client', version: '1.0.0' };

// oxlint-disable-next-line typescript/no-explicit-any -- the two SDKs have types of their own
type Answer = any;

interface SdkClient {
  list(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

type Connect = (sandbox: Sandbox, ...flags: string[]) => Promise<SdkClient>;

async function address(sandbox: Sandbox, flags: readonly string[]): Promise<URL> {
  const server = startLightdash(['--http', '0', ...flags], sandbox.environment);
  return new URL(await server.said(/served on (http:\S+)/));
}

function modern(era: 'legacy' | 'modern', listener: 'stdio' | 'http'): Connect {
  return async (sandbox, ...flags) => {
    const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
    const client = new v2.Client(INFO, { versionNegotiation: { mode } });
    const transport =
      listener === 'http'
        ? new v2.StreamableHTTPClientTransport(await address(sandbox, flags))
        : new v2.StdioClientTransport({ ...lightdashEntry(sandbox, ...flags), stderr: 'ignore' });
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe(era);
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, args) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    };
  };
}

const old: Connect = async (sandbox, ...flags) => {
  const client = new v1.Client(INFO);
  const transport = new v1.StreamableHTTPClientTransport(await address(sandbox, flags));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
};

const CLIENTS: [string, Connect][] = [
  ['v2 on stdio with a session', modern('legacy', 'stdio')],
  ['v2 on stdio without one', modern('modern', 'stdio')],
  ['v2 over HTTP with a session', modern('legacy', 'http')],
  ['v2 over HTTP without one', modern('modern', 'http')],
  ['v1 over HTTP', old],
];

describe.each(CLIENTS)('a client of SDK %s', (_, connect) => {
  it('lists the ten tools and gets answers that keep their schemas', async () => {
    const client = await connect(await startSandbox());
    onTestFinished(() => client.close());
    expect(await client.list()).toHaveLength(10);
    const { structuredContent } = await client.call('lightdash_tools__list_charts', {
      projectUuid: JAFFLE_SHOP,
      pageSize: 2,
    });
    expect(structuredContent).toMatchObject({ charts: [{}, {}], total: 312, pageCount: 156 });
    const missing = await client.call('lightdash_tools__get_project', {
      projectUuid: '00000000-0000-4000-8000-000000000000',
    });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Cannot find project with id') }],
    });
    await expect(client.call('list_charts', {})).rejects.toMatchObject({ code: -32602 });
  });

  it('sees what the flags allow', async () => {
    const sandbox = await startSandbox();
    const flags = ['--safety-mode', 'write-destructive', '--dry-run', '--prefix', 'ld_'];
    const client = await connect(sandbox, ...flags, '--projects', JAFFLE_SHOP);
    onTestFinished(() => client.close());
    expect((await client.list()).length).toBeGreaterThan(10);
    const { structuredContent } = await client.call('ld_list_projects', {});
    expect(structuredContent).toMatchObject({ total: 1 });
    const groupUuid = '9d615ede-5758-4954-9fb9-2a07fc415ba5';
    const dry = await client.call('ld_delete_group', { groupUuid });
    expect(dry.content[0].text).toContain('nothing has changed');
    expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
