/** Finds a remote server, and opens what signing in and out needs. */

import { type AccountStore, createOutboundFetch, type SignInStore } from '@callsign/auth';
import type { GatewayConfig, RemoteServer } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { unknownServer } from '../config-file/config-text.js';
import { withStateStores } from '../fleet/state-stores.js';

export interface SignInTools {
  readonly store: SignInStore;
  /** People's own accounts. */
  readonly accounts: AccountStore;
  readonly fetch: ReturnType<typeof createOutboundFetch>;
}

export function requireRemote(config: GatewayConfig, key: string): RemoteServer {
  const server = config.servers.find((each) => each.key === key);
  if (!server) throw unknownServer(key, config.servers);
  if (server.transport !== 'stdio') return server;
  const message = `"${key}" runs on this machine, so there is nothing to sign in to.`;
  throw new Failure({ exit: EXIT.usage, code: 'not-remote', message });
}

export function withSignInTools<T>(
  context: Context,
  config: GatewayConfig,
  { url }: RemoteServer,
  work: (tools: SignInTools) => Promise<T>,
): Promise<T> {
  return withStateStores(context, config, async ({ signIns: store, accounts }) => {
    const fetch = createOutboundFetch(config.settings.network, url);
    return await work({ store, accounts, fetch }).finally(() => fetch.close());
  });
}
