/** People's own accounts at the servers of a configuration, as commands use them. */

import { type Account, createOutboundFetch, removeAccount } from '@callsign/auth';

import type { Context } from '../command/command.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';

/** An account without anything that is secret. */
interface ShownAccount {
  /** As records show it. */
  readonly person: string;
  /** What people call the person. */
  readonly name?: string;
  readonly server: string;
  /** ISO 8601. */
  readonly since: string;
}

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
      list: () =>
        store
          .list()
          .map((account) => shown(account))
          .toSorted((a, b) => compared(a.person, b.person) || compared(a.server, b.server)),
      remove: async (accounts) => {
        const removed: ShownAccount[] = [];
        for (const account of accounts) {
          const server = servers.find(({ key }) => key === account.server);
          const known = server && server.transport !== 'stdio' ? [server.url] : [];
          const fetch = createOutboundFetch(settings.network, ...known);
          const wasThere = await removeAccount(store, account, fetch).finally(() => fetch.close());
          if (wasThere) removed.push(account);
        }
        return removed;
      },
    });
  });
}

function shown({ person, label, server, createdAt }: Account): ShownAccount {
  const since = new Date(createdAt).toISOString().replace(/\.\d+Z$/, 'Z');
  return { person, ...(label === undefined ? {} : { name: label }), server, since };
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
