/** Creates the transport of a server from its configuration. */

import type { Environment } from '@callsign/config';
import type { Era } from '@callsign/core';
import {
  type ChildGroups,
  type HttpCredentials,
  openChild,
  openHttp,
  openHttpOrSse,
  openSse,
  type Transport,
} from '@callsign/wire';
import type { OpenChannel } from '@callsign/wire/rpc';

import { childEnvironment, pathIn } from '../config/child-environment.js';
import { resolveCommand } from '../config/resolve-command.js';
import type { RemoteServer, ServerConfig, StdioServer } from '../config/server-config.js';
import { sandboxOf } from '../config/sandbox-settings.js';
import { openSandboxed, type SandboxOptions } from '../sandbox/sandboxed-child.js';
import { redactedChannel } from './redacted-channel.js';
import type { Redact } from './server-redactor.js';

export interface TransportOptions {
  readonly maxMessageBytes: number;
  /** Variables from which server processes get a few. */
  readonly env: Environment;
  /** The folder of servers without a `cwd`. Default: the one of this process. */
  readonly cwd: string | undefined;
  /** Variables for every server process, so that a nested gateway notices a loop. */
  readonly chain: Readonly<Record<string, string>>;
  readonly onStderr: (line: string) => void;
  /** Gets the first line of a server's output that is not a message. */
  readonly onStray: (line: string) => void;
  /** Ends server processes if this process ends first. */
  readonly groups: ChildGroups;
  /** Logs events of a server that belong to no call. */
  readonly onNotice: (message: string) => void;
  /** Hides the server's secrets in errors. */
  readonly redact: Redact;
  /** For servers with a sandbox. */
  readonly sandbox: Pick<SandboxOptions, 'file' | 'refusals' | 'watch'>;
  /** Credentials of sign-ins for remote servers. */
  readonly credentials: (server: RemoteServer) => HttpCredentials | undefined;
}

/** Starts nothing: the connection opens the transport. */
export function transportOf(server: ServerConfig, options: TransportOptions): Transport {
  return server.transport === 'stdio'
    ? childTransport(server, options)
    : remoteTransport(server, options);
}

function childTransport(server: StdioServer, options: TransportOptions): Transport {
  const { maxMessageBytes, chain, onStderr, onStray, onNotice, groups } = options;
  const cwd = server.cwd ?? options.cwd;
  const open = (): OpenChannel => {
    // Read at each start: a client may have brought another PATH meanwhile.
    const env = { ...childEnvironment(server, options.env), ...chain };
    const child = {
      command: resolveCommand(server.command, { path: pathIn(env) }),
      args: server.args,
      env,
      ...(cwd === undefined ? {} : { cwd }),
      maxMessageBytes,
      onStderr,
      onStray,
      onNotice,
      groups,
    };
    const settings = sandboxOf(server.settings.sandbox);
    if (!settings) return openChild(child);
    const { key } = server;
    return openSandboxed(child, { key, settings, env: options.env, ...options.sandbox });
  };
  return { onePipe: true, open };
}

function remoteTransport(
  server: RemoteServer,
  { maxMessageBytes, onNotice, redact, credentials: credentialsOf }: TransportOptions,
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
  const openIn = (era: Era): OpenChannel => {
    if (transport === 'sse') return openSse(options);
    // Only the session era has two HTTP transports.
    const isEither = transport === 'http-or-sse' && era === 'session';
    return isEither ? openHttpOrSse(options) : openHttp({ ...options, era });
  };
  return { onePipe: false, open: (era) => redactedChannel(openIn(era), redact) };
}

/** The configured protocol era. A server behind HTTP with SSE always speaks the session era. */
export function eraOf({ transport, settings }: ServerConfig): Era | 'auto' {
  return transport === 'sse' ? 'session' : settings.era;
}
