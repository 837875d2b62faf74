import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { describePostgres } from '../../../../test/testing/postgres.js';
import type { Database } from './database/database.js';
import { storageProblem, type StorageProblem } from './storage-problem.js';

const PASSWORD = 'a-password-that-nobody-may-read';

describePostgres('a look at the database', (postgres) => {
  /** Changes the URL of the tests' database. */
  async function look(
    { schema }: { readonly schema: string },
    change: (url: URL) => void = () => undefined,
  ): Promise<StorageProblem | undefined> {
    const url = new URL(postgres.server.url);
    change(url);
    const problem = await storageProblem({ postgres: url.href, schema, connections: 1 });
    const words = JSON.stringify(problem ?? {});
    for (const secret of [PASSWORD, url.password].filter((text) => text !== '')) {
      expect(words).not.toContain(secret);
    }
    return problem;
  }

  async function role(owner: Database): Promise<string> {
    const name = `looks_${owner.schema}`;
    await owner.query(`create role ${name} login password 'not-a-secret'`);
    return name;
  }

  it('finds nothing wrong if an instance can use it, or can create its schema (L6)', async () => {
    expect(await look(await postgres.open())).toBeUndefined();
    const empty = postgres.empty();
    expect(await look(empty)).toBeUndefined();
    const [found] = await empty.query('select to_regnamespace($1) as made', [empty.schema]);
    expect(found).toEqual({ made: null });
  });

  it('says what is wrong with the URL, without the password (L6)', async () => {
    const database = await postgres.open();
    expect(await look(database, (url) => (url.password = PASSWORD))).toMatchObject({
      message: expect.stringMatching(/refuses the user "postgres" or its password$/) as string,
      advice: 'correct "storage.postgres"',
    });
    expect((await look(database, (url) => (url.password = '')))!.message).toContain(
      'wants a password',
    );
    expect((await look(database, (url) => (url.pathname = '/none')))!.message).toContain(
      'there is no database "none"',
    );
    expect((await look(database, (url) => (url.hostname = 'db.invalid')))!.message).toBe(
      'the host name "db.invalid" is not known',
    );
    expect((await look(database, (url) => (url.port = '1')))!.message).toBe(
      'nothing listens at 127.0.0.1:1',
    );
  });

  it('says that a database does not answer, and does not wait for it (L6)', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });
    const { port } = mute.address() as AddressInfo;
    const problem = await look(postgres.empty(), (url) => (url.port = String(port)));
    expect(problem!.message).toBe(`the database at 127.0.0.1:${port} does not answer`);
  });

  it('says which schema and which rights a role lacks (L6)', async () => {
    const owner = await postgres.open();
    const name = await role(owner);
    const as = (url: URL): void => void (url.username = name);
    const { schema } = owner;
    const advice = expect.stringContaining('once as the owner of the database') as string;
    const empty = postgres.empty();
    expect(await look(empty, as)).toEqual({
      message: `the database has no schema "${empty.schema}", and the role "${name}" may not create it`,
      advice,
    });
    expect(await look(owner, as)).toEqual({
      message: `the role "${name}" may not use the schema "${schema}"`,
      advice,
    });
    await owner.query(`grant usage on schema "${schema}" to ${name}`);
    await owner.query(`grant select on ${owner.name('migrations')} to ${name}`);
    expect((await look(owner, as))!.message).toMatch(/has no right to use .*, and \d+ more in/);
    await owner.query(
      `grant select, insert, update, delete on all tables in schema "${schema}" to ${name}`,
    );
    await owner.query(`grant execute on all functions in schema "${schema}" to ${name}`);
    expect(await look(owner, as)).toBeUndefined();
  });
});
