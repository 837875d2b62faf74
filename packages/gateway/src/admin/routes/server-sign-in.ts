/**
 * Signs in to a remote server from a page: a person visits an address, and the gateway gets the
 * tokens.
 */

import { createOutboundFetch, signIn } from '@callsign/auth';

import { hasOwnCredential, type RemoteServer } from '../../config/server-config.js';
import type { Gateway } from '../../gateway/gateway.js';
import type { SignInEvent } from '../data/admin-data.js';
import { requireOwner } from '../router/admin-caller.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';

/** Adds the route. The gateway watches the store of tokens and restarts the server by itself. */
export function serveSignIn(router: AdminRouter, gateway: Gateway): void {
  router.on('POST', '/servers/:key/sign-in', ({ params, caller }) => {
    // The sign-in page redirects the browser to this machine, so the person must be on it.
    requireOwner(caller);
    const server = remoteServer(gateway, params.get('key')!);
    let isGone = false;
    return new ReadableStream<SignInEvent>({
      start: (controller) => {
        const tell = (event: SignInEvent): void => {
          if (!isGone) controller.enqueue(event);
        };
        void signedIn(gateway, server, tell).then(() => isGone || controller.close());
      },
      // The person has closed the page. The sign-in may still end well.
      cancel: () => {
        isGone = true;
      },
    });
  });
}

/** Never rejects. */
async function signedIn(
  { config, shared }: Gateway,
  server: RemoteServer,
  tell: (event: SignInEvent) => void,
): Promise<void> {
  const { oauth } = server.settings;
  let fetch: ReturnType<typeof createOutboundFetch> | undefined;
  try {
    fetch = createOutboundFetch(config.settings.network, server.url);
    await signIn(server, {
      store: shared.stateStores.signIns,
      fetch,
      onUrl: ({ href }) => tell({ visit: href }),
      ...(oauth ? { oauth } : {}),
    });
    tell({ signedIn: true });
  } catch (error) {
    tell({ problem: (error as Error).message });
  }
  fetch?.close();
}

function remoteServer({ config }: Gateway, key: string): RemoteServer {
  const server = config.servers.find((each) => each.key === key);
  if (!server) throw new AdminError(404, `There is no server "${key}" at this gateway.`);
  if (server.transport === 'stdio') {
    throw new AdminError(409, `"${key}" runs on this machine, so there is nothing to sign in to.`);
  }
  if (hasOwnCredential(server)) {
    throw new AdminError(
      409,
      `"${key}" has an Authorization header in the configuration, which is used instead.`,
    );
  }
  return server;
}
