/** The HTTP listener: what each request must have, and the answer if it does not. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { temporaryFolder } from '../gateway-process.js';
import { arrived } from './arrival.js';
import { TestGateway } from './gateway.js';
import { exchange, type Ask, type Reply } from './http-exchange.js';
import { BOTH, HttpPeer, sessionHeaders, statelessHeaders } from './http-peer.js';
import { envelope, initializeMembers, requestText } from './peer.js';
import { fixture } from './servers.js';

let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  gateway = new TestGateway('http', { servers: { plain: fixture('plain-child') } });
  url = await gateway.url();
  const peer = await gateway.connect('session');
  await peer.request('tools/list');
  await peer.close();
});
afterAll(() => gateway.stop());

/** Counts the calls of the plain server. */
const callsOf = (peer: HttpPeer) => async (): Promise<number> => {
  const { result } = await peer.request('tools/call', '"name":"plain:calls"');
  return (JSON.parse(result!) as { structuredContent: { calls: number } }).structuredContent.calls;
};

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const INITIALIZE = requestText('1', 'initialize', initializeMembers({}), '');
const modern = (method: string, members = '', meta = envelope({})): string =>
  requestText('1', method, members, meta);
const post = (body: string, headers: Record<string, string>): Promise<Reply> =>
  exchange(url, { headers, body });
const openSession = async (name?: string): Promise<HttpPeer> => {
  const peer = new HttpPeer(url, 'session', name === undefined ? {} : { name });
  await peer.open();
  return peer;
};
const error = (code: number): object => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message: expect.any(String) },
});

describe('every request', () => {
  const foreign: [string, Record<string, string>][] = [
    ['another host', { host: 'evil.example.com' }],
    ['another host with our port', { host: 'evil.example.com:3917' }],
    ['a host that only begins like ours', { host: '127.0.0.1.evil.example.com' }],
    ['another origin', { origin: 'http://evil.example.com' }],
    ['an opaque origin', { origin: 'null' }],
    ['an origin that only begins like ours', { origin: 'http://localhost.evil.example.com' }],
  ];

  it.each(foreign)('for %s is refused before any server gets it', async (_, headers) => {
    const session = await openSession();
    const calls = async (): Promise<number> =>
      JSON.parse((await session.request('tools/call', '"name":"plain:calls"')).result!)
        .structuredContent.calls;
    const before = await calls();
    const call = modern('tools/call', '"name":"plain:echo","arguments":{}');
    const asks: [string, Ask][] = [
      [url, { headers: { ...statelessHeaders(call), ...headers }, body: call }],
      [url, { headers: { ...sessionHeaders(session.session), ...headers }, body: call }],
      [url, { headers: { ...sessionHeaders(), ...headers }, body: INITIALIZE }],
      [url, { method: 'GET', headers: { ...sessionHeaders(session.session), ...headers } }],
      [url, { method: 'DELETE', headers: { ...sessionHeaders(session.session), ...headers } }],
      [url, { method: 'OPTIONS', headers }],
      [await gateway.url('/healthz'), { method: 'GET', headers }],
      [await gateway.url('/sse'), { method: 'GET', headers }],
    ];
    for (const [to, ask] of asks) {
      const reply = await exchange(to, ask);
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject(error(-32000));
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(await calls()).toBe(before + 1);
    await session.close();
  });

  it('V12: of a page is accepted from our own address only, which may read the answer', async () => {
    const from = (origin: string): Promise<Reply> =>
      post(modern('server/discover'), {
        ...statelessHeaders(modern('server/discover')),
        origin,
      });
    const { origin } = new URL(url);
    const reply = await from(origin);
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, origin]);
    for (const other of ['http://localhost:5173', 'http://127.0.0.1', 'tauri://localhost']) {
      expect((await from(other)).status).toBe(403);
    }
  });

  it('to another path, or with an invalid path, is answered', async () => {
    for (const path of ['/', '/mcp/', '/mcp/profile/none', '/mcp/profile/%zz', '/messages']) {
      const { port } = new URL(url);
      const reply = await exchange(`http://127.0.0.1:${port}${path}`, {
        body: LIST,
        headers: sessionHeaders(),
      });
      expect(reply.status, path).toBe(404);
    }
    expect((await exchange(url.replace('/mcp', '//'), { body: LIST })).status).toBe(400);
  });

  it('by another method is refused with the allowed ones', async () => {
    for (const method of ['PUT', 'PATCH', 'HEAD']) {
      const reply = await exchange(url, { method, headers: sessionHeaders() });
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, POST, DELETE']);
    }
  });

  it('must be JSON', async () => {
    for (const type of ['text/plain', 'application/json-patch+json', 'application/jsonp', '']) {
      const reply = await post(LIST, { ...sessionHeaders(), 'content-type': type });
      expect([type, reply.status]).toEqual([type, 415]);
    }
    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json ;x=1',
    ]) {
      const reply = await post(INITIALIZE, { ...sessionHeaders(), 'content-type': type });
      expect([type, reply.status]).toEqual([type, 200]);
    }
  });

  it('must be one message, or some', async () => {
    for (const [body, code] of [
      ['', -32700],
      ['{', -32700],
      ['7', -32600],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
      ['[', -32700],
      ['[7]', -32600],
      ['[]', -32600],
      [`[${Array(101).fill(LIST).join(',')}]`, -32600],
    ] as const) {
      const reply = await post(body, sessionHeaders());
      expect([body.slice(0, 50), reply.status, reply.json]).toEqual([
        body.slice(0, 50),
        400,
        error(code),
      ]);
    }
  });

  it('may begin with a byte order mark', async () => {
    expect((await post(`\ufeff${INITIALIZE}`, sessionHeaders())).status).toBe(200);
  });

  it('has a limit, whether it says its length or not', async () => {
    const long = `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(5 * 1024 * 1024)}"}`;
    const declared = await post(long, sessionHeaders());
    expect([declared.status, declared.json]).toEqual([413, error(-32600)]);
    const chunked = await post(long, { ...sessionHeaders(), 'transfer-encoding': 'chunked' });
    expect(chunked.status).toBe(413);
  });
});

describe('a session', () => {
  it('is opened by initialize, with an id of its own in visible characters', async () => {
    const replies = await Promise.all([1, 2].map(() => post(INITIALIZE, sessionHeaders())));
    const ids = replies.map(({ headers }) => headers['mcp-session-id']);
    expect(ids[0]).toMatch(/^[\x21-\x7e]{16,}$/);
    expect(ids[0]).not.toBe(ids[1]);
    expect(replies[0]!.json.result.protocolVersion).toBe('2025-11-25');
  });

  it('answers in the version that was asked for, or in the newest', async () => {
    for (const [asked, given] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2026-07-28', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ] as const) {
      const body = requestText('1', 'initialize', initializeMembers({}, asked), '');
      const headers = { 'content-type': 'application/json', accept: BOTH };
      expect((await post(body, headers)).json.result.protocolVersion).toBe(given);
    }
  });

  it('requires that both kinds of answer are accepted', async () => {
    for (const accept of ['application/json', 'text/event-stream', '*/*', '']) {
      const reply = await post(INITIALIZE, { ...sessionHeaders(), accept });
      expect([accept, reply.status, reply.json]).toEqual([accept, 406, error(-32000)]);
    }
    const { session } = await openSession();
    const reply = await exchange(url, {
      method: 'GET',
      headers: { ...sessionHeaders(session), accept: 'application/json' },
    });
    expect(reply.status).toBe(406);
  });

  it('must be named, exist, and be of a version that we know', async () => {
    const { session } = await openSession();
    for (const method of ['POST', 'GET', 'DELETE']) {
      const to = (headers: Record<string, string>): Promise<Reply> =>
        exchange(url, { method, headers, ...(method === 'POST' ? { body: LIST } : {}) });
      const none = await to(sessionHeaders());
      expect([none.status, none.json]).toEqual([400, error(-32000)]);
      const wrong = await to(sessionHeaders('none'));
      expect([wrong.status, wrong.json]).toEqual([404, error(-32001)]);
      const old = await to({ ...sessionHeaders(session), 'mcp-protocol-version': '1999-01-01' });
      expect([old.status, old.json]).toEqual([400, error(-32000)]);
    }
  });

  it('is opened only once, and alone', async () => {
    const { session } = await openSession();
    const again = await post(INITIALIZE, sessionHeaders(session));
    expect([again.status, again.json]).toEqual([400, error(-32600)]);
    const among = await post(`[${INITIALIZE},${LIST}]`, sessionHeaders());
    expect([among.status, among.json]).toEqual([400, error(-32600)]);
  });

  it('accepts notifications and answers silently', async () => {
    const { session } = await openSession();
    for (const body of [
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
      '{"jsonrpc":"2.0","method":"notifications/unheard"}',
      '{"jsonrpc":"2.0","id":77,"result":{}}',
      '[{"jsonrpc":"2.0","method":"notifications/unheard"},{"jsonrpc":"2.0","id":77,"result":{}}]',
    ]) {
      const reply = await post(body, sessionHeaders(session));
      expect([reply.status, reply.text]).toEqual([202, '']);
    }
  });

  it('answers a batch, each message of it', async () => {
    const { session } = await openSession();
    const reply = await post(
      `[${LIST},{"jsonrpc":"2.0","method":"notifications/unheard"},{"jsonrpc":"2.0","id":"p","method":"ping"}]`,
      sessionHeaders(session),
    );
    const ids = [...reply.text.matchAll(/"id":(1|"p"),"result"/g)].map(([, id]) => id);
    expect(ids.toSorted()).toEqual(['"p"', '1']);
  });

  it('does not mix up requests that use the same id', async () => {
    const peer = await openSession();
    const morning = join(temporaryFolder(), 'morning');
    const members = `"name":"plain:sleep","arguments":{"until":${JSON.stringify(morning)}}`;
    const slow = await arrived(callsOf(peer), () => peer.start('tools/call', members, '', '5'));
    const second = await peer.start('tools/list', '', '', '5').reply();
    expect([second.status, second.json]).toEqual([400, error(-32600)]);
    const twice = await post(`[${LIST},${LIST}]`, sessionHeaders(peer.session));
    expect([twice.status, twice.json]).toEqual([400, error(-32600)]);
    writeFileSync(morning, '');
    expect((await slow.reply()).json).toMatchObject({ id: 5, result: expect.anything() });
    expect((await peer.start('ping', '', '', '5').reply()).json.result).toEqual({});
  });

  it('has one stream for what belongs to no request', async () => {
    const peer = await openSession();
    const first = await peer.listen();
    const second = await peer.get().reply();
    expect([second.status, second.json]).toEqual([409, error(-32000)]);
    first.cut();
    await expect.poll(async () => (await peer.get().response).statusCode).toBe(200);
    await peer.close();
  });

  it('ends with DELETE, together with its calls', async () => {
    const peer = await openSession();
    const stream = await peer.listen();
    const members = '"name":"plain:sleep","arguments":{"ms":600000}';
    const call = await arrived(callsOf(peer), () => peer.start('tools/call', members));
    expect((await peer.end()).status).toBe(200);
    await Promise.all([stream.ended, call.ended]);
    expect((await post(LIST, sessionHeaders(peer.session))).status).toBe(404);
    expect((await peer.end()).status).toBe(404);
  });

  it('is not called by names that no other profile has', async () => {
    const names = async (peer: HttpPeer): Promise<string[]> =>
      JSON.parse((await peer.request('tools/list')).result!).tools.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names(await openSession('claude-ai'))).toContain('plain__echo');
    expect(await names(await openSession('nobody-knows'))).toContain('plain:echo');
    for (const era of ['session', 'stateless'] as const) {
      const portable = new HttpPeer(await gateway.url('/mcp/profile/portable'), era, {
        name: 'nobody-knows',
      });
      await portable.open();
      expect(await names(portable)).toContain('plain__echo');
      const called = await portable.request('tools/call', '"name":"plain__echo","arguments":{}');
      expect(JSON.parse(called.result!).structuredContent).toEqual({});
      const identity = new HttpPeer(await gateway.url('/mcp/profile/identity'), era);
      await identity.open();
      expect(await names(identity)).toContain('echo');
    }
  });
});

describe('a wrong name', () => {
  it.each(['session', 'stateless'] as const)(
    'is an error of the protocol in the %s era, in the words of the convention',
    shows('AGG-26', 'AGG-27', 'AGG-28', async (era: 'session' | 'stateless') => {
      const peer = new HttpPeer(url, era);
      await peer.open();
      for (const [name, message] of [
        ['zzzzzzzzzzz', 'Tool name must be prefixed with server key: zzzzzzzzzzz'],
        ['echo', 'Tool name must be prefixed with server key: echo'],
        [':echo', 'Invalid tool name format: :echo'],
        ['plain:', 'Invalid tool name format: plain:'],
        ['plain:ecko', 'Tool not found: plain:ecko'],
        ['other:zzzzzzzzzzz', 'Tool not found: other:zzzzzzzzzzz'],
      ] as const) {
        const answer = await peer.request('tools/call', `"name":${JSON.stringify(name)}`);
        expect(answer.result).toBeUndefined();
        const { code, message: said } = JSON.parse(answer.error!);
        expect([code, said.split('\n')[0]]).toEqual([-32602, message]);
      }
      const near = await peer.request('tools/call', '"name":"plain:ecko"');
      expect(JSON.parse(near.error!).message).toContain('\nDid you mean: plain:echo?');
    }),
  );
});

describe('/healthz', () => {
  it('shows the state of the servers', async () => {
    const reply = await exchange(await gateway.url('/healthz'), { method: 'GET' });
    expect([reply.status, reply.json.status]).toEqual([200, 'ok']);
    expect(reply.json.servers).toMatchObject([{ key: 'plain', state: { is: 'ready' } }]);
  });
});
