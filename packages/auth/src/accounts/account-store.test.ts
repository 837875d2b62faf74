import { describe, expect, it } from 'vitest';

import { SignInCredentials } from '../sign-in/sign-in-credentials.js';
import { signedIn } from '../sign-in/testing/signed-in.js';
import { type Account, accountKey, type AccountPlace } from './account.js';
import { accountSignIns } from './account-store.js';
import type { AccountStore } from './account-store.js';

/** A store in memory. `change` and `read` take a turn of the event loop, as real ones do. */
function storeWith(...accounts: readonly Account[]): AccountStore {
  const all = new Map(accounts.map((account) => [accountKey(account), account]));
  return {
    probe: () => Promise.resolve(),
    list: () => [...all.values()],
    read: async (place) => all.get(accountKey(place)),
    async change(place: AccountPlace, change) {
      await new Promise((resolve) => setImmediate(resolve));
      const key = accountKey(place);
      const after = change(all.get(key));
      if (after) all.set(key, after);
      else all.delete(key);
    },
    alone: (_, run) => run(),
    watch: () => () => undefined,
  };
}

async function accountOfAnn(): Promise<{
  account: Account;
  scene: Awaited<ReturnType<typeof signedIn>>;
}> {
  const scene = await signedIn();
  const record = (await scene.file.find(scene.entry))!;
  const signIn = { ...record, issuedAt: 1, expiresAt: Date.now() + 1_000 };
  const account = { id: 'first', person: 'key:ann', server: 's', createdAt: 1, signIn };
  return { account, scene };
}

describe('the sign-in of an account', () => {
  it('is renewed in its place', async () => {
    const { account, scene } = await accountOfAnn();
    const store = storeWith(account);
    const credentials = new SignInCredentials(scene.entry, {
      store: accountSignIns(store, account),
      fetch: scene.fetch,
    });
    const { authorization = '' } = await credentials.headers();
    expect(scene.as.isGood(authorization.slice('Bearer '.length))).toBe(true);
    expect(store.list()[0]!.signIn!.accessToken).toBe(authorization.slice('Bearer '.length));
  });

  it('does not come back if the account was removed while it was renewed, and is revoked', async () => {
    const { account, scene } = await accountOfAnn();
    const store = storeWith(account);
    let renewed: string | undefined;
    const credentials = new SignInCredentials(scene.entry, {
      store: accountSignIns(store, account),
      async fetch(input, init) {
        const answer = await scene.fetch(input, init);
        if (String(input).endsWith('/token')) {
          ({ access_token: renewed } = (await answer.clone().json()) as { access_token: string });
          expect(scene.as.isGood(renewed)).toBe(true);
        }
        await store.change(account, () => undefined);
        return answer;
      },
    });
    expect(await credentials.headers()).toEqual({});
    expect(store.list()).toEqual([]);
    expect(scene.as.isGood(renewed)).toBe(false);
    expect(scene.as.posts('/revoke').map((body) => body.get('token_type_hint'))).toContain(
      'refresh_token',
    );
  });

  it('is not the one of an account that took its place, at another address, or of another person', async () => {
    const { account, scene } = await accountOfAnn();
    const next = { ...account, id: 'second' };
    const store = storeWith(next);
    expect(await accountSignIns(store, account).find(scene.entry)).toBeUndefined();
    await accountSignIns(store, account).remove(scene.entry);
    await accountSignIns(store, account).save({ ...account.signIn!, accessToken: 'late' });
    expect(store.list()).toEqual([next]);
    const own = accountSignIns(store, next);
    expect(await own.find(scene.entry)).toEqual(account.signIn);
    expect(await own.find({ ...scene.entry, url: 'https://evil.example/mcp' })).toBeUndefined();
    const other = accountSignIns(store, { ...next, person: 'key:bob' });
    expect(await other.find(scene.entry)).toBeUndefined();
  });
});
