import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { describeUnless, NO_POSTGRES } from '../../../../../test/testing/left-out.js';
import { type PostgresServer, startPostgres } from '../../../../../test/testing/postgres.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { connectionOptions } from './connection-options.js';
import { Database } from './database.js';

/** Creates the certificates. */
const NO_OPENSSL =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'there is no openssl';

describeUnless(NO_POSTGRES ?? NO_OPENSSL, 'connections with TLS', () => {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres({ isEncrypted: true });
  });
  afterAll(() => server?.remove());

  /** The version of TLS, as the database sees it. */
  async function used(
    mode: string | undefined,
    tls: Parameters<typeof connectionOptions>[1],
  ): Promise<string | undefined> {
    const url = new URL(server!.direct);
    url.search = mode === undefined ? '' : `?sslmode=${mode}`;
    const connection = connectionOptions(url.href, tls);
    const database = new Database({ connection, schema: 'none', connections: 1 });
    onTestFinished(() => database.close());
    const [row] = await database.query<{ version: string | null }>(
      'select version from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return row!.version ?? undefined;
  }

  it.each(['require', 'prefer', 'verify-full'])('are encrypted with sslmode %s', async (mode) => {
    expect(await used(mode, { ca: server!.ca! })).toMatch(/^TLSv1\.[23]$/);
  });

  it('are encrypted if only the settings say so', async () => {
    expect(await used(undefined, { ca: server!.ca! })).toMatch(/^TLSv1/);
    expect(await used(undefined, undefined)).toBeUndefined();
  });

  it.each(['require', 'verify-full'])(
    'are refused with sslmode %s if an unknown authority signed the certificate',
    async (mode) => {
      await expect(used(mode, undefined)).rejects.toThrow('the database cannot be reached');
    },
  );

  it('are refused if the certificate has another name', async () => {
    const tls = { ca: server!.ca!, serverName: 'db.internal' };
    await expect(used('verify-full', tls)).rejects.toThrow('the database cannot be reached');
  });

  it('are refused if the file holds another authority', async () => {
    const other = join(scratch(), 'other.pem');
    // A self-signed certificate that signed no other one.
    writeFileSync(other, readFileSync(server!.ca!.replace('ca.pem', 'server.pem')));
    await expect(used('require', { ca: other })).rejects.toThrow('the database cannot be reached');
  });
});
