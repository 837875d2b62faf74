/** The console of a gateway with an HTTP listener. */

import type { IncomingMessage } from 'node:http';

import { isLoopback } from '@callsign/outbound';

import type { Gateway } from '../../gateway/gateway.js';
import { requireOwner, type AdminCaller } from '../router/admin-caller.js';
import { AdminError } from '../router/admin-error.js';
import { serveAdmin } from '../router/admin-http.js';
import type { AdminRouter } from '../router/admin-router.js';
import { findGateways } from '../socket/admin-client.js';
import { ConsoleAccess } from './console-access.js';
import { ConsoleSite } from './console-site.js';
import { isForOthers, relayToGateway } from './gateway-choice.js';

/** The gateway that the console shows, and its listener. */
export interface GatewayConsoleOptions {
  readonly gateway: Gateway;
  readonly router: AdminRouter;
  /** The folder with the built console. */
  readonly folder: string;
  /** The host that the listener is on. */
  readonly host: string;
  /** The address of the listener, once it is open. */
  readonly origin: () => string | undefined;
}

/**
 * On loopback, the link of `callsign console` signs in. On other addresses only an API key does, and without
 * such a key there is no console.
 */
export function gatewayConsole(options: GatewayConsoleOptions): ConsoleSite {
  const { gateway, router, folder, host, origin } = options;
  const access = isLoopback(host) ? new ConsoleAccess() : undefined;
  router.on('POST', '/console-link', ({ caller }) => {
    // The link signs in as the user who runs the gateway.
    requireOwner(caller);
    const at = origin();
    if (!access || at === undefined) {
      throw new AdminError(
        409,
        'This gateway listens for other machines, so its console needs an API key.',
      );
    }
    return { url: `${at}/console/#token=${access.createToken()}` };
  });
  return new ConsoleSite({
    folder,
    ...(access ? { access } : {}),
    keyHolder: (request) => keyHolder(gateway, request),
    serve: (request, response, caller) => {
      // Only the user may see the other gateways of the user.
      const isOwner = caller.principal === undefined;
      if (isOwner && isForOthers(request, process.pid)) {
        relayToGateway(request, response, findGateways).catch(() => response.destroy());
      } else void serveAdmin(router, request, response, caller);
    },
    allowedOrigins: gateway.config.settings.http.allowedOrigins,
    isOffered: () => access !== undefined || gateway.auth.opensConsole,
  });
}

async function keyHolder(
  { auth }: Gateway,
  request: IncomingMessage,
): Promise<AdminCaller | { readonly wrong: string }> {
  // A token does not count: a person gave it to a client for tools, not for the console.
  const shown = auth.keyHolder(request);
  if (!shown) return { wrong: 'The API key is unknown. To get a link: callsign console' };
  const role = auth.consoleLevel(shown);
  if (role !== undefined) return { role, principal: shown };
  return {
    wrong: 'This key does not open the console. Give it "console": "viewer" or "operator".',
  };
}
