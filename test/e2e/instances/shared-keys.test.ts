/** API keys in the database: added and revoked by commands on one machine, they count on all of them at once. */

import { expect, it } from 'vitest';

import { describePostgres, type TestPostgres } from '../../testing/postgres.js';
import { adminFetch } from '../console/console-link.js';
import { startGateway } from '../gateway-process.js';
import { type Machine, machines } from './machines.js';

const env = { CALLSIGN_STORAGE_SECRET: 'CANARY-a-secret-of-many-characters-1' };
const storage = { secrets: ['${CALLSIGN_STORAGE_SECRET}'] };
const settings = {
  auth: { sharedKeys: true },
  instances: { secrets: ['a secret of the instances in this test'] },
  roles: { reader: { allow: ['kid:add'] }, writer: { allow: ['kid:*'] } },
};

describePostgres('machines with shared API keys', (postgres) => {
  it('accept a key that was added on one of them, and refuse it when it is revoked on another', async () => {
    const [a, b, c] = (await machines(postgres, 3, settings, { storage, env })) as [
      Machine,
      Machine,
      Machine,
    ];
    const all = [a, b, c];
    const { code, answer } = await a.command('key', 'add', 'ci', '--roles', 'reader');
    expect({ code, place: answer['place'] }).toEqual({
      code: 0,
      place: `the database (schema "${a.schema}")`,
    });
    const key = answer['key'] as string;
    for (const machine of all) await expect.poll(() => statusAt(machine, key)).toBe(200);
    expect(await statusAt(b, `${key}x`)).toBe(401);
    const client = await b.gateway.connect({ token: key });
    expect(await client.tools()).toEqual(['kid:add']);
    // Whichever machine runs the server, it checks the key again.
    expect((await client.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();

    expect((await b.command('key', 'add', 'ci')).code).toBe(1);
    const listed = (await c.command('key', 'list')).answer['keys'];
    expect(listed).toEqual([
      { name: 'ci', roles: ['reader'], place: `the database (schema "${a.schema}")` },
    ]);
    const rows = JSON.stringify(await rowsIn(postgres, a));
    for (const secret of [key, 'reader', 'CANARY']) expect(rows).not.toContain(secret);

    expect(await c.command('key', 'revoke', 'ci')).toMatchObject({ code: 0 });
    for (const machine of all) await expect.poll(() => statusAt(machine, key)).toBe(401);
    expect((await a.command('key', 'revoke', 'ci')).code).toBe(1);
    expect(await rowsIn(postgres, a)).toEqual([]);
  });

  it('let a shared key sign in to the console, until it is revoked', async () => {
    const [a, b] = (await machines(postgres, 2, settings, { storage, env })) as [Machine, Machine];
    const { answer } = await a.command('key', 'add', 'wall', '--console', 'viewer');
    const ask = adminFetch(new URL(b.gateway.url).origin, answer['key'] as string);
    await expect
      .poll(async () => (await ask('GET', '/session')).body)
      .toEqual({ role: 'viewer', name: 'key:wall' });
    expect((await ask('POST', '/reload')).status).toBe(403);
    await a.command('key', 'revoke', 'wall');
    await expect.poll(async () => (await ask('GET', '/session')).status).toBe(401);
  });

  it('keep accepting known keys while the database is away, and start with them afterwards', async () => {
    const [a] = (await machines(postgres, 1, settings, { storage, env })) as [Machine];
    const { answer } = await a.command('key', 'add', 'ci', '--roles', 'reader');
    const key = answer['key'] as string;
    await expect.poll(() => statusAt(a, key)).toBe(200);
    await postgres.stop();
    expect(await statusAt(a, key)).toBe(200);
    const revoked = await a.command('key', 'revoke', 'ci');
    expect(revoked.code).toBe(4);
    expect(revoked.stderr).toContain('the database cannot be reached');
    await postgres.server.start();
    const { config } = a.gateway;
    const again = await startGateway({ servers: {}, config, env: a.env, listener: 'http' });
    expect(await statusAt({ ...a, gateway: again }, key)).toBe(200);
  });
});

/** The status of a request with a key. */
async function statusAt({ gateway }: Machine, key: string): Promise<number> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  });
  await response.body?.cancel();
  return response.status;
}

async function rowsIn(postgres: TestPostgres, { schema }: Machine): Promise<object[]> {
  const database = postgres.again({ schema });
  return await database.query(`select * from ${database.name('documents')}`);
}
