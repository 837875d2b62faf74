/** A server as the gateway runs it: variables filled in, one form for every client's way of writing it. */

import { isDeepStrictEqual } from 'node:util';

import type { ServerSettings } from './settings.js';

interface AnyServer {
  /** The key under which the server stands in the file. */
  readonly key: string;
  readonly settings: ServerSettings;
}

/** A child process. */
export interface StdioServer extends AnyServer {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that runs elsewhere. */
export interface RemoteServer extends AnyServer {
  /** An address alone does not say which of the two it is. */
  readonly transport: 'streamable-http' | 'sse' | 'http-or-sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerConfig = StdioServer | RemoteServer;

/** Whether a reload may keep the running server. How it is labelled and waited for does not touch it. */
export function sameServer(a: ServerConfig, b: ServerConfig): boolean {
  return isDeepStrictEqual(running(a), running(b));
}

function running({ settings: { era, inheritEnv, oauth }, ...server }: ServerConfig): object {
  return { ...server, era, inheritEnv, oauth };
}
