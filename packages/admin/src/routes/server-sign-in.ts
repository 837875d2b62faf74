/** Signing in to a remote server from a page: the person visits an address, and the gateway receives the tokens. */

import { createOutboundFetch, signIn, SignInError } from '@callsign/auth';
import { hasOwnCredential, type Gateway, type RemoteServer } from '@callsign/gateway';

import type { SignInEvent } from '../data/admin-data.js';
import { requireOwner } from '../router/admin-caller.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';

/** The gateway notices the new tokens and starts the server again. */
export function serveSignIn(router: AdminRouter, gateway: Gateway): void {
  router.on('POST', '/servers/:key/sign-in', ({ params, caller }) => {
    // The sign-in page redirects the browser to this machine.
    requireOwner(caller);
    const server = remoteServer(gateway, params.get('key')!);
    return new ReadableStream<SignInEvent>({
      start: (controller) => {
        const tell = (event: SignInEvent): void => controller.enqueue(event);
        void signedIn(gateway, server, tell).finally(() => controller.close());
      },
    });
  });
}

async function signedIn(
  { config, shared }: Gateway,
  server: RemoteServer,
  tell: (event: SignInEvent) => void,
): Promise<void> {
  const fetch = createOutboundFetch(config.settings.network, server.url);
  const { oauth } = server.settings;
  try {
    await signIn(server, {
      store: shared.kept.signIns,
      fetch,
      onUrl: ({ href }) => tell({ visit: href }),
      ...(oauth ? { oauth } : {}),
    });
    tell({ signedIn: true });
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    tell({ problem: error.message });
  } finally {
    await fetch.close();
  }
}

function remoteServer({ config }: Gateway, key: string): RemoteServer {
  const server = config.servers.find((each) => each.key === key);
  if (!server) throw new AdminError(404, `There is no server "${key}" that runs here.`);
  if (server.transport === 'stdio') {
    throw new AdminError(
      409,
      `"${key}" is started on this machine; there is nothing to sign in to.`,
    );
  }
  if (hasOwnCredential(server)) {
    throw new AdminError(
      409,
      `"${key}" has an Authorization header in the configuration, which counts.`,
    );
  }
  return server;
}
