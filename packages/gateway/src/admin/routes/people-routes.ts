/** Who is signed in to the gateway, and who has accounts at servers. Operators end both. */

import { createOutboundFetch, removeAccount, revokeSignIns } from '@callsign/auth';
import * as z from 'zod';

import { shownAccounts, shownSignIns } from '../../auth/shown-people.js';
import type { Gateway } from '../../gateway/gateway.js';
import type { PeopleData } from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';
import { readBody } from './request-body.js';

const SIGN_INS = z.lazy(() => z.strictObject({ ids: z.array(z.string()).min(1) }));
const ACCOUNT = z.lazy(() => z.strictObject({ person: z.string(), server: z.string() }));

/** Whether people can sign in here, or have accounts. */
export function hasPeople({ config, auth }: Gateway): boolean {
  return auth.origin !== undefined || config.servers.some(({ settings }) => settings.accounts);
}

export function servePeople(router: AdminRouter, gateway: Gateway): void {
  router.on('GET', '/people', () => listPeople(gateway));
  router.on('POST', '/people/sign-ins/revoke', async ({ body }) => {
    const { ids } = readBody(SIGN_INS, body);
    const own = new Set(listPeople(gateway).signIns.map(({ id }) => id));
    const unknown = ids.find((id) => !own.has(id));
    if (unknown !== undefined) throw new AdminError(404, `There is no sign-in ${unknown}.`);
    await gateway.shared.stateStores.callerSignIns.change((state) =>
      revokeSignIns(state, `${gateway.auth.origin}/mcp`, { ids }, Date.now()),
    );
    return listPeople(gateway);
  });
  router.on('POST', '/people/accounts/remove', async ({ body }) => {
    const { person, server } = readBody(ACCOUNT, body);
    const { accounts } = gateway.shared.stateStores;
    const known = gateway.config.servers.find(({ key }) => key === server);
    const urls = known && known.transport !== 'stdio' ? [known.url] : [];
    const fetch = createOutboundFetch(gateway.config.settings.network, ...urls);
    const isRemoved = await removeAccount(accounts, { person, server }, fetch).finally(() =>
      fetch.close(),
    );
    if (!isRemoved) throw new AdminError(404, `${person} has no account at ${server}.`);
    return listPeople(gateway);
  });
}

function listPeople({ auth, shared: { stateStores } }: Gateway): PeopleData {
  const { origin, keys } = auth;
  const signIns =
    origin === undefined
      ? []
      : shownSignIns(stateStores.callerSignIns.get(), { resource: `${origin}/mcp`, keys });
  return { signIns, accounts: shownAccounts(stateStores.accounts.list()) };
}
