import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { eventually, pause, plain, startGateway, temporaryFolder } from '../gateway-process.js';
import { cancelledIn, textOf } from '../lifecycle/tool-results.js';

const servers = { kid: plain() };
const limitOf = (callTimeoutMs: number) => ({ servers: { kid: { callTimeoutMs } } });

describe.each(['stdio', 'http'] as const)('the time limit of a call over %s', (door) => {
  it('ends it at the limit, tells the child, and the next call is served', async () => {
    const gateway = await startGateway({ servers, settings: limitOf(400), door });
    const client = await gateway.connect();
    await client.tools();
    const begun = performance.now();
    const { error } = await client.call('kid:sleep', { ms: 20_000 });
    const took = performance.now() - begun;
    expect(error).toEqual({
      code: -32000,
      message: 'Server "kid" did not answer within 0.4 s.',
      data: { code: 'upstream-timeout', server: 'kid', seconds: 0.4 },
    });
    expect(took).toBeGreaterThan(390);
    expect(took).toBeLessThan(1_400);
    await eventually(async () => (await cancelledIn(client, 'kid')).length === 1, 1_000);
    expect((await client.result('kid:add', { a: 1, b: 2 }))['structuredContent']).toEqual({
      sum: 3,
    });
  });

  it('is renewed by progress', async () => {
    const gateway = await startGateway({ servers, settings: limitOf(500), door });
    const client = await gateway.connect();
    await client.tools();
    const steps = { steps: 8, ms: 200 };
    const told = await client.call('kid:progress', steps, { _meta: { progressToken: 1 } });
    expect(told.error).toBeUndefined();
  });

  it('does not count the time in which the client is asked', async () => {
    const gateway = await startGateway({ servers, settings: limitOf(400), door });
    const client = await gateway.connect({ capabilities: { elicitation: {} } });
    client.on('elicitation/create', async () => {
      await pause(1_000);
      return { action: 'accept', content: { answer: 'late' } };
    });
    await client.tools();
    const { result, error } = await client.call('kid:ask', { kind: 'elicitation', message: '?' });
    expect(error).toBeUndefined();
    expect(textOf(result)).toContain('late');
  });
});

describe('a call that its server loses', () => {
  const flaky = (marks: string) => ({
    command: process.execPath,
    args: [join(ROOT, 'test', 'e2e', 'governed', 'flaky-child.mjs'), `--marks=${marks}`],
  });
  const settings = {
    retry: { attempts: 2, firstMs: 20 },
    restart: { initialMs: 50, maxMs: 50 },
    servers: { kid: { trust: 'trusted' } },
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

  it('is not, where the hints say nothing of the kind, or the server is not believed', async () => {
    const marks = temporaryFolder();
    const gateway = await startGateway({ servers: { kid: flaky(marks) }, settings });
    const client = await gateway.connect();
    await client.tools();
    expect((await client.call('kid:add')).error?.data?.['code']).toBe('upstream-closed');

    const untrusted = await startGateway({
      servers: { kid: flaky(temporaryFolder()) },
      settings: { ...settings, servers: {} },
    });
    const stranger = await untrusted.connect();
    await stranger.tools();
    expect((await stranger.call('kid:look')).error?.data?.['code']).toBe('upstream-closed');
  });

  it('is not, unless the configuration asks for it', async () => {
    const { restart, servers: trusted } = settings;
    const gateway = await startGateway({
      servers: { kid: flaky(temporaryFolder()) },
      settings: { restart, servers: trusted },
    });
    const client = await gateway.connect();
    await client.tools();
    expect((await client.call('kid:look')).error?.data?.['code']).toBe('upstream-closed');
  });
});

describe('a quota', () => {
  it('has calls wait for each other, and turns away quickly what is too much', async () => {
    const settings = { quota: { perServer: { concurrent: 1, queue: 1 } } };
    const gateway = await startGateway({ servers: { kid: plain(), free: plain() }, settings });
    const client = await gateway.connect();
    await client.tools();
    const first = client.call('kid:sleep', { ms: 500 });
    const second = client.call('kid:add', { a: 1, b: 2 });
    const third = await client.call('kid:add', { a: 1, b: 2 });
    expect(third.error).toMatchObject({
      code: -32010,
      message: 'Too many calls of server "kid"; try again in 1 s.',
    });
    expect((await client.call('free:add', { a: 1, b: 2 })).error).toBeUndefined();
    expect((await first).error).toBeUndefined();
    expect((await second).result!['structuredContent']).toEqual({ sum: 3 });
  });

  it('per caller leaves the others alone', async () => {
    const settings = { quota: { perCaller: { perMinute: 2 } } };
    const gateway = await startGateway({ servers, settings, door: 'http' });
    const [greedy, modest] = [await gateway.connect(), await gateway.connect()];
    await greedy.tools();
    for (let n = 0; n < 2; n++) await greedy.result('kid:add', { a: 1, b: n });
    expect((await greedy.call('kid:add', {})).error?.data?.['code']).toBe('limit-reached');
    expect((await modest.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();
  });
});

describe('a breaker', () => {
  it('leaves a server alone that only fails, and the others are served', async () => {
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
  it('refuses what is longer, whole, and says how long it was', async () => {
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
