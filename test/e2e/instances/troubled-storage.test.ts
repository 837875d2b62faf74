/** A database that answers, but not as it should: what the operator is told, and whether gateways stay up. */

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { connectionOptions, Database } from '@callsign/instances/postgres';
import { expect, it, onTestFinished } from 'vitest';

import { describePostgres, type TestPostgres } from '../../testing/postgres.js';
import { CAN_MOUNT, SmallDisk } from '../../testing/small-disk.js';
import { BIN } from '../command.js';
import { type Machine, machines } from './machines.js';

const instances = { secrets: ['a secret of the instances in this test'] };
const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'callsign'
  and pid <> pg_backend_pid()`;

describePostgres('gateways with a troubled database', (postgres) => {
  it('stay up and serve each other while it refuses to write, and lose no record', async () => {
    const [a] = await connectedMachines(postgres, 1, { instances });
    const [b] = await connectedMachines(postgres, 1, { instances }, { beside: a! });
    const audit = { mode: 'strict' };
    const [strict] = await connectedMachines(postgres, 1, { instances, audit }, { beside: a! });
    const clients = await Promise.all([a!, b!, strict!].map(({ gateway }) => gateway.connect()));
    for (const client of clients) await client.result('kid:echo', { before: true });
    await setReadOnly(postgres, true);
    onTestFinished(() => setReadOnly(postgres, false));
    const words = /cannot see this one: the database refused: .* in a read-only transaction/;
    for (const each of [a!, b!]) {
      await expect.poll(() => each.gateway.stderr).toMatch(words);
    }
    await expect
      .poll(async () => (await clients[2]!.call('kid:echo', {})).error?.message)
      .toMatch(/could not be recorded: the database refused: .* in a read-only transaction/);
    // The lease runs out in the database, but its holder keeps it, and the others know that.
    await expect.poll(() => leases(postgres, a!)).toEqual([]);
    for (let i = 0; i < 20; i++) {
      await clients[0]!.result('kid:echo', { i });
      await clients[1]!.result('kid:add', { a: i, b: 1 });
    }
    expect(await a!.gateway.stateOf('kid')).toMatchObject({ restarts: 0 });
    await expect
      .poll(() => statusText(a!))
      .toMatch(/are not in the database yet: the database refused/);
    const [fresh] = await connectedMachines(postgres, 1, { instances }, { beside: a! });
    await expect
      .poll(() => fresh!.gateway.stderr)
      .toContain('Other instances cannot see this one yet: the database refused');
    await setReadOnly(postgres, false);
    for (const each of [a!, b!]) {
      await expect.poll(() => each.gateway.stderr).toContain('The database can be reached again.');
      await expect
        .poll(() => each.gateway.stderr)
        .toContain('The tables of calls are updated again.');
    }
    await expect
      .poll(() => fresh!.gateway.stderr)
      .toContain('Other instances can see this one now.');
    await expect.poll(() => made(a!)).toBeGreaterThanOrEqual(3 + 40);
    expect((await a!.command('audit', 'verify')).answer).toMatchObject({ ok: true, lost: 0 });
  });

  it('answer calls while it hangs, since no call waits for it', async () => {
    const [a] = await connectedMachines(postgres, 1, { instances });
    const [b] = await connectedMachines(postgres, 1, { instances }, { beside: a! });
    const clients = await Promise.all([a!, b!].map(({ gateway }) => gateway.connect()));
    for (const client of clients) await client.result('kid:echo', { before: true });
    const before = await leases(postgres, a!);
    expect(before).toHaveLength(1);
    // The first one starts the others, so no new one comes after it was stopped.
    process.kill(postgres.server.pid!, 'SIGSTOP');
    const children = childrenOf(postgres.server.pid!);
    for (const pid of children) tell(pid, 'SIGSTOP');
    const resume = (): void => {
      for (const pid of [postgres.server.pid!, ...children]) tell(pid, 'SIGCONT');
    };
    onTestFinished(resume);
    // If each call waited for a statement, which may take ten seconds, the test would not end. Leases end sooner than
    // the gateways say that they cannot see each other.
    let rounds = 0;
    const call = async (): Promise<void> => {
      rounds++;
      for (const client of clients) await client.result('kid:echo', { rounds });
      for (const client of clients) await client.result('kid:add', { a: rounds, b: 1 });
    };
    for (const { gateway } of [a!, b!]) {
      while (!gateway.stderr.includes('cannot see this one')) await call();
    }
    for (let i = 0; i < 30; i++) await call();
    resume();
    for (const { gateway } of [a!, b!]) {
      await expect.poll(() => gateway.stderr).toContain('The database can be reached again.');
    }
    await call();
    await expect.poll(() => made(a!)).toBe(2 + 4 * rounds);
    // The server stayed where it was.
    expect(await leases(postgres, a!)).toEqual(before);
    expect(await a!.gateway.stateOf('kid')).toMatchObject({ restarts: 0 });
  });

  it.skipIf(!CAN_MOUNT)('say that its disk is full, and go on when it is not', async () => {
    const disk = new SmallDisk();
    disk.grow();
    // PostgreSQL runs as another user.
    for (const folder of [dirname(disk.folder), disk.folder]) chmodSync(folder, 0o777);
    const home = join(disk.folder, 'tables');
    mkdirSync(home, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(home, 65_534, 65_534);
    const admin = connected(postgres, 1);
    await admin.query(`create tablespace small location '${home}'`);
    await admin.query('alter database postgres set default_tablespace = small');
    await admin.query('create table public.filler (text text) tablespace small');
    const [a] = await connectedMachines(postgres, 1, { instances });
    onTestFinished(async () => {
      a!.gateway.kill('SIGKILL');
      await a!.gateway.exited;
      await admin.query('alter database postgres reset default_tablespace');
      await admin.query(`drop schema ${a!.schema} cascade`);
      await admin.query('drop table if exists public.filler');
      await admin.query('drop tablespace small');
    });
    const client = await a!.gateway.connect();
    await client.result('kid:echo', {});
    await expect.poll(() => made(a!)).toBe(1);
    const fill =
      'insert into public.filler select repeat(n::text, 400) from generate_series(1, $1::int) n';
    for (const rows of [4_000, 200, 10, 1]) {
      while (
        await admin.query(fill, [rows]).then(
          () => true,
          () => false,
        )
      );
    }
    await expect
      .poll(async () => {
        await client.result('kid:echo', { text: 'x'.repeat(4_000) });
        return a!.gateway.stderr;
      })
      .toContain('No space left on device');
    expect(a!.gateway.hasExited).toBe(false);
    await admin.query('drop table public.filler');
    await expect.poll(() => a!.gateway.stderr).toContain('The tables of calls are updated again.');
    expect((await a!.command('audit', 'verify')).answer).toMatchObject({ ok: true, lost: 0 });
  });

  it('say that the password is wrong, without it, and go on when it is right again', async () => {
    const [a] = await connectedMachines(postgres, 1, { instances });
    const client = await a!.gateway.connect();
    await client.result('kid:echo', {});
    const admin = connected(postgres);
    // This connection stays open.
    await admin.transaction(async (statements) => {
      const password = new URL(postgres.server.direct).password;
      await admin.query(`alter role postgres password 'another-one'`);
      await statements.query(END_SESSIONS);
      const words = 'the database refused: password authentication failed for user';
      await expect.poll(() => a!.gateway.stderr).toContain(`cannot see this one: ${words}`);
      await client.result('kid:echo', {});
      const { code, stderr } = await a!.command('audit', 'list');
      expect({ code, stderr }).toMatchObject({ code: 4 });
      expect(stderr).toContain(words);
      for (const text of [stderr, a!.gateway.stderr]) expect(text).not.toContain(password);
      await statements.query(`alter role postgres password '${password}'`);
    });
    await expect.poll(() => a!.gateway.stderr).toContain('The database can be reached again.');
    await expect.poll(() => made(a!)).toBe(2);
  });

  it('say that it has no connection left, and go on when it has', async () => {
    const [a] = await connectedMachines(postgres, 1, { instances });
    const client = await a!.gateway.connect();
    await client.result('kid:echo', {});
    const admin = connected(postgres, 1);
    await admin.query('select 1');
    const hog = connected(postgres, 130);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    onTestFinished(() => release());
    const pending: Promise<unknown>[] = [];
    const hold = (): void => {
      for (let n = 0; n < 130; n++) pending.push(hog.transaction(() => released).catch(() => {}));
    };
    hold();
    await expect
      .poll(async () => {
        // One connection ends the gateway's, and the others take their places.
        await admin.query(END_SESSIONS);
        hold();
        return a!.gateway.stderr;
      })
      .toContain('cannot see this one: the database refused: sorry, too many clients already');
    await client.result('kid:echo', {});
    release();
    await Promise.all(pending);
    await hog.close();
    await expect.poll(() => a!.gateway.stderr).toContain('The database can be reached again.');
    await expect.poll(() => made(a!)).toBe(2);
  });

  it('do not start with a schema that is too new for them', async () => {
    const [a] = await connectedMachines(postgres, 1, {});
    const client = await a!.gateway.connect();
    const admin = connected(postgres);
    await admin.query(`insert into ${a!.schema}.migrations (version, oldest) values (99, 99)`);
    await expect(connectedMachines(postgres, 1, {}, { beside: a! })).rejects.toThrow(
      /the database has schema 99, and this version of Callsign knows only \d+; install a newer one/,
    );
    expect((await a!.command('status', '--all')).stderr).toContain('the database has schema 99');
    await client.result('kid:echo', {});
  });

  it('create the partitions of a day again, and verification tells what is missing', async () => {
    const [a] = await connectedMachines(postgres, 1, {});
    const client = await a!.gateway.connect();
    await client.result('kid:echo', {});
    await expect.poll(() => made(a!)).toBe(1);
    const admin = connected(postgres);
    const parts = await admin.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relnamespace = $1::regnamespace and relispartition and relkind = 'r'`,
      [a!.schema],
    );
    for (const { name } of parts) await admin.query(`drop table ${name}`);
    await client.result('kid:echo', { after: true });
    await expect.poll(() => made(a!)).toBe(1);
    expect(a!.gateway.stderr).toContain('The tables of calls are updated again.');
    const { code, answer } = await a!.command('audit', 'verify');
    expect(code).toBe(1);
    expect(answer['flaws']).toMatchObject([{ flaw: 'missing' }]);
  });
});

/** Without a pooler, which would hide what the database says. */
function connectedMachines(
  postgres: TestPostgres,
  count: number,
  settings: object,
  options: { readonly beside?: Machine } = {},
): Promise<Machine[]> {
  const env = { DATABASE_URL: postgres.server.direct };
  return machines(postgres, count, settings, { ...options, env });
}

function connected(postgres: TestPostgres, connections = 2): Database {
  const connection = connectionOptions(postgres.server.direct, undefined);
  const database = new Database({
    connection: { ...connection, application_name: 'test' },
    schema: 'public',
    connections,
  });
  onTestFinished(() => database.close().catch(() => undefined));
  return database;
}

/** For all sessions, the open ones included. */
async function setReadOnly(postgres: TestPostgres, isOn: boolean): Promise<void> {
  const admin = connected(postgres, 1);
  await admin.transaction(async (statements) => {
    await statements.query('set transaction read write');
    const value = isOn ? 'on' : 'off';
    await statements.query(`alter database postgres set default_transaction_read_only = ${value}`);
  });
  await admin.query(END_SESSIONS);
}

/** What `callsign status` prints for people. */
function statusText({ gateway, env }: Machine): string {
  const words = [BIN, 'status', '--config', gateway.config];
  const whole = { ...process.env, ...env, COLUMNS: '200' };
  return execFileSync(process.execPath, words, { env: whole, encoding: 'utf8' });
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Its connection was closed, so it has ended.
  }
}

function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return listed.trim().split(/\s+/).map(Number);
}

/** The leases that have not run out, and the instances that hold them. */
function leases(postgres: TestPostgres, { schema }: Machine): Promise<object[]> {
  return connected(postgres, 1).query(
    `select name, holder from ${schema}.leases where ends_at > clock_timestamp()`,
  );
}

/** The calls of the test in the database. */
async function made(machine: Machine): Promise<number> {
  const sql = "select count(*) from calls where outcome = 'ok' and client = 'raw-client'";
  const { answer } = await machine.command('audit', 'query', sql);
  return Number((answer['rows'] as number[][] | undefined)?.[0]?.[0]);
}
