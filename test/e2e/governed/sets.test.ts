/** Tool sets on real gateways: over HTTP at an address of their own, by a key, and through `callsign connect`. */

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { Person } from '../connect/person.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import { HttpClient } from '../lifecycle/http-client.js';
import { ENVELOPE } from '../stateless-envelope.js';

const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:pid': { preset: 'WRITE_DESTRUCTIVE' },
  'five:add': { preset: 'READ_ONLY_DEFAULT' },
  'five:pid': { preset: 'WRITE_DESTRUCTIVE' },
  'six:pid': { preset: 'WRITE_DESTRUCTIVE' },
};
const SETTINGS = {
  annotations,
  aliases: { p: 'kid:pid' },
  renamed: { old: 'kid' },
  servers: { five: { view: 'crude' }, six: { view: 'search' } },
  profiles: { finder: { view: 'search', clients: ['finder'] } },
  sets: {
    reading: {
      servers: ['kid', 'five'],
      labels: ['read'],
      exclude: ['kid:greet', 'kid:plain://*'],
    },
    other: { servers: ['other'] },
  },
};
const SERVERS = { kid: plain(), five: plain(), six: plain(), other: plain() };
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const OUTSIDE = 'it is not in the set "reading"';

interface Recorded {
  readonly tool: string;
  readonly outcome: string;
  readonly risk: string | null;
  readonly rule?: string;
}

describe('a client of a set over HTTP', () => {
  it('gets only the set, and is told the set of what it cannot use', async () => {
    const home = new Home();
    const config = home.configure(SERVERS, SETTINGS);
    const { stdout: made } = await home.run(['key', 'add', 'ann', '--set', 'reading', '--json']);
    await home.run(['key', 'add', 'bob', '--json']);
    const { stdout: free } = await home.run(['key', 'add', 'all', '--json']);
    const env = { XDG_STATE_HOME: join(home.folder, 'state'), HOME: home.folder };
    const gateway = await startGateway({ servers: {}, config, env, listener: 'http' });
    const keyIn = (text: string): string => (JSON.parse(text) as { key: string }).key;
    const [bound, unbound] = [keyIn(made), keyIn(free)];
    const { url } = gateway;
    const connected = async (path: string, key = unbound, name = 'agent'): Promise<HttpClient> => {
      const client = new HttpClient(`${url}${path}`, { name, token: key });
      await client.handshake();
      return client;
    };
    const whole = await connected('');
    const [client, byKey] = [await connected('/set/reading'), await connected('', bound)];
    const all = await whole.tools();
    const names = await client.tools();
    expect(all).toContain('kid:pid');
    expect(names).toContain('kid:add');
    // Names are the same in all sets.
    expect(names.filter((name) => !all.includes(name))).toEqual([]);
    expect(names.some((name) => /^(other|six):/.test(name))).toBe(false);
    expect(names).toContain('five:mcpaql_read');
    expect(all).toContain('five:mcpaql_execute');
    expect(names).not.toContain('five:mcpaql_execute');
    expect(await byKey.tools()).toEqual(names);
    // A key narrows at every address.
    expect(await (await connected('/profile/canonical', bound)).tools()).toEqual(names);
    expect(await (await connected('/set/other', bound)).tools()).toEqual([]);

    const refused: [string, object][] = [
      ['tools/call', { name: 'kid:pid', arguments: {} }],
      ['tools/call', { name: 'p', arguments: {} }],
      ['tools/call', { name: 'old:pid', arguments: {} }],
      ['tools/call', { name: 'kid:pid', arguments: {}, task: {} }],
      ['tools/call', { name: 'five:mcpaql_read', arguments: { operation: 'pid', params: {} } }],
      ['tools/call', { name: 'five:mcpaql_execute', arguments: { operation: 'pid', params: {} } }],
      ['tools/call', { name: 'six:call', arguments: { operation: 'pid', params: {} } }],
      ['prompts/get', { name: 'kid:greet' }],
      ['resources/read', { uri: 'kid:plain://static' }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'kid:greet' }, argument: { name: 'name', value: '' } },
      ],
    ];
    for (const each of [client, byKey]) {
      for (const [method, params] of refused) {
        const answer = await each.request(method, params);
        expect(JSON.stringify(answer), `${method} ${JSON.stringify(params)}`).toContain(
          OUTSIDE.replaceAll('"', String.raw`\"`),
        );
      }
    }
    const stateless = await fetch(`${url}/set/reading`, {
      method: 'POST',
      headers: {
        ...HEADERS,
        authorization: `Bearer ${unbound}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'kid:pid',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'kid:pid', arguments: {}, _meta: ENVELOPE },
      }),
    });
    expect(await stateless.text()).toContain('is not in the set');
    expect((await client.call('kid:add', { a: 1, b: 2 })).result).toMatchObject({
      structuredContent: { sum: 3 },
    });
    const finder = await connected('/set/reading', unbound, 'finder');
    const [find = '', call = ''] = await finder.tools();
    const found = JSON.stringify(await finder.call(find, { query: 'add numbers' }));
    expect(found).toContain('kid:add');
    expect(found).not.toMatch(/pid|other:/);
    const called = await finder.call(call, { operation: 'kid:pid', params: {} });
    expect(JSON.stringify(called)).toContain('is not in the set');

    const nowhere = await fetch(`${url}/set/readin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${unbound}` },
    });
    expect([nowhere.status, await nowhere.text()]).toEqual([
      404,
      expect.stringContaining(String.raw`There is no set \"readin\".`),
    ]);

    const listed = async (): Promise<Recorded[]> => {
      const { stdout } = await home.run(['audit', 'list', '--json', '--decision', 'deny']);
      return (JSON.parse(stdout) as { records: Recorded[] }).records;
    };
    await eventually(async () => (await listed()).length === refused.length * 2 + 2);
    const brief = ({ tool, outcome, risk, rule }: Recorded): string =>
      [tool, outcome, risk, rule].join(' ');
    const of = (tool: string, risk = 'destructive'): string =>
      `${tool} policy-denied ${risk} ${OUTSIDE}`;
    expect(new Set((await listed()).map(brief))).toEqual(
      new Set([
        of('kid:pid'),
        of('five:pid'),
        of('six:pid'),
        of('kid:greet', 'read'),
        of('kid:plain://static', 'read'),
      ]),
    );
  });
});

describe.skipIf(process.platform !== 'linux')('callsign connect --set', () => {
  it('narrows one client of a shared gateway, follows labels, and names unknown sets', async () => {
    const person = new Person(SERVERS, SETTINGS);
    const args = ['--config', person.config];
    const [narrow, whole] = [
      await person.connect({ name: 'a', args: [...args, '--set', 'reading'] }),
      await person.connect({ name: 'b', args }),
    ];
    expect(await narrow.client.tools()).not.toContain('kid:pid');
    expect(await whole.client.tools()).toContain('kid:pid');
    expect(person.gateways()).toHaveLength(1);
    expect(JSON.stringify(await narrow.client.call('kid:pid'))).toContain('is not in the set');

    const changed = {
      ...SETTINGS,
      annotations: { ...annotations, 'kid:pid': { preset: 'READ_ONLY_DEFAULT' } },
    };
    person.write('own.json', JSON.stringify({ mcpServers: SERVERS, callsign: changed }));
    await eventually(() => narrow.client.count('notifications/tools/list_changed') > 0);
    expect(await narrow.client.tools()).toContain('kid:pid');
    expect((await narrow.client.call('kid:pid')).result).toBeDefined();

    const wrong = person.open({ args: [...args, '--set', 'readin'] });
    const { error } = await wrong.client.handshake();
    expect(error?.message).toContain('There is no set "readin". Did you mean "reading"?');
  });
});
