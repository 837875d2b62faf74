/** A server as one client would start it: its entry with the client's own variables, in the client's folder. */

import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { expandVariables, type Environment } from '@callsign/config';
import type { ClientConnection } from '@callsign/core';

import type { ConnectedClients } from '../clients/connected-clients.js';
import { childEnvironment, isForAll } from '../config/child-environment.js';
import { parseConfig } from '../config/parse-config.js';
import { hasRelativePath } from '../config/sandbox-settings.js';
import type { ServerConfig, StdioServer } from '../config/server-config.js';

/** A server for one client, or why the client cannot have it. */
export type ClientServer =
  | {
      readonly config: ServerConfig;
      /** The variables of its entry for which the client has another value than the others. */
      readonly differing: readonly string[];
    }
  | { readonly fault: string };

/** `file`: the configuration. */
export function serverFor(
  server: ServerConfig,
  connection: ClientConnection,
  clients: Pick<ConnectedClients, 'env' | 'envOf'>,
  file: string,
): ClientServer {
  const { env: shared } = clients;
  const env = clients.envOf(connection);
  const names = variablesOf(server, env);
  const differing = names.filter((name) => env[name] !== shared[name]);
  // Not only if they differ: the entry may have been read with the variables of a client that has left.
  const own = names.length === 0 ? server : readAgain(server, env, file);
  const faulty = differing.length === 0 ? names : differing;
  return own
    ? { config: inPlace(own, env, connection.folder), differing }
    : { fault: `its entry is not valid with this client's ${faulty.join(', ')}` };
}

/**
 * The server with everything that its process depends on: the variables that it inherits, and the folder of the client
 * if its entry has relative paths.
 */
export function inPlace(
  server: ServerConfig,
  env: Environment,
  folder: string | undefined,
): ServerConfig {
  if (server.transport !== 'stdio') return server;
  const inherited = inheritedBy(server, env);
  const isHere = folder !== undefined && server.cwd === undefined && isRelative(server, folder);
  if (!isHere && Object.keys(inherited).length === 0) return server;
  return { ...server, env: { ...inherited, ...server.env }, ...(isHere ? { cwd: folder } : {}) };
}

/** The server, run in this folder, unless its entry names one. */
export function inFolder(server: ServerConfig, folder: string): ServerConfig {
  return server.transport === 'stdio' ? { cwd: folder, ...server } : server;
}

/** The names of the variables that a server gets through its entry or its settings. */
function variablesOf({ written, settings }: ServerConfig, env: Environment): readonly string[] {
  const { inheritEnv } = settings;
  const names = new Set<string>();
  if (written?.text.includes('$'))
    expandVariables(written.text, env, { onValue: (name) => names.add(name) });
  if (Array.isArray(inheritEnv)) for (const name of inheritEnv as string[]) names.add(name);
  if (inheritEnv === true) for (const name of Object.keys(env)) names.add(name);
  names.delete('PATH');
  return [...names];
}

/** `undefined`: the entry is not valid with these variables. */
function readAgain(server: ServerConfig, env: Environment, file: string): ServerConfig | undefined {
  const { key, settings, written } = server;
  if (!written) return server;
  const text = `{"mcpServers":{${JSON.stringify(key)}:${written.text}}}`;
  const read = parseConfig(text, { file, env, secrets: written.secrets });
  const own = read.ok ? read.config.servers[0] : undefined;
  return own && { ...own, settings };
}

/** The variables that a server gets because of `inheritEnv`. */
function inheritedBy(server: StdioServer, env: Environment): Record<string, string> {
  const { settings } = server;
  if (settings.inheritEnv === false) return {};
  const usual = { ...server, settings: { ...settings, inheritEnv: false } };
  const always = childEnvironment(usual, env);
  const all = Object.entries(childEnvironment(server, env));
  return Object.fromEntries(all.filter(([name]) => !(name in always) && !isForAll(name)));
}

/** Whether its command, its arguments or its sandbox have a path that begins at the working folder. */
function isRelative({ command, args, settings }: StdioServer, folder: string): boolean {
  const isPath = /[/\\]/.test(command) && !isAbsolute(command);
  if (hasRelativePath(settings.sandbox)) return true;
  return isPath || args.some((argument) => startsHere(argument) || isScriptIn(folder, argument));
}

/** `.`, `./x` or `../x`, even as the value of a flag. */
function startsHere(argument: string): boolean {
  return /^(--?[\w-]+=)?\.{1,2}([/\\]|$)/.test(argument);
}

/** Such as `server.mjs`. A package or a plain word is no file with a path or an ending. */
function isScriptIn(folder: string, argument: string): boolean {
  if (argument.startsWith('-') || isAbsolute(argument) || !/[./\\]/.test(argument)) return false;
  return statSync(join(folder, argument), { throwIfNoEntry: false })?.isFile() === true;
}
