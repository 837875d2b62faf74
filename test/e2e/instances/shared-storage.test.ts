/** Real gateways on one real PostgreSQL, each with its own state folder, as on separate machines. */

import { readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import type { GatewayProcess, RawClient } from '../gateway-process.js';
import { type Machine, machines } from './machines.js';

const CONFIRM = {
  destructive: 'confirm',
  confirm: { whenClientCannotAsk: 'wait', timeoutMs: 60_000 },
};

describePostgres('gateways that share a database', (postgres) => {
  it('record into one database, in which the records of all can be queried and verified', async () => {
    const [a, b] = await machines(postgres, 2);
    const [one, two] = [await a!.gateway.connect(), await b!.gateway.connect()];
    for (let i = 0; i < 5; i++) await one.result('kid:add', { a: i, b: 1 });
    for (let i = 0; i < 3; i++) await two.result('kid:echo', { i });
    // Until all records are in the database. A list has those of its own machine at once.
    await expect
      .poll(async () => (await b!.command('audit', 'stats')).answer['total'])
      .toMatchObject({ calls: 8, errors: 0 });
    const { answer: list } = await a!.command('audit', 'list', '--limit', '100');
    expect(list['records']).toHaveLength(8);
    const { answer: found } = await b!.command('audit', 'query', 'select count(*) from calls');
    expect(found['rows']).toEqual([[8]]);
    expect(await a!.command('audit', 'verify')).toMatchObject({
      code: 0,
      answer: { ok: true, journals: 2, flaws: [] },
    });
  });

  it('show waiting calls everywhere, and take the decision of one of two operators', async () => {
    const [a, b] = await machines(postgres, 2, { policy: CONFIRM });
    const client = await a!.gateway.connect();
    await client.tools();
    let made = 0;
    for (const isApproved of [true, false]) {
      const call = client.call('kid:echo', { secret: isApproved });
      const id = await waitingId(b!);
      const { answer } = await b!.command('approvals', 'show', id);
      expect(answer['approval']).toMatchObject({ id, tool: 'kid:echo' });
      const [words, others] = isApproved ? ['approve', 'deny'] : ['deny', 'approve'];
      const told = await Promise.all([
        a!.command('approvals', words!, id),
        b!.command('approvals', others!, id),
      ]);
      expect(told.filter(({ code }) => code === 0)).toHaveLength(1);
      const isMade = (told[0]!.code === 0) === isApproved;
      const how = isMade ? 'approved (once)' : 'denied';
      expect(told.find(({ code }) => code !== 0)!.stderr).toContain(`${id} was already ${how}.`);
      const { result, error } = await call;
      if (isMade) expect(result!['structuredContent']).toEqual({ secret: isApproved });
      else expect(error).toMatchObject({ data: { code: 'not-approved' } });
      made += Number(isMade);
      // Both operators learn what was decided, if they decide the same again.
      for (const machine of [a!, b!]) {
        const again = ['approvals', isMade ? 'approve' : 'deny', id];
        expect(await machine.command(...again)).toMatchObject({ code: 0 });
      }
    }
    expect(await callsIn(client)).toBe(made + 1);
  });

  it('use a quota in full, and do not exceed it together', async () => {
    const quota = { perServer: { perMinute: 30, queue: 10 } };
    const all = await machines(postgres, 3, { quota });
    const clients = await Promise.all(all.map(({ gateway }) => gateway.connect()));
    for (const client of clients) await client.tools();
    const started = performance.now();
    const calls = Array.from({ length: 60 }, (_, n) =>
      clients[n % 3]!.call('kid:add', { a: n, b: 1 }),
    );
    const answers = await Promise.all(calls);
    // One unit is refilled every two seconds.
    const allowed = 30 + Math.ceil((performance.now() - started) / 2_000);
    const made = answers.filter(({ result }) => result).length;
    expect(made).toBeLessThanOrEqual(allowed);
    expect(made).toBeGreaterThanOrEqual(30 - 3);
    for (const { error } of answers.filter(({ result }) => !result)) {
      expect(error).toMatchObject({ data: { code: 'limit-reached' } });
    }
  });

  it('are listed with their configuration, and reload together', async () => {
    const [a, b] = await machines(postgres, 2);
    const { code, answer } = await a!.command('status', '--all');
    expect(code).toBe(0);
    const instances = answer['instances'] as Record<string, unknown>[];
    expect(instances).toHaveLength(2);
    expect(new Set(instances.map((each) => each['configuration'])).size).toBe(1);
    // The file of one machine is changed: the other one is behind.
    const changed = { titles: false };
    const other = await machines(postgres, 1, changed, { beside: a! });
    expect((await other[0]!.command('status', '--all')).code).toBe(6);
    for (const { gateway } of [a!, b!]) rewrite(gateway, changed);
    const reloaded = await a!.command('reload', '--all');
    expect(reloaded).toMatchObject({ code: 0 });
    expect(reloaded.answer['instances']).toHaveLength(3);
    expect((await b!.command('status', '--all')).code).toBe(0);
  });

  it('continue while the database is away, and no record is missing afterwards', async () => {
    const [a, strict] = await machines(postgres, 2);
    const [refusing] = await machines(postgres, 1, { audit: { mode: 'strict' } }, { beside: a! });
    const clients = await Promise.all(
      [a!, strict!, refusing!].map(({ gateway }) => gateway.connect()),
    );
    const [one, two, three] = clients as [RawClient, RawClient, RawClient];
    for (const client of clients) await client.result('kid:echo', { before: true });
    await postgres.stop();
    // The strict one notices with its next record.
    await expect
      .poll(async () => (await three.call('kid:echo', { during: true })).error)
      .toMatchObject({ data: { code: 'not-recorded' } });
    const refused = await three.call('kid:echo', {});
    expect(refused.error!.message).toContain('the database cannot be reached');
    expect(refused.error!.message).not.toContain('127.0.0.1');
    for (let i = 0; i < 20; i++) {
      await one.result('kid:echo', { i });
      await two.result('kid:add', { a: i, b: 1 });
    }
    const { code } = await a!.command('audit', 'list');
    expect(code).toBe(4);
    await postgres.server.start();
    const count = "select count(*) from calls where outcome = 'ok' and client = 'raw-client'";
    const made = async (): Promise<number> => {
      const { answer } = await a!.command('audit', 'query', count);
      return Number((answer['rows'] as number[][] | undefined)?.[0]?.[0]);
    };
    await expect.poll(made).toBeGreaterThanOrEqual(3 + 40);
    // Strict calls are made again.
    await expect.poll(async () => (await three.call('kid:echo', {})).result).toBeDefined();
    expect((await a!.command('audit', 'verify')).answer).toMatchObject({ ok: true, lost: 0 });
  });

  it('keep the intent of a change on a killed machine, with durability shared', async () => {
    const audit = { mode: 'strict', durability: 'shared' };
    const [a] = await machines(postgres, 1, { audit });
    const [b] = await machines(postgres, 1, { audit }, { beside: a! });
    const client = await a!.gateway.connect();
    await client.tools();
    const calls = Array.from({ length: 10 }, (_, i) => client.call('kid:echo', { i }));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ result }) => result)).toHaveLength(10);
    // Its folder is never read again. Only the records in the database remain.
    a!.gateway.kill('SIGKILL');
    await a!.gateway.exited;
    const { answer } = await b!.command(
      'audit',
      'query',
      'select count(*) from calls where announced',
    );
    expect(answer['rows']).toEqual([[10]]);
  });
});

/** Changes the file of a gateway without telling it. */
function rewrite(gateway: GatewayProcess, settings: object): void {
  const text = readFileSync(gateway.config, 'utf8');
  const written = JSON.parse(text) as { callsign: object };
  const callsign = { ...written.callsign, ...settings };
  writeFileSync(gateway.config, JSON.stringify({ ...written, callsign }));
}

async function waitingId(machine: Machine): Promise<string> {
  let id: string | undefined;
  await expect
    .poll(async () => {
      const { answer } = await machine.command('approvals', 'list');
      id = (answer['approvals'] as { id: string }[] | undefined)?.[0]?.id;
      return id;
    })
    .toBeDefined();
  return id!;
}

async function callsIn(client: RawClient): Promise<number> {
  const { structuredContent } = await client.result('kid:calls');
  return Number((structuredContent as { calls: number }).calls);
}
