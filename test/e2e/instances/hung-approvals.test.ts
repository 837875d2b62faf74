/** Operators on two instances decide waiting calls while the database hangs, or answers get lost. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type AdminClient, type AdminError, findGateways } from '@callsign/gateway/admin';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { type Direction, HangingProxy } from '../../testing/hanging-proxy.js';
import { describePostgres, type TestPostgres } from '../../testing/postgres.js';
import { eventually, type RawClient, temporaryFolder } from '../gateway-process.js';
import type { Message } from '../lifecycle/raw-client.js';
import { type Machine, machines } from './machines.js';

/** A statement of the gateway about waiting calls, and what it does. */
const STEPS = {
  post: /insert into \S+"approvals".*whole, ends_at\)/s,
  decide: /update \S+"approvals" set decision/,
  read: /select id, decision from \S+"approvals"/,
  state: /decision, outcome from \S+"approvals"/,
  end: /insert into \S+"approvals".*ends_at, outcome\)/s,
} as const;

interface Site {
  readonly machine: Machine;
  readonly proxy: HangingProxy;
  readonly admin: AdminClient;
}

interface Cluster {
  readonly a: Site;
  readonly b: Site;
  readonly client: RawClient;
  readonly ledger: string;
}

/** What an operator was told: 200, or the status of the refusal. */
interface Told {
  readonly approve: boolean;
  readonly statuses: number[];
}

interface Case {
  readonly n: string;
  readonly told: Told[];
  /** `cancelled`: the caller gave up. */
  readonly ended: 'made' | 'refused' | 'cancelled';
}

const ENDS = new Set([200, 404, 409]);

describePostgres('approvals on a database that hangs', (postgres) => {
  it('are decided once when an answer is lost, or a statement is late, at any step (L1)', async () => {
    const cluster = await start(postgres, 20_000);
    const { a, b } = cluster;
    const cases: Case[] = [];
    for (const step of Object.keys(STEPS) as (keyof typeof STEPS)[]) {
      for (const direction of ['down', 'up'] as const) {
        for (const site of step === 'post' || step === 'end' || step === 'read' ? [a] : [a, b]) {
          const name = `${step}-${direction}-${site === a ? 'a' : 'b'}`;
          cases.push(...(await broken(cluster, site, name, STEPS[step], direction)));
        }
      }
    }
    await expectAgreement(cluster, cases);
  });

  it(
    'are decided once if it hangs for long, past the limit of calls too (L1)',
    { timeout: 300_000 },
    async () => {
      const cluster = await start(postgres, 15_000);
      const { a, b } = cluster;
      const cases: Case[] = [];
      const hangs: readonly (readonly [Site, readonly Direction[]])[] = [
        [a, ['down']],
        [a, ['up']],
        [b, ['down']],
        [b, ['up', 'down']],
      ];
      for (const [number, [site, directions]] of hangs.entries()) {
        const end = performance.now() + 13_000;
        let count = 0;
        const rounds: Promise<Case[]>[] = [];
        while (performance.now() < end) {
          const name = `hang-${number}-${count}`;
          rounds.push(round(cluster, name, { calls: 2, isCancelled: count % 3 === 2 }));
          await sleep(400);
          if (count++ === 3) site.proxy.hang(...directions);
        }
        site.proxy.letGo();
        cases.push(...(await Promise.all(rounds)).flat());
      }
      await expectAgreement(cluster, cases);
      expect(new Set(cases.map(({ ended }) => ended))).toContain('made');
      expect(new Set(cases.map(({ ended }) => ended))).toContain('refused');
    },
  );

  it('tell the operator what is not known, and the truth when asked again (L1)', async () => {
    const cluster = await start(postgres, 20_000);
    const { a, b, client } = cluster;
    const call = client.call('ledger:wipe', { n: 'told' });
    const id = await idOf(a, 'told');
    const isBroken = b.proxy.breakAt(STEPS.decide, 'down');
    const lost = await decide(b, id, false);
    await isBroken;
    expect(lost).toMatchObject({ status: 503 });
    expect(lost.message).toContain(`It is not known whether the decision about ${id} counts`);
    expect((await call).error).toMatchObject({ data: { code: 'not-approved' } });
    for (const site of [a, b]) {
      expect(await decide(site, id, false)).toMatchObject({ status: 200 });
      const other = await decide(site, id, true);
      expect(other).toEqual({ status: 409, message: `The call ${id} was already denied.` });
    }
    expect(readFileSync(cluster.ledger, 'utf8')).not.toContain('told');
  });

  it('are not called approved if the asking instance is gone (L1, L12)', async () => {
    const cluster = await start(postgres, 20_000);
    const { a, b, client } = cluster;
    void client.call('ledger:wipe', { n: 'gone' }).catch(() => undefined);
    const id = await idOf(b, 'gone');
    a.machine.gateway.kill('SIGKILL');
    await a.machine.gateway.exited;
    const told = await decide(b, id, true);
    expect(told.status).toBe(504);
    expect(told.message).toContain('has not taken the decision yet');
    expect(await decide(b, id, false)).toMatchObject({ status: 409 });
  });
});

/** Some calls while one statement of an instance gets no answer, or comes late. */
async function broken(
  cluster: Cluster,
  site: Site,
  name: string,
  at: RegExp,
  direction: Direction,
): Promise<Case[]> {
  const isBroken = site.proxy.breakAt(at, direction);
  const running = round(cluster, name, { calls: 4, isCancelled: false });
  await Promise.race([isBroken, running]);
  await sleep(1_000);
  site.proxy.letGo();
  return await running;
}

/** Calls that both operators decide at the same time, each in another way. */
async function round(
  cluster: Cluster,
  name: string,
  { calls, isCancelled }: { readonly calls: number; readonly isCancelled: boolean },
): Promise<Case[]> {
  const { a, b, client } = cluster;
  const all = Array.from({ length: calls }, async (_, number): Promise<Case> => {
    const n = `${name}-${number}`;
    const made = client.request('tools/call', { name: 'ledger:wipe', arguments: { n } }, n);
    const id = await Promise.any([idOf(a, n), idOf(b, n), made.then(() => undefined)]);
    // The caller gives up while the operators decide. It may get no answer then.
    const givenUp = isCancelled ? sleep(50).then(() => giveUp(client, n)) : undefined;
    const call = givenUp ? Promise.race([made, givenUp]) : made;
    const deciding = [a, b].map(async (site, index): Promise<Told> => {
      const approve = (index + number) % 2 === 0;
      const statuses = id === undefined ? [] : await decideUntilKnown(site, id, approve, call);
      return { approve, statuses };
    });
    const told = await Promise.all(deciding);
    const { result, error } = await call;
    if (givenUp && !result) return { n, told, ended: 'cancelled' };
    expect(error?.data?.['code'] ?? 'not-approved', n).toBe('not-approved');
    return { n, told, ended: result ? 'made' : 'refused' };
  });
  return await Promise.all(all);
}

async function giveUp(client: RawClient, requestId: string): Promise<Message> {
  client.notify('notifications/cancelled', { requestId });
  await sleep(2_000);
  return { jsonrpc: '2.0' };
}

/** Every yes to an operator agrees with what the caller got, with what was made, and with the record. */
async function expectAgreement({ a, ledger }: Cluster, cases: readonly Case[]): Promise<void> {
  const lines = readFileSync(ledger, 'utf8').trim().split('\n');
  const made = lines.filter(Boolean).map((line) => (JSON.parse(line) as { n: string }).n);
  expect(made.length, 'made twice').toBe(new Set(made).size);
  const isMade = new Set(made);
  await expect.poll(() => recordsOf(a.machine).then(({ size }) => size)).toBe(cases.length);
  const records = await recordsOf(a.machine);
  const wrong = cases.filter(({ n, told, ended }) => {
    const yes = told.filter(({ statuses }) => statuses.includes(200));
    // A caller may also give up after the approval.
    if (ended === 'cancelled') return yes.some(({ approve }) => !approve && isMade.has(n));
    const isAgreed = yes.every(({ approve }) => approve === isMade.has(n));
    const isRecorded = records.get(n)?.includes('approved by the operator') === isMade.has(n);
    return yes.length > 1 || !isAgreed || !isRecorded || (ended === 'made') !== isMade.has(n);
  });
  expect(wrong).toEqual([]);
  // The operators got through, so that there was something to compare.
  expect(cases.some(({ told }) => told.some(({ statuses }) => statuses.includes(200)))).toBe(true);
}

/** The rule in the record of each call, by its `n`. */
async function recordsOf(machine: Machine): Promise<ReadonlyMap<string, string>> {
  const sql =
    "select arguments, rule from calls where tool = 'ledger:wipe' and outcome is not null";
  const { answer } = await machine.command('audit', 'query', sql, '--limit', '10000');
  const rows = (answer['rows'] ?? []) as [string, string][];
  return new Map(rows.map(([text, rule]) => [(JSON.parse(text) as { n: string }).n, rule]));
}

/** Decides until the answer is clear, or the call has ended and some more tries did not help. */
async function decideUntilKnown(
  site: Site,
  id: string,
  approve: boolean,
  call: Promise<unknown>,
): Promise<number[]> {
  const statuses: number[] = [];
  let triesLeft = 8;
  let hasEnded = false;
  void call.then(() => (hasEnded = true));
  while (triesLeft > 0) {
    if (hasEnded) triesLeft--;
    const { status } = await decide(site, id, approve);
    statuses.push(status);
    if (ENDS.has(status)) return statuses;
    await sleep(200);
  }
  return statuses;
}

async function decide(
  { admin }: Site,
  id: string,
  approve: boolean,
): Promise<{ status: number; message?: string }> {
  try {
    await admin.post(`/approvals/${id}`, { approve });
    return { status: 200 };
  } catch (error) {
    const { status, message } = error as AdminError;
    return { status, message };
  }
}

/** The id of the waiting call with this argument, as an instance lists it. */
async function idOf({ admin }: Site, n: string): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const listed = (await admin.get('/approvals').catch(() => [])) as {
      id: string;
      arguments: string;
    }[];
    const found = listed.find((each) => each.arguments.includes(`"${n}"`));
    if (found) return found.id;
    await sleep(50);
  }
  throw new Error(`${n} does not wait`);
}

/** Two instances, each behind a proxy of its own. */
async function start(postgres: TestPostgres, timeoutMs: number): Promise<Cluster> {
  const ledger = join(temporaryFolder(), 'ledger.jsonl');
  writeFileSync(ledger, '');
  const script = join(ROOT, 'scripts', 'cluster', 'ledger-server.mjs');
  const server = { command: process.execPath, args: [script], env: { LEDGER_FILE: ledger } };
  const settings = {
    audit: { arguments: 'redacted' },
    // An instance that alone cannot reach the database would hand the server over.
    servers: { ledger: { placement: 'each' } },
    instances: { secrets: ['a secret of the instances in this test'] },
    policy: { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait', timeoutMs } },
  };
  const open = async (beside?: Machine): Promise<Site> => {
    const proxy = await HangingProxy.before(postgres.server.direct);
    onTestFinished(() => proxy.close());
    const env = { DATABASE_URL: proxy.through(postgres.server.direct) };
    const options = { servers: { ledger: server }, env, ...(beside ? { beside } : {}) };
    const [machine] = await machines(postgres, 1, settings, options);
    const state = join(machine!.env['XDG_STATE_HOME']!, 'callsign');
    let admin: AdminClient | undefined;
    await eventually(async () => {
      [admin] = await findGateways({ state });
      return admin !== undefined;
    });
    return { machine: machine!, proxy, admin: admin! };
  };
  const a = await open();
  const b = await open(a.machine);
  const client = await a.machine.gateway.connect();
  await client.tools();
  return { a, b, client, ledger };
}
