import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { adapterWith } from '../../../../../test/adapters/adapters.js';
import { send } from '../../../../../test/adapters/desk.js';
import { harbourAdapter, openHarbour, TOKEN } from '../../../../../test/adapters/harbour.js';
import { shows } from '../../../../../test/requirements/shows.js';
import type { Adapter, Operation, Param } from '../../adapter/adapter.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import { generateAdapter } from './generate-adapter.js';
import { COMPILER, type GeneratedPackage, writePackage } from './testing/generated-package.js';

/** Text that would end a comment, a string or a template without escaping. */
const HOSTILE = '*/ `${process.exit(1)}` \\ \' " \u2028 </script> \n --> {adapter}';

const text = (name: string, rest: Partial<Param> = {}): [string, Param] => [
  name,
  { name, type: 'string', required: false, ...rest },
];

/** The harbour adapter with short timeouts, and an operation for every refusal. */
async function testedAdapter(): Promise<Adapter> {
  const adapter = await harbourAdapter();
  const ship = adapter.operations.get('get_ship')!;
  const extra: Operation[] = [
    {
      ...ship,
      name: 'wipe_harbour',
      endpoint: 'execute',
      danger: { ...ship.danger, level: 'forbidden' },
    },
    {
      ...ship,
      name: 'read_hostile',
      description: HOSTILE,
      params: new Map([
        ...ship.params,
        text('words', { enum: ["it's", '"', '`${a}`', '*/'], description: HOSTILE }),
      ]),
    },
    { ...ship, name: 'read_once' },
  ];
  const operations = new Map([
    ...adapter.operations,
    ...extra.map((each) => [each.name, each] as const),
  ]);
  return {
    ...adapter,
    description: HOSTILE,
    operations,
    target: {
      ...adapter.target,
      transport: 'http',
      timeout_ms: 3_000,
      retries: 0,
    } as Adapter['target'],
    rateLimits: [{ scope: 'operation', operation: 'read_once', limit: 1, window: 'hour' }],
  };
}

/** Misuse that must not compile. */
const TYPED = `import { createCalls } from '../src/index.js';

export async function typed(): Promise<void> {
  const calls = createCalls();
  await calls.run('get_ship', { ship_id: 'ship-1' });
  // @ts-expect-error -- a number is no name of a ship
  await calls.run('get_ship', { ship_id: 7 });
  // @ts-expect-error -- the ship is missing
  await calls.run('get_ship', {});
  // @ts-expect-error -- there is no such operation
  await calls.run('sink_ship', { ship_id: 'ship-1' });
  await calls.run('update_booking', { booking_id: '1', status: 'left' });
  // @ts-expect-error -- the status is none of the words
  await calls.run('update_booking', { booking_id: '1', status: 'sunk' });
}
`;

type Environment = Record<string, string>;

async function interpreted(adapter: Adapter, env: Environment, baseUrl: string): Promise<Client> {
  const source = createAdapterSource(adapter, { env, baseUrl });
  const server = new Server({ name: 'x', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: source.offer.tool.map(({ json }) => JSON.parse(json) as never),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { json } = await send(source, params.name, params.arguments ?? {});
    return JSON.parse(json) as never;
  });
  const client = new Client({ name: 'a-client', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await source.close();
  });
  return client;
}

async function generated(folder: string, env: Environment, baseUrl: string): Promise<Client> {
  const client = new Client({ name: 'a-client', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, 'dist/src/main.js')],
    env: { ...env, MCPAQL_TARGET_BASE_URL: baseUrl },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const READ = 'harbour_logbook_mcpaql_read';
const CREATE = 'harbour_logbook_mcpaql_create';
const UPDATE = 'harbour_logbook_mcpaql_update';
const DELETE = 'harbour_logbook_mcpaql_delete';
const EXECUTE = 'harbour_logbook_mcpaql_execute';

type Step = readonly [tool: string, args: Record<string, unknown>];

/** Tokens, cursors and times differ between runs. Nothing else may differ. */
function normal(said: string): string {
  return said
    .replace(/conf_[\w-]{20,}/g, 'conf_…')
    .replace(/(\\?"endCursor\\?":\\?")[\w.-]+/g, '$1…')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'TIME')
    .replace(/(retry_after_seconds\\?":)\d+|in \d+ s/g, '$1N');
}

async function answer(client: Client, [name, args]: Step): Promise<string> {
  return JSON.stringify(await client.callTool({ name, arguments: args }));
}

/** An address where no server listens any more. */
async function deserted(): Promise<string> {
  const server = createHttpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/api`;
}

/** The codes of the answers, so that a test can check what it has covered. */
const codesIn = (answers: readonly string[]): string[] =>
  answers.flatMap((each) =>
    [...each.matchAll(/\\"code\\":\\"([A-Z_]+)\\"/g)].map(([, code]) => code!),
  );

describe('a generated package', () => {
  let adapter: Adapter;
  let made: GeneratedPackage;

  beforeAll(async () => {
    adapter = await testedAdapter();
    made = await writePackage(generateAdapter(adapter), { 'test/typed.ts': TYPED });
    // Libraries are checked too, and with them the types of the runtime.
    await made.run(COMPILER, '-p', '.', '--skipLibCheck', 'false');
  });
  afterAll(() => made.remove());

  async function pair(env: Environment, urls: readonly [string, string]) {
    const [mine, theirs] = urls;
    return [
      await interpreted(adapter, env, mine),
      await generated(made.folder, env, theirs),
    ] as const;
  }

  async function same(clients: readonly [Client, Client], step: Step): Promise<string> {
    const [expected, actual] = await Promise.all(clients.map((client) => answer(client, step)));
    expect(normal(actual!)).toBe(normal(expected!));
    return actual!;
  }

  it('compiles under strict rules, and its own tests pass', async () => {
    const report = await made.run('--test', '--test-reporter=tap', 'dist/test/adapter.test.js');
    expect(report).toMatch(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(report)?.[1])).toBeGreaterThan(
      2 * adapter.operations.size,
    );
  });

  it(
    'lists the same tools as the interpreted adapter, with every label and title',
    shows('AQL-40', 'AQL-41', 'AQL-42', 'AQL-43', async () => {
      const harbour = await openHarbour();
      const [mine, theirs] = await pair({ HARBOUR_TOKEN: TOKEN }, [harbour.url, harbour.url]);
      const { tools } = await theirs.listTools();
      expect(tools).toEqual((await mine.listTools()).tools);
      expect(tools.map(({ name }) => name)).toEqual([CREATE, READ, UPDATE, DELETE, EXECUTE]);
      for (const { title, annotations } of tools) {
        expect(title).toMatch(/^Harbour Logbook — /);
        expect(annotations).toEqual({
          title,
          readOnlyHint: expect.any(Boolean) as boolean,
          destructiveHint: expect.any(Boolean) as boolean,
          idempotentHint: expect.any(Boolean) as boolean,
          openWorldHint: true,
        });
      }
    }),
  );

  it('gives the same answers as the interpreted adapter, up to a confirmed deletion', async () => {
    const [here, there] = [await openHarbour(), await openHarbour()];
    const clients = await pair({ HARBOUR_TOKEN: TOKEN }, [here.url, there.url]);
    const steps: Step[] = [
      [READ, { operation: 'introspect' }],
      [UPDATE, { operation: 'introspect', params: { names: ['get_ship', 'nothing'] } }],
      [
        READ,
        {
          operation: 'introspect',
          params: { names: [...adapter.operations.keys()], format: 'compact' },
        },
      ],
      [READ, { operation: 'introspect', params: { query: 'types', name: 'Ship' } }],
      [READ, { operation: 'list_ships' }],
      [READ, { operation: 'list_ships', params: { first: 2, fields: 'minimal' } }],
      [READ, { operation: 'list_ships', params: { offset: 1, limit: 2 } }],
      [READ, { operation: 'list_bookings', params: { page: 2, page_size: 2 } }],
      [READ, { operation: 'read_log', params: { first: 1000 } }],
      [
        READ,
        { operation: 'get_ship', params: { ship_id: 'ship-1', fields: ['name', 'crew.captain'] } },
      ],
      [READ, { operation: 'list_berths', free_only: true }],
      [CREATE, { operation: 'register_ship', params: { name: 'Fram', flag: 'NO' } }],
      [
        UPDATE,
        {
          operation: 'update_booking',
          params: { booking_id: 'booking-1', input: { status: 'left' } },
        },
      ],
      [EXECUTE, { operation: 'sound_horn', params: { ship_id: 'ship-2' } }],
      [
        READ,
        {
          operations: [
            { operation: 'get_berth', params: { berth_id: 'b1' } },
            { operation: 'nothing' },
          ],
        },
      ],
      [
        DELETE,
        {
          operations: [
            { operation: 'delete_booking', params: { booking_id: 'booking-1' } },
            { operation: 'x' },
          ],
        },
      ],
    ];
    for (const step of steps) await same(clients, step);

    const params = { booking_id: 'booking-2' };
    for (const client of clients) {
      const asked = await answer(client, [DELETE, { operation: 'delete_booking', params }]);
      const [token] = /conf_[\w-]+/.exec(asked)!;
      const confirmed: Step = [
        DELETE,
        { operation: 'delete_booking', params: { ...params, _confirmation: token } },
      ];
      expect(await answer(client, confirmed)).toContain('\\"success\\":true');
      expect(await answer(client, confirmed)).toContain('TOKEN_ALREADY_USED');
      const other = { booking_id: 'booking-3', _confirmation: token };
      expect(
        await answer(client, [DELETE, { operation: 'delete_booking', params: other }]),
      ).toContain('TOKEN_');
    }
    expect(there.requests).toEqual(here.requests);
    expect(there.requests.length).toBeGreaterThan(10);
  });

  it('refuses with the same messages, and sends the target as few requests', async () => {
    const [here, there] = [await openHarbour(), await openHarbour()];
    const clients = await pair({ HARBOUR_TOKEN: TOKEN }, [here.url, there.url]);
    const steps: Step[] = [
      [READ, {}],
      [READ, { operation: 'get_ship' }],
      [READ, { operation: 'get_ship', params: { ship_id: 7 } }],
      [READ, { operation: 'get_ship', params: { ship_id: 'ship-1', speed: 1 } }],
      [READ, { operation: 'get_ship', params: { ship_id: '..' } }],
      [READ, { operation: 'get_ship', params: { ship_id: 'ship-1', fields: 7 } }],
      [READ, { operation: 'get_ship', params: JSON.parse('{"__proto__": 1}') as object }],
      [READ, { operation: 'get_ship', params: { ship_id: 'x'.repeat(1_100_000) } }],
      [READ, { operation: 'get_ships', params: {} }],
      [READ, { operation: 'get_ship', params: { ship_id: 'ship-99' } }],
      [READ, { operation: 'introspect', params: { name: 'a', names: ['b'] } }],
      [READ, { operation: 'list_ships', params: { after: 'forged', first: 1 } }],
      [READ, { operation: 'read_hostile', params: { ship_id: 'ship-1', words: 'other' } }],
      [READ, { operation: 'delete_booking', params: { booking_id: '1' } }],
      [CREATE, { operation: 'register_ship', params: { name: 'Fram', flag: 'no' } }],
      [CREATE, { operation: 'register_ship', params: { name: 'Fram', flag: 'NO', length_m: 0 } }],
      [CREATE, { operation: 'register_ship', params: { name: 'Alba', flag: 'NO' } }],
      [UPDATE, { operation: 'update_booking', params: { input: { booking_id: 'x' } } }],
      [
        DELETE,
        { operation: 'delete_booking', params: { booking_id: '1', _confirmation: 'conf_none' } },
      ],
      [EXECUTE, { operation: 'open_sluice', params: { sluice_id: 'north' } }],
      [EXECUTE, { operation: 'wipe_harbour', params: { ship_id: 'x' } }],
      [READ, { operation: 'read_once', params: { ship_id: 'ship-1' } }],
      [READ, { operation: 'read_once', params: { ship_id: 'ship-1' } }],
      [READ, { operations: [] }],
    ];
    const answers: string[] = [];
    for (const step of steps) answers.push(await same(clients, step));
    expect(there.requests).toEqual(here.requests);
    expect(new Set(codesIn(answers))).toEqual(
      new Set([
        'VALIDATION_MISSING_PARAM',
        'VALIDATION_INVALID_TYPE',
        'VALIDATION_UNKNOWN_PARAM',
        'VALIDATION_UNKNOWN_FIELD',
        'VALIDATION_INVALID_ENUM',
        'VALIDATION_OUT_OF_RANGE',
        'VALIDATION_PATTERN_MISMATCH',
        'VALIDATION_INVALID_VALUE',
        'VALIDATION_INVALID_QUERY',
        'VALIDATION_PAYLOAD_TOO_LARGE',
        'VALIDATION_ENDPOINT_MISMATCH',
        'NOT_FOUND_OPERATION',
        'NOT_FOUND_RESOURCE',
        'CONFLICT_ALREADY_EXISTS',
        'TOKEN_INVALID',
        'RATE_LIMIT_EXCEEDED',
        'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
        'PERMISSION_DANGER_LEVEL_DENIED',
      ]),
    );
    await expect(clients[1].callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('reports a failing target as the interpreted adapter does', async () => {
    const target = createHttpServer((request, response) => {
      const kind = request.url!.split('/').at(-1)!;
      if (kind === 'slow') return;
      if (kind === 'gone') return void request.socket.destroy();
      if (kind === 'wait') response.setHeader('retry-after', '120');
      if (kind === 'away') response.setHeader('location', 'http://10.0.0.1/');
      const status: Readonly<Record<string, number>> = {
        away: 302,
        wait: 429,
        boom: 500,
        no: 403,
        bad: 422,
      };
      response.statusCode = status[kind] ?? 200;
      response.end(kind === 'html' ? '<p>Hello</p>' : '{"message":"as the target says"}');
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      target.closeAllConnections();
      target.close();
    });
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    const clients = await pair({ HARBOUR_TOKEN: TOKEN }, [url, url]);
    const answers: string[] = [];
    // After a request to wait nothing is sent for a while, so this comes last.
    for (const ship_id of ['html', 'boom', 'no', 'bad', 'slow', 'gone', 'away', 'wait', 'html']) {
      answers.push(await same(clients, [READ, { operation: 'get_ship', params: { ship_id } }]));
    }
    expect(codesIn(answers)).toEqual([
      'SERIALIZATION_PARSE_ERROR',
      'INTERNAL_ERROR',
      'PERMISSION_DENIED',
      'VALIDATION_INVALID_TYPE',
      'TRANSPORT_TIMEOUT',
      'TRANSPORT_NETWORK_ERROR',
      'PERMISSION_DENIED',
      'RATE_LIMIT_EXCEEDED',
      'RATE_LIMIT_EXCEEDED',
    ]);
  });

  it('gives the same errors without an answer, without a host name or without credentials', async () => {
    const step: Step = [READ, { operation: 'get_ship', params: { ship_id: 'ship-1' } }];
    const nobody = await deserted();
    const refused = await same(await pair({ HARBOUR_TOKEN: TOKEN }, [nobody, nobody]), step);
    expect(codesIn([refused])).toEqual(['TRANSPORT_CONNECTION_REFUSED']);
    const within = 'http://10.0.0.1/api';
    const inside = await same(await pair({ HARBOUR_TOKEN: TOKEN }, [within, within]), step);
    expect(codesIn([inside])).toEqual(['PERMISSION_DENIED']);
    expect(codesIn([await same(await pair({}, [nobody, nobody]), step)])).toEqual([
      'AUTH_CREDENTIAL_MISSING',
    ]);
    const broken = await pair({ HARBOUR_TOKEN: 'a\nb' }, [nobody, nobody]);
    expect(codesIn([await same(broken, step)])).toEqual(['AUTH_CONFIG_INVALID']);
  });
});

describe('the generator', () => {
  const names = (files: ReadonlyMap<string, string>): string[] =>
    [...files.get('src/tools.ts')!.matchAll(/definition: \{\n\s+name: '([^']+)'/g)].map(
      ([, name]) => name!,
    );

  it(
    'takes the names from tool_names.pattern',
    shows('AQL-39', 'AQL-40', 'AQL-41', () => {
      const plain = names(generateAdapter(adapterWith()));
      expect(plain).toEqual(
        ['create', 'read', 'update', 'delete', 'execute'].map(
          (each) => `apple_mail_mcpaql_${each}`,
        ),
      );
      const custom = adapterWith({ tool_names: { pattern: 'my_{adapter}_mcpaql_{endpoint}' } });
      expect(names(generateAdapter(custom))).toEqual(plain.map((name) => `my_${name}`));
      const bare = adapterWith({ tool_names: { pattern: 'mcpaql_{endpoint}', legacy: true } });
      expect(names(generateAdapter(bare))).toContain('mcpaql_read');
      expect(names(generateAdapter(bare))).toContain('mcp_aql_read');
    }),
  );

  it('depends on the adapter alone: the same files every time, without local paths', () => {
    const adapter = adapterWith({}, '/home/someone/secret-place/mail.json');
    const files = generateAdapter(adapter);
    expect([...generateAdapter(adapter)]).toEqual([...files]);
    expect([...files.values()].join('')).not.toContain('secret-place');
  });

  it('depends on the SDK and undici, each at one version, and on nothing else', () => {
    const file = new URL('../../../../outbound/package.json', import.meta.url);
    const outbound = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies: { undici: string };
    };
    const files = generateAdapter(adapterWith());
    const manifest = JSON.parse(files.get('package.json')!) as {
      dependencies: Record<string, string>;
    };
    expect(manifest.dependencies).toEqual({
      '@modelcontextprotocol/server': '2.4.0',
      undici: outbound.dependencies.undici,
    });
    const sources = [...files].filter(([path]) => /\.[jt]s$/.test(path));
    const imported = sources.flatMap(([path, source]) =>
      [...source.matchAll(/^(?:import|export|\}) [^;]*?from ["']([^"']+)["'];$/gm)].map(
        ([, from]) => `${path} ${from}`,
      ),
    );
    expect(imported).toContain('src/calls.ts #runtime');
    expect(files.get('runtime/runtime.js')).toMatch(/import\("undici"\)/);
    const known =
      / (?:node:[\w/]+|\.\.?\/[\w/-]+\.js|#runtime|@modelcontextprotocol\/server(?:\/\w+)?)$/;
    expect(imported.filter((each) => !known.test(each))).toEqual([]);
  });

  it('refuses an adapter whose target a package cannot reach (S12)', () => {
    const native = adapterWith({
      target: { transport: 'native', command: ['mail'] },
      operations: { read: [{ name: 'list_letters', maps_to: 'command:list' }] },
    });
    expect(() => generateAdapter(native)).toThrow('callsign adapter serve');
  });
});
