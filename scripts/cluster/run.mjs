// Several instances on one PostgreSQL behind a balancer, clients of both eras, and instances that are killed.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres } from '../postgres/postgres-server.mjs';
import { openHaproxy, openNginx, openRoundRobin } from './balancer.mjs';
import { checkRun } from './checks.mjs';
import { ClusterClient } from './clients.mjs';
import { CLOCK, openForged } from './forged.mjs';
import { createKeys, Gateways } from './gateways.mjs';
import { Operators } from './operators.mjs';
import { servedCalls } from './served.mjs';

const BALANCERS = {
  haproxy: openHaproxy,
  nginx: openNginx,
  own: (_, ports) => openRoundRobin(ports),
};
const INTENTS = 'select arguments from calls where announced';
/** How long the records may take to reach the database after the end. */
const SHIP_MS = 60_000;
/** A little more than the time between two announcements. */
const SEEN_MS = 2_500;
/** Calls to its server wait for so long. */
const LEASE_SECONDS = 3;

/** Returns the counts of a run and the violations. */
export async function runCluster(options) {
  const {
    command,
    seconds,
    killEvery,
    balancer,
    clients: count = 4,
    signal = 'SIGKILL',
    target = 'turns',
    ends: most = Infinity,
    outage = 0,
    hang = 0,
    freeze = 0,
    forge = 0,
    mode = 'best-effort',
    say = () => undefined,
  } = options;
  const folder = mkdtempSync(join(tmpdir(), 'callsign-cluster-'));
  const postgres = await startPostgres();
  const names = Array.from({ length: count }, (_, n) => [`session-${n}`, `stateless-${n}`]).flat();
  const keys = createKeys(names);
  const schema = `cluster_${randomBytes(4).toString('hex')}`;
  const env = { DATABASE_URL: postgres.url, CALLSIGN_SECRET: randomBytes(32).toString('hex') };
  const ledger = join(folder, 'ledger.jsonl');
  const gateways = new Gateways({ command, folder, schema, keys, ledger, env, mode });
  const storages = [];
  let front;
  try {
    say('starting the instances');
    await gateways.start(3);
    storages.push(await openRecords(postgres.url, schema));
    front = await BALANCERS[balancer](folder, gateways.ports);
    const url = `http://127.0.0.1:${front.port}/mcp`;
    const clients = Array.from(keys, ([name, key]) => {
      return new ClusterClient({ name, key, url, era: name.split('-')[0] });
    });
    const operators = new Operators(() => gateways.admins());
    const end = new AbortController();
    const operatorsEnd = new AbortController();
    const deciding = operators.run(operatorsEnd.signal);
    const calling = clients.map((client) => client.run(end.signal));
    const next = () =>
      target === 'owner'
        ? gateways.numberOf(runnerOf(ledger))
        : gateways.ends % gateways.ports.length;
    const half = { gateways, seconds: seconds / 2, killEvery, signal, next, most, say };
    await endInTurns(half);
    const outages = [];
    if (outage > 0) outages.push(await outageOf(postgres, outage, say));
    if (hang > 0) outages.push(await hangOf(postgres, hang, say));
    const troubles = [];
    if (freeze > 0) {
      // After an outage, the directory may not list an instance that is suspended at once.
      await allSeen(storages[0], gateways.ports.length);
      const number = gateways.numberOf(runnerOf(ledger));
      troubles.push(await freezeOf(gateways, number, freeze, say));
    }
    if (forge > 0) {
      await allSeen(storages[0], gateways.ports.length);
      troubles.push(await forgeryOf({ gateways, url: postgres.url, schema, seconds: forge, say }));
    }
    await endInTurns(half);
    end.abort();
    await Promise.all(calling);
    operatorsEnd.abort();
    await deciding;
    say('waiting for the records');
    const calls = clients.flatMap((client) => client.calls);
    const lines = readLedger(ledger, calls);
    const intents = await shippedIntents(storages[0], lines);
    const served = await servedCalls(storages[0], gateways, lines);
    await front.close();
    front = undefined;
    await gateways.stop();
    const { kills, ends } = gateways;
    const lostSessions = clients.flatMap((client) => client.lostSessions);
    const flaws = checkRun({
      calls,
      ledger: lines,
      intents,
      operators,
      kills,
      outages,
      troubles,
      lostSessions,
      mode,
    });
    return {
      calls,
      ends,
      took: gateways.took,
      outages,
      troubles,
      ...served,
      flaws,
      lostSessions: lostSessions.length,
      decided: operators.decided.size,
      errors: gateways.errors,
    };
  } finally {
    gateways.end();
    await front?.close();
    for (const storage of storages) await storage.close();
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endInTurns({ gateways, seconds, killEvery, signal, next, most, say }) {
  const until = Date.now() + seconds * 1_000;
  while (Date.now() + killEvery * 1_000 < until) {
    await sleep(killEvery * 1_000);
    if (gateways.ends >= most) return;
    const number = next();
    say(`ending instance ${number} with ${signal}`);
    await gateways.endAndRestart(number, signal);
  }
  await sleep(Math.max(0, until - Date.now()));
}

/** Stops the database for some seconds. Returns when it was away. */
async function outageOf(postgres, seconds, say) {
  const from = Date.now();
  say(`stopping the database for ${seconds} s`);
  await postgres.stop();
  await sleep(seconds * 1_000);
  await postgres.start();
  return { from, to: Date.now() };
}

/** Suspends the database for some seconds: it takes connections and statements, and answers none. */
async function hangOf(postgres, seconds, say) {
  const from = Date.now();
  say(`suspending the database for ${seconds} s`);
  // The first process starts the others, so no new one comes after it was stopped.
  tell(postgres.pid, 'SIGSTOP');
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postgres.pid)], {
    encoding: 'utf8',
  });
  const pids = [postgres.pid, ...listed.trim().split(/\s+/).map(Number)];
  for (const pid of pids) tell(pid, 'SIGSTOP');
  await sleep(seconds * 1_000);
  for (const pid of pids) tell(pid, 'SIGCONT');
  return { from, to: Date.now() };
}

function tell(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Its connection was closed, so it has ended.
  }
}

/** Resolves when so many instances have just announced themselves. */
async function allSeen({ directory }, count) {
  const until = Date.now() + SHIP_MS;
  for (;;) {
    const known = await directory.known().catch(() => []);
    const seen = known.filter(({ silentMs }) => silentMs < SEEN_MS);
    if (seen.length >= count) return;
    if (Date.now() > until) throw new Error('not all instances are in the directory');
    await sleep(100);
  }
}

/** Suspends the instance that runs the server, for longer than its lease. */
async function freezeOf(gateways, number, seconds, say) {
  say(`suspending instance ${number} for ${seconds} s`);
  return { what: `instance ${number} was suspended`, ...(await gateways.freeze(number, seconds)) };
}

/** For some seconds, a program without the secrets is one of the instances in the directory, and takes a lease. */
async function forgeryOf({ gateways, url, schema, seconds, say }) {
  say(`entering a forged instance for ${seconds} s`);
  const from = Date.now();
  const forged = await openForged({ url, schema });
  try {
    await forged.takeLease('server:limited', LEASE_SECONDS);
    await forged.knock();
    await sleep(seconds * 1_000);
  } finally {
    await forged.close();
  }
  const reported = gateways.errors.filter((text) => text.includes(`Instance ${forged.id}`)).length;
  return {
    what: 'a forged instance was entered',
    from,
    to: Date.now(),
    received: forged.received,
    reported,
  };
}

async function openRecords(url, schema) {
  const { openStorage } = await import('@callsign/instances/postgres');
  const settings = { postgres: url, schema, connections: 2 };
  return openStorage({ settings, clock: CLOCK, log: () => undefined, isBrief: true });
}

function readLedger(file, calls) {
  if (!existsSync(file)) return [];
  const servers = new Map(calls.map(({ n, tool }) => [n, tool.split(':')[0]]));
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((entry) => ({ ...entry, server: servers.get(entry.n) }));
}

/** The process of the gateway that runs the server `ledger` now. The other server gets changes only. */
function runnerOf(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).findLast(({ tool }) => tool === 'read').gateway;
}

/** The changes whose intent is in the database, once all are there or the time is over. */
async function shippedIntents(storage, ledger) {
  const changes = ledger.filter(({ tool }) => tool !== 'read').map(({ n }) => n);
  const until = Date.now() + SHIP_MS;
  for (;;) {
    const { rows } = await storage.calls.query(INTENTS, 1_000_000);
    const found = new Set(rows.flatMap(([text]) => /[a-z]+-\d+-\d+/.exec(String(text)) ?? []));
    if (changes.every((n) => found.has(n)) || Date.now() > until) return found;
    await sleep(500);
  }
}
