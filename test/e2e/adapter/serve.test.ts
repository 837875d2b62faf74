/** `callsign adapter serve`: the harbour as an MCP server, to real clients of both eras and behind a gateway. */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

import { beforeAll, describe, expect, it } from 'vitest';

import { v2 } from '../clients/sdk.js';
import { BIN } from '../command.js';
import { Home } from '../cli/callsign.js';
import { eventually, startGateway } from '../gateway-process.js';
import { ADAPTER, openHarbour, renamed, served, TOKEN, type Harbour } from './harbour.js';

const NAMES = ['create', 'read', 'update', 'delete', 'execute'].map(
  (endpoint) => `harbour_logbook_mcpaql_${endpoint}`,
);

const later: (() => void | Promise<void>)[] = [];
let harbour: Harbour;
let url = '';
let server: ChildProcessWithoutNullStreams;
let stderr = '';

beforeAll(async () => {
  harbour = await openHarbour((work) => later.push(work));
  const { command, args, env } = served(harbour);
  server = spawn(command, [...args, '--http', '0'], { env: { ...process.env, ...env } });
  server.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  later.push(async () => {
    server.kill('SIGKILL');
    await exited;
  });
  await eventually(() => {
    url = /listens on (\S+)/.exec(stderr)?.[1] ?? '';
    return url !== '';
  });
  return async () => {
    for (const work of later.toReversed()) await work();
  };
});

type Listener = 'stdio' | 'http';

async function connected(listener: Listener, mode: 'legacy' | { pin: '2026-07-28' }) {
  const client = new v2.Client(
    { name: 'a-client', version: '1.0.0' },
    { versionNegotiation: { mode } },
  );
  const transport =
    listener === 'stdio'
      ? new v2.StdioClientTransport({ ...served(harbour), stderr: 'ignore' })
      : new v2.StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return client;
}

describe.each([
  ['stdio', 'legacy'],
  ['stdio', { pin: '2026-07-28' }],
  ['http', 'legacy'],
  ['http', { pin: '2026-07-28' }],
] as const)('an SDK client over %s, %o', (listener, mode) => {
  it('sees five tools with their labels, and reads, writes and confirms through them', async () => {
    const client = await connected(listener, mode);
    try {
      expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(NAMES);
      expect(tools.map(({ title, annotations }) => [title, annotations?.readOnlyHint])).toEqual([
        ['Harbour Logbook — Create', false],
        ['Harbour Logbook — Read', true],
        ['Harbour Logbook — Update', false],
        ['Harbour Logbook — Delete', false],
        ['Harbour Logbook — Execute', false],
      ]);
      const ask = async (endpoint: string, operation: string, params: object) => {
        const name = `harbour_logbook_mcpaql_${endpoint}`;
        const result = await client.callTool({ name, arguments: { operation, params } });
        const [block] = result.content as { text: string }[];
        return JSON.parse(block!.text) as {
          success: boolean;
          data?: unknown;
          error?: { code: string; details: { confirmation_token: string } };
        };
      };
      const read = { ship_id: 'ship-1', fields: ['name'] };
      expect(await ask('read', 'get_ship', read)).toEqual({
        success: true,
        data: { name: 'Alba' },
      });
      const booked = await ask('create', 'create_booking', {
        berth_id: 'b2',
        ship_id: 'ship-5',
        arrives: '2026-06-01T08:00:00Z',
      });
      const { id } = booked.data as { id: string };
      const asked = await ask('delete', 'delete_booking', { booking_id: id });
      expect(asked.error?.code).toBe('CONFIRMATION_REQUIRED');
      const { confirmation_token: token } = asked.error!.details;
      expect(
        await ask('delete', 'delete_booking', { booking_id: id, _confirmation: token }),
      ).toMatchObject({
        success: true,
      });
      expect(harbour.requests).toContain(`DELETE /api/v1/bookings/${id}`);
    } finally {
      await client.close();
    }
  });
});

describe('adapter serve', () => {
  it('works behind a gateway like any other server, with its labels', async () => {
    const gateway = await startGateway({
      servers: { harbour: served(harbour) },
      settings: { servers: { harbour: { trust: 'full' } }, policy: { destructive: 'deny' } },
    });
    const client = await gateway.connect();
    await eventually(async () => (await client.tools()).length > 0);
    // Those that may destroy something are denied by their label alone.
    expect(await client.tools()).toEqual(
      ['create', 'read', 'update'].map((each) => `harbour:harbour_logbook_mcpaql_${each}`),
    );
    const name = 'harbour:harbour_logbook_mcpaql_read';
    const ship = { operation: 'get_ship', params: { ship_id: 'ship-2' } };
    expect(JSON.stringify(await client.result(name, ship))).toContain('Brise');
  });

  it.each(['my-agent', 'claude-code', 'cursor-vscode'])(
    'names its tools as %s sees them behind a gateway (S5, B12)',
    async (name) => {
      const gateway = await startGateway({ servers: { docks: served(harbour) } });
      const client = await gateway.connect({ name });
      await eventually(async () => (await client.tools()).length > 0);
      const tools = await client.tools();
      const read = tools.find((each) => /_mcpaql_read/.test(each))!;
      const wrong = { operation: 'create_booking', params: {} };
      const { content } = (await client.result(read, wrong)) as { content: { text: string }[] };
      const { error } = JSON.parse(content[0]!.text);
      expect(tools).toContain(error.details.expected_tool);
      expect(error.message).toContain(error.details.expected_tool);
      const about = { operation: 'introspect', params: { name: 'delete_booking' } };
      const told = JSON.stringify(await client.result(read, about));
      expect(told).toContain(tools.find((each) => /_mcpaql_delete/.test(each)));
    },
  );

  it('keeps the protocol, checked at its address', async () => {
    const checked = await new Home().run(['adapter', 'check', url]);
    expect(checked).toMatchObject({
      code: 0,
      stderr: 'It conforms: 20 passed, 0 failed, 0 skipped.\n',
    });
  });

  it('prints only its address, and ends on request', async () => {
    const home = new Home();
    const child = spawn(
      process.execPath,
      [BIN, 'adapter', 'serve', ADAPTER, '--http', '0', '--json'],
      {
        cwd: home.work,
        env: home.env(),
      },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const code = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    await eventually(() => said.includes('\n'));
    const { listening } = JSON.parse(said) as { listening: string };
    expect(await (await fetch(new URL('/healthz', listening))).json()).toMatchObject({ tools: 5 });
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });

  it('serves two adapters side by side, and none if their names clash', async () => {
    const home = new Home();
    const other = home.write('other.adapter.md', renamed('east-harbour'));
    const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
    const both = await home.run(['adapter', 'serve', ADAPTER, other], {
      input: `${JSON.stringify(listing)}\n`,
      env: { HARBOUR_TOKEN: TOKEN },
    });
    expect(both.stdout.match(/"east_harbour_mcpaql_\w+"/g)).toContain('"east_harbour_mcpaql_read"');
    expect(both.stdout).toContain('"harbour_logbook_mcpaql_read"');
    expect(both.code).toBe(0);

    const twin = home.write('twin.adapter.md', renamed('harbour-logbook'));
    expect(await home.run(['adapter', 'serve', ADAPTER, twin])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('would both offer a tool') as string,
    });
  });

  it('opens no listener to other machines', async () => {
    const home = new Home();
    for (const address of ['0.0.0.0:0', 'example.com:80', '99999', 'x']) {
      expect(await home.run(['adapter', 'serve', ADAPTER, '--http', address])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('--http takes PORT') as string,
      });
    }
  });
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};
