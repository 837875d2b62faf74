/** People's own accounts at the servers of a configuration, as commands use them. */

import { createOutboundFetch, removeAccount } from '@callsign/auth';
import { type GatewayConfig, type ShownAccount, shownAccounts } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';

interface PeopleAccounts {
  /** By person, then by server. */
  list(): readonly ShownAccount[];
  /** Removes those that are there, and revokes their tokens if possible. They end at once, in every running gateway. */
  remove(accounts: readonly ShownAccount[]): Promise<readonly ShownAccount[]>;
}

/** Works on the store itself, so no gateway has to run. */
export async function withPeopleAccounts<T>(
  context: Context,
  work: (accounts: PeopleAccounts) => T | Promise<T>,
): Promise<T> {
  const config = await requireConfig(context);
  const { servers, settings } = config;
  return await withStateStores(context, config, async ({ accounts: store }) => {
    await store.probe();
    return await work({
      list: () => shownAccounts(store.list()),
      remove: async (accounts) => {
        // Together: an authorization server that does not answer keeps no other account alive.
        const removed = accounts.map(async (account) => {
          const server = servers.find(({ key }) => key === account.server);
          const known = server && server.transport !== 'stdio' ? [server.url] : [];
          const fetch = createOutboundFetch(settings.network, ...known);
          const wasThere = await removeAccount(store, account, fetch).finally(() => fetch.close());
          return wasThere ? [account] : [];
        });
        return (await Promise.all(removed)).flat();
      },
    });
  });
}

/** The servers at which a person has an account. None if they cannot be read: a key can be revoked all the same. */
export async function accountsOf(
  context: Context,
  config: GatewayConfig,
  person: string,
): Promise<readonly string[]> {
  try {
    if (!config.servers.some(({ settings }) => settings.accounts)) return [];
    return await withStateStores(context, config, async ({ accounts }) =>
      accounts
        .list()
        .filter((each) => each.person === person)
        .map(({ server }) => server)
        .toSorted(),
    );
  } catch {
    return [];
  }
}
