/** A person who can write to the database changes what operators are shown about people who wait. */

import { expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser, type Seen } from '../../../packages/auth/src/authorization/testing/browser.js';
import { describePostgres } from '../../testing/postgres.js';
import { authorizeUrl, KNOWN_CLIENT } from '../sign-in/known-client.js';
import { machines } from './machines.js';

const STORAGE = { secrets: ['a secret of the storage in this test'] };

interface Waiting {
  readonly id: string;
  readonly arguments: string;
}

interface Asking {
  readonly code: string;
  readonly look: () => Promise<Seen>;
}

async function ask(origin: string, name: string): Promise<Asking> {
  const browser = new Browser();
  const url = authorizeUrl(origin);
  const { location } = await browser.submit(await browser.open(url), url, { name });
  const look = (): Promise<Seen> => browser.open(location!);
  const [code] = /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec((await look()).text)!;
  return { code, look };
}

describePostgres('an operator of gateways that share a database', (postgres) => {
  it('sees no question that was changed there, and lets in who has the code', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const signIn = { origin, keys: false, operator: { roles: [] }, clients: [KNOWN_CLIENT] };
    const settings = { auth: { keys: [], signIn } };
    const here = { storage: STORAGE, flags: ['--http', String(port)] };
    const [a] = await machines(postgres, 1, settings, here);
    const [b] = await machines(postgres, 1, settings, { storage: STORAGE, beside: a! });
    const listedAt = async (machine: typeof a): Promise<readonly Waiting[]> => {
      const { answer } = await machine!.command('approvals', 'list');
      return answer['approvals'] as readonly Waiting[];
    };

    const [ann, evil] = [await ask(origin, 'ann'), await ask(origin, 'boss')];
    await expect.poll(() => listedAt(b)).toHaveLength(2);
    const database = postgres.again(a!);
    const approvals = database.name('approvals');
    const exchange = (): Promise<unknown> =>
      database.query(
        `update ${approvals} as one set summary = other.summary, whole = other.whole
         from ${approvals} as other where one.id <> other.id`,
      );
    await exchange();
    for (const machine of [a, b]) expect(await listedAt(machine)).toEqual([]);
    // An operator who has the list from before, or makes a mistake.
    await exchange();
    const { id } = (await listedAt(b)).find((each) => each.arguments.includes(ann.code))!;
    await exchange();
    expect((await b!.command('approvals', 'approve', id)).code).toBe(0);
    for (const each of [ann, evil])
      expect((await each.look()).text).not.toContain('You are signed in as');
    await exchange();
    expect((await b!.command('approvals', 'approve', id)).code).toBe(0);
    expect((await ann.look()).text).toContain('You are signed in as');
    expect((await evil.look()).text).not.toContain('You are signed in as');
  }, 60_000);
});
