/** From an entry of the configuration to the way of reaching that server. */

import type { Era } from '@callsign/core';
import { openChild, openHttp, openHttpOrSse, openSse } from '@callsign/wire';
import type { ChildGroups, HttpCredentials, Transport } from '@callsign/wire';

import { childEnvironment } from '../config/child-environment.js';
import { resolveCommand } from '../config/resolve-command.js';
import type { RemoteServer, ServerConfig, StdioServer } from '../config/server-config.js';

export interface TransportOptions {
  readonly maxMessageBytes: number;
  /** Set in every child, so that a gateway among them knows where it stands. */
  readonly chain: Readonly<Record<string, string>>;
  readonly onStderr: (line: string) => void;
  /** Ends children if this process ends first. */
  readonly groups: ChildGroups;
  /** Takes what a remote server did that nobody waits for. */
  readonly onNotice: (message: string) => void;
  /** What a remote server is shown of a sign-in. */
  readonly credentials: (server: RemoteServer) => HttpCredentials | undefined;
}

export function transportOf(server: ServerConfig, options: TransportOptions): Transport {
  return server.transport === 'stdio'
    ? childTransport(server, options)
    : remoteTransport(server, options);
}

function childTransport(
  server: StdioServer,
  { maxMessageBytes, chain, onStderr, groups }: TransportOptions,
): Transport {
  const env = { ...childEnvironment(server, process.env), ...chain };
  const child = {
    command: resolveCommand(server.command, { path: env['PATH'] }),
    args: server.args,
    env,
    ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
    maxMessageBytes,
    onStderr,
    groups,
  };
  return { onePipe: true, open: () => openChild(child) };
}

function remoteTransport(
  server: RemoteServer,
  { maxMessageBytes, onNotice, credentials: credentialsOf }: TransportOptions,
): Transport {
  const { url, headers, transport } = server;
  const credentials = credentialsOf(server);
  const options = {
    url,
    headers,
    maxMessageBytes,
    onNotice,
    ...(credentials ? { credentials } : {}),
  };
  return {
    onePipe: false,
    open(era) {
      if (transport === 'sse') return openSse(options);
      // Only in the session era can it be either of the two.
      const isEither = transport === 'http-or-sse' && era === 'session';
      return isEither ? openHttpOrSse(options) : openHttp({ ...options, era });
    },
  };
}

/** Which form of the protocol to speak; the older pair of HTTP endpoints knows only one. */
export function eraOf({ transport, settings }: ServerConfig): Era | 'auto' {
  return transport === 'sse' ? 'session' : settings.era;
}
