/** What a store of API keys must do, in the configuration file and in a database. */

import { createApiKey, type ApiKeySettings, type ApiKeyStore } from '@callsign/auth';
import { describe, expect, it } from 'vitest';

export function apiKey(name: string, members: Partial<ApiKeySettings> = {}): ApiKeySettings {
  return { name, hash: createApiKey().hash, roles: [], ...members };
}

/** `open` makes a store; `again` opens it once more, as another process does. */
export function apiKeyContract(
  title: string,
  open: () => Promise<{ store: ApiKeyStore; again: () => Promise<ApiKeyStore> }>,
): void {
  describe(title, () => {
    it('keeps keys with their roles and their access to the console', async () => {
      const { store, again } = await open();
      const keys = [
        apiKey('ann', { roles: ['reader', 'ops'], console: 'operator' }),
        apiKey('bob "x"/../y'),
        apiKey('ci', { console: 'viewer' }),
      ];
      for (const key of keys) expect(await store.add(key)).toBe(true);
      expect(store.list()).toEqual(keys);
      expect((await again()).list()).toEqual(keys);
    });

    it('has one key for each name', async () => {
      const { store, again } = await open();
      const first = apiKey('ci');
      expect(await store.add(first)).toBe(true);
      expect(await (await again()).add(apiKey('ci', { roles: ['admin'] }))).toBe(false);
      expect((await again()).list()).toEqual([first]);
    });

    it('forgets a key that is removed, and takes another one with its name', async () => {
      const { store, again } = await open();
      const [other, first, second] = [apiKey('ann'), apiKey('ci'), apiKey('ci')];
      for (const key of [other, first]) await store.add(key);
      expect(await (await again()).remove('ci')).toBe(true);
      expect(await store.remove('ci')).toBe(false);
      expect((await again()).list()).toEqual([other]);
      expect(await store.add(second)).toBe(true);
      expect(store.list()).toEqual([other, second]);
    });

    it('says where it is', async () => {
      expect((await open()).store.place).not.toBe('');
    });
  });
}
