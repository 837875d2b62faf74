/** Stateless requests over HTTP: headers that repeat the body, the status for each error, disconnecting. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { arrived } from './arrival.js';
import { TestGateway } from './gateway.js';
import { Exchange, exchange, type Reply } from './http-exchange.js';
import { BOTH, HttpPeer, sessionHeaders, statelessHeaders } from './http-peer.js';
import { envelope, initializeMembers, requestText } from './peer.js';
import { fixture } from './servers.js';

const K = 'io.modelcontextprotocol';

let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  const servers = {
    plain: fixture('plain-child'),
    modern: fixture('plain-child', '--stateless'),
    every: fixture('everything'),
  };
  gateway = new TestGateway('http', { servers });
  url = await gateway.url();
  const peer = new HttpPeer(url, 'stateless');
  await peer.request('tools/list');
});
afterAll(() => gateway.stop());

const text = (method: string, members = '', meta = envelope({})): string =>
  requestText('"r-1"', method, members, meta);
const post = (body: string, headers: Record<string, string> = {}): Promise<Reply> =>
  exchange(url, { headers: { ...statelessHeaders(body), ...headers }, body });
/** Without some headers. */
const postWithout = (body: string, ...names: string[]): Promise<Reply> => {
  const headers = Object.entries(statelessHeaders(body)).filter(([name]) => !names.includes(name));
  return exchange(url, { headers: Object.fromEntries(headers), body });
};
const ECHO = '"name":"plain:echo","arguments":{"a":1}';

describe('the envelope', () => {
  it.each([
    ['nothing', requestText('"r-1"', 'server/discover', '', ''), ['_meta']],
    [
      'no version',
      text('server/discover', '', `"${K}/clientCapabilities":{}`),
      [`${K}/protocolVersion`],
    ],
    [
      'no capabilities',
      text('server/discover', '', `"${K}/protocolVersion":"2026-07-28"`),
      [`${K}/clientCapabilities`],
    ],
  ])('with %s is refused by name', async (_, body, missing) => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({
      id: 'r-1',
      error: { code: -32602, data: { envelope: { missing } } },
    });
  });

  it('must be well formed', async () => {
    for (const wrong of ['"clientInfo":{"name":7}', '"logLevel":"loud"', '"clientInfo":null']) {
      const meta = `${envelope({}).replace(`,"${K}/clientInfo":{"name":"raw-peer","version":"1"}`, '')},"${K}/${wrong.slice(1)}`;
      const reply = await post(text('server/discover', '', meta));
      expect([wrong, reply.status, reply.json.error.code]).toEqual([wrong, 400, -32602]);
    }
  });

  it('names a version that we speak', async () => {
    for (const version of ['v999.0.0', '2099-01-01']) {
      const body = text('server/discover', '', envelope({}, version));
      const reply = await post(body, { 'mcp-protocol-version': version });
      expect([reply.status, reply.json]).toEqual([
        400,
        {
          jsonrpc: '2.0',
          id: 'r-1',
          error: {
            code: -32022,
            message: `Unsupported protocol version: ${version}`,
            data: { supported: ['2026-07-28'], requested: version },
          },
        },
      ]);
    }
  });

  it('of the session era is refused where the header says otherwise', async () => {
    const body = requestText('"r-1"', 'initialize', initializeMembers({}), '');
    const reply = await post(body);
    expect([reply.status, reply.json.error.code]).toEqual([400, -32020]);
  });
});

describe('headers', () => {
  const call = text('tools/call', ECHO);

  it('must repeat the body', async () => {
    for (const headers of [
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': 'TOOLS/CALL' },
      { 'mcp-name': 'plain:other' },
      { 'mcp-name': '=?base64?!!!?=' },
    ]) {
      const reply = await post(call, headers);
      expect([headers, reply.status, reply.json]).toMatchObject([
        headers,
        400,
        { id: 'r-1', error: { code: -32020, data: { mismatch: expect.anything() } } },
      ]);
    }
  });

  it('must all be there', async () => {
    for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
      const reply = await postWithout(call, name);
      expect([name, reply.status, reply.json.error.code]).toEqual([name, 400, -32020]);
    }
    const list = await postWithout(text('tools/list'), 'accept');
    expect(list.status).toBe(200);
  });

  it('may have space around them, and be encoded', async () => {
    const encoded = `=?base64?${Buffer.from('plain:echo').toString('base64')}?=`;
    for (const name of ['  plain:echo\t', encoded]) {
      expect((await post(call, { 'mcp-name': name })).status).toBe(200);
    }
  });

  it('name a resource by its URI', async () => {
    const body = text('resources/read', '"name":"no","uri":"plain://item/1"');
    expect((await post(body)).json.result.contents[0].uri).toBe('plain://item/1');
    const wrong = await post(body, { 'mcp-name': 'no' });
    expect(wrong.json.error.code).toBe(-32020);
  });

  it('of a notification are compared with it too', async () => {
    const body = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"_meta":{${envelope({})}}}}`;
    expect((await post(body)).status).toBe(202);
    expect((await post(body, { 'mcp-method': 'tools/list' })).json.error.code).toBe(-32020);
  });
});

describe('an answer', () => {
  it('is a result with all that the era asks for', async () => {
    const { json } = await post(text('tools/call', ECHO));
    expect(json.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { a: 1 },
      _meta: { [`${K}/serverInfo`]: { name: 'callsign' } },
    });
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]) {
      expect((await post(text(method))).json.result).toMatchObject({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
    }
  });

  it('to a method of the other era is 404', async () => {
    for (const method of [
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'no/method',
    ]) {
      const reply = await post(text(method, '"uri":"plain://static"'));
      expect([method, reply.status, reply.json.error.code]).toEqual([method, 404, -32601]);
    }
  });

  it("with a server's own error has status 200", async () => {
    for (const server of ['plain', 'modern']) {
      const reply = await post(text('tools/call', `"name":"${server}:rpc_error"`));
      expect(reply.status).toBe(200);
      expect(reply.json.error).toMatchObject({ code: -32099, message: 'A deliberate error' });
      expect(reply.text).toContain('12345678901234567890');
    }
  });

  it('that a capability is missing says so in the status', async () => {
    const meta = envelope({ capabilities: '{}' });
    for (const name of ['modern:ask', 'every:test_missing_capability']) {
      const body = text('tools/call', `"name":"${name}","arguments":{"kind":"sampling"}`, meta);
      const reply = await post(body);
      expect([reply.status, reply.json.error]).toMatchObject([
        400,
        { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
      ]);
    }
    // A server with sessions has asked, and is told that the client cannot answer.
    const asked = await post(
      text('tools/call', '"name":"plain:ask","arguments":{"kind":"sampling"}', meta),
    );
    expect(asked.json.result).toMatchObject({ isError: true });
    expect(asked.json.result.content[0].text).toContain('sampling/createMessage');
  });

  it('to a batch is a refusal', async () => {
    for (const body of [
      `[${text('tools/list')}]`,
      `[{"jsonrpc":"2.0","id":1,"method":"ping"},${text('tools/list')}]`,
    ]) {
      const headers = { 'content-type': 'application/json', accept: BOTH };
      const reply = await exchange(url, { headers, body });
      expect([reply.status, reply.json.error.code]).toEqual([400, -32600]);
    }
  });

  it('to a posted answer is that there is no session', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect((await exchange(url, { headers: sessionHeaders(), body })).status).toBe(400);
  });

  it('is a stream as soon as there is more than one message', async () => {
    const body = text(
      'tools/call',
      '"name":"plain:progress","arguments":{"steps":2,"ms":20}',
      `"progressToken":7,${envelope({})}`,
    );
    const reply = await post(body);
    expect(reply.headers['content-type']).toBe('text/event-stream');
    expect(reply.text.match(/^data: /gm)).toHaveLength(3);
    expect(reply.text).not.toContain('\nid:');
  });
});

describe('a client that disconnects during a call', () => {
  const cancelled = async (server: string): Promise<number> =>
    (await post(text('tools/call', `"name":"${server}:cancelled"`))).json.result.structuredContent
      .ids.length;

  const calls = async (server: string): Promise<number> =>
    (await post(text('tools/call', `"name":"${server}:calls"`))).json.result.structuredContent
      .calls;

  it.each(['plain', 'modern'])('has cancelled it (%s)', async (server) => {
    const before = await cancelled(server);
    const body = text(
      'tools/call',
      `"name":"${server}:sleep","arguments":{"ms":60000}`,
      envelope({ capabilities: '{}' }),
    );
    const call = await arrived(
      () => calls(server),
      () => new Exchange(url, { headers: statelessHeaders(body), body }),
    );
    call.cut();
    await expect.poll(() => cancelled(server)).toBe(before + 1);
  });

  it('leaves its session, where it has one', async () => {
    const peer = new HttpPeer(url, 'session', { capabilities: '{}' });
    await peer.open();
    const call = await arrived(
      () => calls('plain'),
      () => peer.start('tools/call', '"name":"plain:sleep","arguments":{"ms":60000}'),
    );
    call.cut();
    expect((await peer.request('ping')).result).toBe('{}');
    await peer.close();
  });
});
