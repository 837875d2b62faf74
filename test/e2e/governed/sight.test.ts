/** Whether anything of a server reaches a caller who may not see it: every method, both eras. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createApiKey } from '@callsign/auth';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import {
  eventually,
  startGateway,
  temporaryFolder,
  type GatewayProcess,
  type RawClient,
  type ServerEntry,
} from '../gateway-process.js';
import { protocolMethods } from './protocol-methods.js';
import { Recorder } from './recorder.js';

const [limited, admin] = [createApiKey(), createApiKey()];
const AUTH = {
  keys: [
    { name: 'limited', hash: limited.hash, roles: ['limited'] },
    { name: 'admin', hash: admin.hash, roles: ['admin'] },
  ],
};
const ROLES = { limited: { allow: ['open:*'] }, admin: { allow: ['*'] } };
const MARK = /vaultname|vaulttext/;

function marked(mark: string): ServerEntry {
  const script = join(ROOT, 'test', 'e2e', 'governed', 'marked-child.mjs');
  return { command: process.execPath, args: [script, `--mark=${mark}`] };
}

/** What a caller can try, with each method of a client, to reach the hidden server. */
const NAMES = [
  'vault:vaultname_speak',
  'vault__vaultname_speak',
  'vaultname_speak',
  'VAULT:vaultname_speak',
  'v',
  'old:vaultname_speak',
];
const URIS = [
  'vault://listed',
  'vault:vault://listed',
  'vault://any/thing',
  'VAULT://listed',
  'vault:both://x',
  'both://x',
];
const PROMPTS = ['vault:vaultname_prompt', 'vault__vaultname_prompt', 'old:vaultname_prompt'];
const refs = [
  ...PROMPTS.map((name) => ({ type: 'ref/prompt', name })),
  ...[...URIS, 'vault://{+path}', 'vault:both://{+path}'].map((uri) => ({
    type: 'ref/resource',
    uri,
  })),
];
const uriTries = URIS.map((uri) => ({ uri }));
const taskTries = [1, '1', 'vault:1', 'vaultname'].map((taskId) => ({ taskId }));
const FROM_CLIENTS: Readonly<Record<string, readonly object[]>> = {
  'completion/complete': refs.map((ref) => ({ ref, argument: { name: 'path', value: '' } })),
  initialize: [],
  'logging/setLevel': [{ level: 'debug' }],
  ping: [{}],
  'prompts/get': PROMPTS.map((name) => ({ name })),
  'prompts/list': [{}, { cursor: 'vault' }],
  'resources/list': [{}, { cursor: '1' }],
  'resources/read': uriTries,
  'resources/subscribe': uriTries,
  'resources/templates/list': [{}, { cursor: 'vault' }],
  'resources/unsubscribe': uriTries,
  'server/discover': [{}],
  // Opened once, with all hidden URIs; see `Recorder.open`.
  'subscriptions/listen': [],
  'tasks/cancel': taskTries,
  'tasks/get': taskTries,
  'tasks/list': [{}, { cursor: 'vault' }],
  'tasks/result': taskTries,
  'tools/call': NAMES.map((name) => ({ name, arguments: {} })),
  'tools/list': [{}, { cursor: 'vault' }],
  'notifications/cancelled': [{ requestId: 1 }, { requestId: 'r1' }],
  'notifications/initialized': [{}],
  'notifications/progress': [{ progressToken: 1, progress: 1 }],
  'notifications/roots/list_changed': [{}],
};

const numbers = Array.from({ length: 30 }, (_, i) => i);
const said = 'vaulttext';
/** What the hidden server may send with each method that a server may send. */
const FROM_SERVERS: Readonly<Record<string, readonly object[]>> = {
  'elicitation/create': [
    { message: said, requestedSchema: { type: 'object', properties: {} } },
    { mode: 'url', message: said, url: 'https://vaultname.example', elicitationId: said },
  ],
  'sampling/createMessage': [
    { maxTokens: 1, messages: [{ role: 'user', content: { type: 'text', text: said } }] },
  ],
  'roots/list': [{}],
  ping: [{}],
  'notifications/cancelled': numbers.map((requestId) => ({ requestId, reason: said })),
  'notifications/elicitation/complete': [{ elicitationId: said }],
  'notifications/message': [{ level: 'emergency', logger: said, data: said }],
  'notifications/progress': numbers.map((progressToken) => {
    return { progressToken, progress: 1, message: said };
  }),
  'notifications/prompts/list_changed': [{}],
  'notifications/resources/list_changed': [{}],
  'notifications/resources/updated': [...URIS, 'vault://{+path}'].map((uri) => ({
    uri,
    title: said,
  })),
  'notifications/subscriptions/acknowledged': [{ notifications: {}, _meta: { said } }],
  'notifications/tasks/status': [{ taskId: said, status: 'working', statusMessage: said }],
  'notifications/tools/list_changed': [{}],
};

/** The messages of a server, for its tool `speak`. Requests have ids. */
function messages(): object[] {
  let id = 0;
  return Object.entries(FROM_SERVERS).flatMap(([method, all]) =>
    all.map((params) => {
      return { method, params, ...(method.startsWith('notifications/') ? {} : { id: `q${++id}` }) };
    }),
  );
}

async function start(settings: object = {}): Promise<{
  readonly gateway: GatewayProcess;
  readonly boss: RawClient;
}> {
  const gateway = await startGateway({
    servers: { open: marked('open'), vault: marked('vault') },
    settings: {
      auth: AUTH,
      roles: ROLES,
      aliases: { v: 'vault:vaultname_speak' },
      renamed: { old: 'vault' },
      ...settings,
    },
    listener: 'http',
  });
  const boss = await gateway.connect({ token: admin.key });
  expect(await boss.tools()).toContain('vault:vaultname_speak');
  return { gateway, boss };
}

describe('a caller who may see one of two servers', () => {
  it('is tried with every method that the protocol has', () => {
    const known = new Set([...Object.keys(FROM_CLIENTS), ...Object.keys(FROM_SERVERS)]);
    // A new method needs a line in one of the tables above.
    expect([...known].toSorted()).toEqual(protocolMethods());
  });

  it.each(['session', 'stateless'] as const)(
    'V1, V2, V3, V11: gets nothing from the other, in the %s era',
    async (era) => {
      const { gateway, boss } = await start();
      const caller = new Recorder(era, gateway.url, limited.key);
      await caller.open([...URIS, 'open://listed']);
      const release = join(temporaryFolder(), 'release');
      const own = caller.send('tools/call', {
        name: 'open:openname_speak',
        arguments: { until: release },
      });
      for (const [method, tries] of Object.entries(FROM_CLIENTS)) {
        for (const params of tries) await caller.send(method, params).reply();
      }
      // While a call of the caller is under way, and a call of another at the hidden server.
      await boss.result('vault:vaultname_speak', { messages: messages() });
      await boss.result('vault:vaultname_speak', { messages: messages(), later: true });
      await eventually(async () => (await boss.tools()).includes('vault:vaultname_3'));
      writeFileSync(release, '');
      expect((await own.reply()).text).toContain('opentext');
      // What the caller may see does arrive: its streams are open.
      await boss.result('open:openname_speak', {
        later: true,
        messages: [
          { method: 'notifications/message', params: { level: 'info', data: 'opentext-log' } },
          { method: 'notifications/resources/updated', params: { uri: 'open://listed' } },
          { method: 'notifications/tools/list_changed' },
        ],
      });
      await eventually(() => caller.heard().includes('notifications/tools/list_changed'));
      const heard = caller.heard();
      expect(heard).toContain('notifications/resources/updated');
      if (era === 'session') expect(heard).toContain('opentext-log');
      expect(MARK.exec(heard)?.input.slice(MARK.exec(heard)!.index - 300)).toBeUndefined();
      expect(heard.split('notifications/tools/list_changed')).toHaveLength(2);
      expect(heard).not.toMatch(/notifications\/(?:prompts|resources)\/list_changed/);
      expect(heard).not.toMatch(/elicitation\/create|sampling\/createMessage|roots\/list/);
    },
  );

  it('V2: gets no log of a call that another caller makes at a server that both may see', async () => {
    const { gateway, boss } = await start();
    const caller = new Recorder('session', gateway.url, limited.key);
    await caller.open(['open://listed']);
    const log = { method: 'notifications/message', params: { level: 'info', data: 'for-boss' } };
    await boss.result('open:openname_speak', { messages: [log] });
    await eventually(() => boss.received.some(({ method }) => method === log.method));
    // A later update has arrived, so the log would have arrived as well.
    const updated = {
      method: 'notifications/resources/updated',
      params: { uri: 'open://listed' },
    };
    await boss.result('open:openname_speak', { messages: [updated] });
    await eventually(() => caller.heard().includes(updated.method));
    expect(caller.heard()).not.toContain('for-boss');
  });
});

describe('a role on resources', () => {
  const ROLE = { allow: ['open:*'], deny: ['open:open://secret/*', 'open:both://Safe/*'] };
  const SECRETS = [
    'open://secret/a',
    'open:open://secret/a',
    'open://secret/b/../a',
    'OPEN://SECRET/a',
    'open://secret/%61',
    'open://x%2F..%2F../secret/a',
    'open://secret%2Fa',
    'open://secret%252Fa',
    'open://secret\\a',
    'open://secret//a',
    'open://Secret/A',
    'both://safe/x',
    'both://x/../Safe/x',
    'open://secret/a%00.txt',
  ];

  it('V1: applies to every spelling, with templates, in reads, subscriptions and completions', async () => {
    const { gateway } = await start({ roles: { limited: ROLE, admin: { allow: ['*'] } } });
    const client = await gateway.connect({ token: limited.key });
    for (const uri of SECRETS) {
      for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
        const { error, result } = await client.request(method, { uri });
        expect([method, uri, result, error?.code]).toEqual([method, uri, undefined, -32602]);
      }
      const ref = { type: 'ref/resource', uri };
      const argument = { name: 'path', value: '' };
      expect((await client.request('completion/complete', { ref, argument })).error).toBeDefined();
    }
    const read = await client.request('resources/read', { uri: 'open://free/a' });
    expect(JSON.stringify(read.result)).toContain('opentext open://free/a');
    const ref = { type: 'ref/resource', uri: 'open://{+path}' };
    const argument = { name: 'path', value: 'free/' };
    const { result } = await client.request('completion/complete', { ref, argument });
    expect(result!['completion']).toEqual({ values: ['free/openname'] });
  });

  it('V1: can be an allow list of URIs, without the template in it', async () => {
    const roles = { limited: { allow: ['open:open://free/*'] }, admin: { allow: ['*'] } };
    const { gateway } = await start({ roles });
    const client = await gateway.connect({ token: limited.key });
    const read = async (uri: string) => (await client.request('resources/read', { uri })).result;
    expect(await read('open://free/a')).toBeDefined();
    expect(await read('open://free/../secret/a')).toBeUndefined();
    expect(await read('open://free/%2e%2e/secret/a')).toBeUndefined();
    expect(await read('open://other/a')).toBeUndefined();
    expect(await client.tools()).toEqual([]);
  });
});

describe('a view of a server', () => {
  const ROLE = { allow: ['open:*'], deny: ['open:openname_other'] };

  it.each(['crude', 'search'])('V6: %s names no tool that the caller may not use', async (view) => {
    const { gateway, boss } = await start({
      roles: { limited: ROLE, admin: { allow: ['*'] } },
      servers: { open: { view } },
    });
    const client = await gateway.connect({ token: limited.key });
    const all: unknown[] = [];
    const ask = async (method: string, params: object): Promise<void> => {
      all.push(await client.request(method, params));
    };
    await ask('tools/list', {});
    const names = await client.tools();
    const tries = [
      { operation: 'introspect', params: {} },
      { operation: 'introspect', params: { format: 'compact' } },
      { operation: 'introspect', params: { name: 'openname_othe' } },
      { operation: 'openname_othe' },
      { operations: [{ operation: 'introspect' }, { operation: 'openname_othe' }] },
      { query: '' },
      { query: 'openname', format: 'full', limit: 25 },
      { query: 'other' },
    ];
    for (const name of names)
      for (const args of tries) await ask('tools/call', { name, arguments: args });
    expect(JSON.stringify(all)).toContain('openname_speak');
    expect(JSON.stringify(all)).not.toContain('openname_other');
    expect(JSON.stringify(await boss.request('tools/list'))).toContain(
      view === 'crude' ? 'openname_{speak,other}' : 'Open (2)',
    );
  });

  it.each([
    ['crude', ['open:mcpaql_read', 'open:mcpaql_execute'], 'open:mcpaql_execute'],
    ['search', ['open:find', 'open:call'], 'open:call'],
  ])(
    'V6: %s shows the tools that a role allows one by one, and no others',
    async (view, shown, caller) => {
      const { gateway } = await start({
        roles: { limited: { allow: ['open:openname_speak'] }, admin: { allow: ['*'] } },
        servers: { open: { view } },
      });
      const client = await gateway.connect({ token: limited.key });
      expect(await client.tools()).toEqual(shown);
      const call = (operation: string): Promise<unknown> =>
        client.request('tools/call', { name: caller, arguments: { operation, params: {} } });
      expect(JSON.stringify(await call('openname_speak'))).toContain('opentext');
      expect(JSON.stringify(await call('openname_other'))).toContain('NOT_FOUND_OPERATION');
      expect(JSON.stringify(await client.request('tools/list', {}))).not.toMatch(
        /openname_other|vault/i,
      );
    },
  );

  it('V6: a role that denies a tool of a view does not see it', async () => {
    const { gateway } = await start({
      roles: {
        limited: { allow: ['open:openname_speak'], deny: ['open:call'] },
        admin: { allow: ['*'] },
      },
      servers: { open: { view: 'search' } },
    });
    const client = await gateway.connect({ token: limited.key });
    expect(await client.tools()).toEqual(['open:find']);
  });

  it('D10: a search over all servers finds and calls only what the caller may see', async () => {
    const profiles = { searcher: { clients: ['searcher'], view: 'search' } };
    const { gateway, boss } = await start({
      roles: { limited: ROLE, admin: { allow: ['*'] } },
      profiles,
    });
    const client = await gateway.connect({ token: limited.key, name: 'searcher' });
    expect(await client.tools()).toEqual(['callsign__find', 'callsign__call']);
    const all: unknown[] = [];
    const ask = async (name: string, args: object): Promise<void> => {
      all.push(await client.request('tools/call', { name, arguments: args }));
    };
    all.push(await client.request('tools/list', {}));
    for (const query of ['', 'speak', 'vault', 'vaultname speak', 'other', 'openname']) {
      await ask('callsign__find', { query, format: 'full', limit: 25 });
    }
    for (const operation of ['vault:speak', 'open:openname_othe', 'open:other']) {
      await ask('callsign__call', { operation, params: {} });
    }
    expect(JSON.stringify(all)).toContain('open:openname_speak');
    expect(JSON.stringify(all)).toContain('Look it up with callsign__find.');
    expect(JSON.stringify(all)).not.toMatch(MARK);
    expect(JSON.stringify(all)).not.toMatch(/Vault|openname_other/);
    const hidden = { operation: 'vault:vaultname_speak', params: {} };
    const refused = await client.request('tools/call', {
      name: 'callsign__call',
      arguments: hidden,
    });
    expect(JSON.stringify(refused)).toContain('NOT_FOUND_OPERATION');
    expect((await client.call('vault:vaultname_speak', {})).error?.code).toBe(-32602);
    const spoken = { operation: 'open:openname_speak', params: {} };
    expect(JSON.stringify(await client.call('callsign__call', spoken))).toContain('opentext');

    // A change at a server that the caller may not see is not announced to it; one at the other is.
    const changed = 'notifications/tools/list_changed';
    await boss.result('vault:vaultname_speak', { later: true, messages: [{ method: changed }] });
    await eventually(async () => (await boss.tools()).includes('vault:vaultname_2'));
    expect(client.received.filter(({ method }) => method === changed)).toEqual([]);
    await boss.result('open:openname_speak', { later: true, messages: [{ method: changed }] });
    await eventually(() => client.received.some(({ method }) => method === changed));
  });
});
