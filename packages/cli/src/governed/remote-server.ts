/** A server with a sign-in, and the inputs for signing in and out. */

import { createOutboundFetch, SignInFile } from '@callsign/auth';
import { stateFolder } from '@callsign/config';
import type { GatewayConfig, RemoteServer } from '@callsign/gateway';

import { Failure, unknownServer, type Context } from '@callsign/command';
import { EXIT } from '@callsign/command/exit-code';
import { homeIn } from '@callsign/fleet';

export interface SignInTools {
  readonly file: SignInFile;
  readonly fetch: ReturnType<typeof createOutboundFetch>;
}

export function requireRemote(config: GatewayConfig, key: string): RemoteServer {
  const server = config.servers.find((each) => each.key === key);
  if (!server) throw unknownServer(key, config.servers);
  if (server.transport !== 'stdio') return server;
  const message = `"${key}" is started on this machine; there is nothing to sign in to.`;
  throw new Failure({ exit: EXIT.usage, code: 'not-remote', message });
}

export function signInTools(
  { env }: Context,
  { settings }: GatewayConfig,
  { url }: RemoteServer,
): SignInTools {
  return {
    file: new SignInFile(stateFolder(homeIn(env))),
    fetch: createOutboundFetch(settings.network, url),
  };
}
