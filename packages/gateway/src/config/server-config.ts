/** A server as the gateway runs it: variables replaced, one form for the files of all clients. */

import { isDeepStrictEqual } from 'node:util';

import { isRecord, type Secrets, type WrittenEntry } from '@callsign/config';

import type { ServerSettings } from './settings.js';

interface AnyServer {
  /** The server's key in the file. */
  readonly key: string;
  readonly settings: ServerSettings;
  /** Missing if the server comes from no file. */
  readonly written?: WrittenServer;
}

/** A server as the file writes it, to show it without its secrets. */
export interface WrittenServer {
  /** Variables are not replaced. */
  readonly entry: WrittenEntry;
  /** The entry as JSON text, to read it again with the variables of a client. */
  readonly text: string;
  /** The values of its variables, without those that every server gets. They may be secret. */
  readonly variables: readonly string[];
  /** The secrets of the file, to read the entry again. */
  readonly secrets?: Secrets;
}

/** A child process. */
export interface StdioServer extends AnyServer {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A remote server. */
export interface RemoteServer extends AnyServer {
  /** `http-or-sse`: the address does not show which of the two it is. */
  readonly transport: 'streamable-http' | 'sse' | 'http-or-sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One server that can be started. Disabled and faulty entries never become one. */
export type ServerConfig = StdioServer | RemoteServer;

/** Whether the configuration itself has credentials. */
export function hasOwnCredential({ headers }: RemoteServer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Whether a reload may keep the running server. Labels and timeouts change without a restart. */
export function sameServer(a: ServerConfig, b: ServerConfig): boolean {
  return isDeepStrictEqual(running(a), running(b));
}

/** Two clients whose servers have the same key can share one process. */
export function processKey(server: ServerConfig): string {
  return JSON.stringify(running(server), (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

function running({ settings, written: _written, ...server }: ServerConfig): object {
  const { accounts, era, inheritEnv, oauth, sandbox } = settings;
  return { ...server, accounts, era, inheritEnv, oauth, sandbox };
}
