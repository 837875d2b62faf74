import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { eventually, pause, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import { cancelledIn, textOf } from '../lifecycle/tool-results.js';

const servers = { kid: plain() };
const limitOf = (callTimeoutMs: number) => ({ servers: { kid: { callTimeoutMs } } });

/** Long enough for an ordinary answer on a busy machine. */
const LIMIT_MS = 5_000;

describe.concurrent.each(['stdio', 'http'] as const)(
  'the time limit of a call over %s',
  (listener) => {
    it('ends it at the limit, tells the child, and the next call is served', async (test) => {
      const setup = { servers, settings: limitOf(LIMIT_MS), listener };
      const gateway = await startGateway(setup, test.onTestFinished);
      const client = await gateway.connect();
      await client.tools();
      const { error } = await client.call('kid:sleep', { ms: 600_000 });
      test.expect(error).toEqual({
        code: -32000,
        message: 'Server "kid" did not answer within 5 s.',
        data: { code: 'upstream-timeout', server: 'kid', seconds: 5 },
      });
      await eventually(async () => (await cancelledIn(client, 'kid')).length === 1);
      test.expect((await client.result('kid:add', { a: 1, b: 2 }))['structuredContent']).toEqual({
        sum: 3,
      });
    });

    it('is renewed by progress', async (test) => {
      const setup = { servers, settings: limitOf(LIMIT_MS), listener };
      const gateway = await startGateway(setup, test.onTestFinished);
      const client = await gateway.connect();
      await client.tools();
      // Longer than the limit in all, and much shorter between two reports.
      const steps = { steps: 30, ms: 200 };
      const told = await client.call('kid:progress', steps, { _meta: { progressToken: 1 } });
      test.expect(told.error).toBeUndefined();
    });

    it('does not count the time in which the client is asked', async (test) => {
      const setup = { servers, settings: limitOf(LIMIT_MS), listener };
      const gateway = await startGateway(setup, test.onTestFinished);
      const client = await gateway.connect({ capabilities: { elicitation: {} } });
      client.on('elicitation/create', async () => {
        // Longer than the limit of the call.
        await pause(LIMIT_MS + 500);
        return { action: 'accept', content: { answer: 'late' } };
      });
      await client.tools();
      const { result, error } = await client.call('kid:ask', { kind: 'elicitation', message: '?' });
      test.expect(error).toBeUndefined();
      test.expect(textOf(result)).toContain('late');
    });
  },
);

describe('a call that its server loses', () => {
  const flaky = (marks: string) => ({
    command: process.execPath,
    args: [join(ROOT, 'test', 'e2e', 'governed', 'flaky-child.mjs'), `--marks=${marks}`],
  });
  const settings = {
    retry: { attempts: 2, firstMs: 20 },
    restart: { initialMs: 50, maxMs: 50 },
  };

  it('is sent again when the server is back, if the hints allow that, and the result says so', async () => {
    const gateway = await startGateway({ servers: { kid: flaky(temporaryFolder()) }, settings });
    const client = await gateway.connect();
    await client.tools();
    for (const name of ['look', 'set']) {
      const { result } = await client.call(`kid:${name}`);
      expect(textOf(result)).toBe(`${name} done`);
      expect(result!['_meta']).toEqual({ 'callsign/retries': 1 });
    }
    expect((await client.call('kid:look')).result!['_meta']).toBeUndefined();
  });

  it('is not sent again if the hints do not allow it, or the server is not trusted', async () => {
    const marks = temporaryFolder();
    const gateway = await startGateway({ servers: { kid: flaky(marks) }, settings });
    const client = await gateway.connect();
    await client.tools();
    expect((await client.call('kid:add')).error?.data?.['code']).toBe('upstream-closed');

    const untrusted = await startGateway({
      servers: { kid: flaky(temporaryFolder()) },
      settings: { ...settings, servers: { kid: { trust: 'none' } } },
    });
    const untrustedClient = await untrusted.connect();
    await untrustedClient.tools();
    expect((await untrustedClient.call('kid:look')).error?.data?.['code']).toBe('upstream-closed');
  });

  it('is not sent again unless the configuration says so', async () => {
    const gateway = await startGateway({
      servers: { kid: flaky(temporaryFolder()) },
      settings: { restart: settings.restart },
    });
    const client = await gateway.connect();
    await client.tools();
    expect((await client.call('kid:look')).error?.data?.['code']).toBe('upstream-closed');
  });
});

describe('a call to a failing remote server', () => {
  /** A server over HTTP whose first call is answered like this, and every other one well. */
  async function ailing(first: (response: ServerResponse) => void) {
    let calls = 0;
    const server = createServer(async (request, response) => {
      const { id, method } = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
      if (request.method !== 'POST' || id === undefined) return response.writeHead(202).end();
      if (method === 'tools/call' && ++calls === 1) return first(response);
      const tool = { name: 'look', inputSchema: { type: 'object' } };
      const result = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'ailing', version: '1' },
        },
        'tools/list': { tools: [{ ...tool, annotations: { readOnlyHint: true } }] },
        'tools/call': { content: [{ type: 'text', text: 'well' }] },
      }[String(method)];
      const error = { code: -32601, message: 'Method not found' };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const gateway = await startGateway({
      servers: { far: { url: `http://127.0.0.1:${port}/mcp` } as never },
      settings: { retry: { attempts: 1, firstMs: 10 }, servers: {} },
    });
    const client = await gateway.connect();
    expect(await client.tools()).toEqual(['far:look']);
    return { client, calls: () => calls };
  }

  it.each([
    ['502', (response: ServerResponse) => response.writeHead(502).end()],
    ['503', (response: ServerResponse) => response.writeHead(503).end('<html>')],
    ['504', (response: ServerResponse) => response.writeHead(504).end()],
    ['429', (response: ServerResponse) => response.writeHead(429, { 'retry-after': '0' }).end()],
  ])('is sent again after %s', async (_, first) => {
    const { client, calls } = await ailing(first);
    const { result } = await client.call('far:look');
    expect([textOf(result), result!['_meta'], calls()]).toEqual([
      'well',
      { 'callsign/retries': 1 },
      2,
    ]);
  });

  it('is sent again at once if a connection that was used before dies without an answer (G7)', async () => {
    const { client, calls } = await ailing((response) => response.destroy());
    const { result } = await client.call('far:look');
    // That is no retry: the server has most likely closed the connection before it saw the call.
    expect([textOf(result), result!['_meta'], calls()]).toEqual(['well', undefined, 2]);
  });

  it('is not sent again after the server’s own error, or a permanent one', async () => {
    const own = { jsonrpc: '2.0', id: null, error: { code: -32050, message: 'No.' } };
    const refused = await ailing((response) => response.writeHead(503).end(JSON.stringify(own)));
    expect((await refused.client.call('far:look')).error).toMatchObject({ code: -32050 });
    expect(refused.calls()).toBe(1);
    const forbidden = await ailing((response) => response.writeHead(403).end());
    expect((await forbidden.client.call('far:look')).error).toMatchObject({
      data: { code: 'upstream-unavailable', status: 403 },
    });
    expect(forbidden.calls()).toBe(1);
  });
});

describe('a quota', () => {
  it('makes calls wait for each other, and refuses calls over the limit quickly', async () => {
    const settings = { quota: { perServer: { concurrent: 1, queue: 1 } } };
    const gateway = await startGateway({ servers: { kid: plain(), free: plain() }, settings });
    const client = await gateway.connect();
    await client.tools();
    const first = client.call('kid:sleep', { ms: 500 });
    const second = client.call('kid:add', { a: 1, b: 2 });
    const third = await client.call('kid:add', { a: 1, b: 2 });
    expect(third.error).toMatchObject({
      code: -32010,
      message: 'Too many calls to server "kid". Try again in 1 s.',
    });
    expect((await client.call('free:add', { a: 1, b: 2 })).error).toBeUndefined();
    expect((await first).error).toBeUndefined();
    expect((await second).result!['structuredContent']).toEqual({ sum: 3 });
  });

  it('counts for a server with the name of a property of every object', async () => {
    const settings = { quota: { perServer: { perMinute: 1 } } };
    const gateway = await startGateway({ servers: { constructor: plain() }, settings });
    const client = await gateway.connect();
    await client.result('constructor:add', { a: 1, b: 2 });
    const { error } = await client.call('constructor:add', { a: 1, b: 2 });
    expect(error?.data?.['code']).toBe('limit-reached');
  });

  it('per caller does not affect the others', async () => {
    const settings = { quota: { perCaller: { perMinute: 2 } } };
    const gateway = await startGateway({ servers, settings, listener: 'http' });
    const [greedy, modest] = [await gateway.connect(), await gateway.connect()];
    await greedy.tools();
    for (let n = 0; n < 2; n++) await greedy.result('kid:add', { a: 1, b: n });
    expect((await greedy.call('kid:add', {})).error?.data?.['code']).toBe('limit-reached');
    expect((await modest.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();
  });
});

describe('a breaker', () => {
  it('stops calls to a server that only fails, and the others are served', async () => {
    const gateway = await startGateway({
      servers: { dead: plain(), fine: plain() },
      settings: {
        breaker: { failures: 2, restMs: 60_000 },
        servers: { dead: { callTimeoutMs: 200 } },
      },
    });
    const client = await gateway.connect();
    await client.tools();
    for (let n = 0; n < 2; n++) {
      const { error } = await client.call('dead:sleep', { ms: 20_000 });
      expect(error?.data?.['code']).toBe('upstream-timeout');
    }
    expect((await client.call('dead:add', {})).error?.data?.['code']).toBe('server-resting');
    expect((await client.call('fine:add', { a: 1, b: 2 })).error).toBeUndefined();
  });
});

describe('a limit on results', () => {
  it('refuses a longer result as a whole, with its length', async () => {
    const settings = { limits: { maxResultBytes: 2_048 } };
    const gateway = await startGateway({ servers, settings });
    const client = await gateway.connect();
    await client.tools();
    expect((await client.call('kid:big', { bytes: 1_000 })).error).toBeUndefined();
    expect((await client.call('kid:big', { bytes: 5_000 })).error).toMatchObject({
      code: -32000,
      data: { code: 'result-too-large', tool: 'kid:big', limit: 2_048 },
    });
  });
});
