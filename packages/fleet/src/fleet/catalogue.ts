/** What the servers of a configuration offered when they last ran, so that asking needs no start. */

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import type { Item } from '@callsign/core';
import { stateFolder, isRecord } from '@callsign/config';
import type { ServerConfig } from '@callsign/gateway';

import { replaceText } from '@callsign/clients';

export interface CataloguedServer {
  readonly key: string;
  /** Fingerprint of how the server is run; another one, and what is noted here no longer counts. */
  readonly definition: string;
  /** When it was noted, as ISO text. */
  readonly noted: string;
  readonly tools: readonly Item[];
  /** What it says to models about itself. */
  readonly instructions?: string | undefined;
  /** Why it did not start, if it did not. */
  readonly failure?: string;
  /** What it printed last on standard error, if it did not start. Redacted. */
  readonly said?: readonly string[];
}

const VERSION = 1;

type StateHome = NonNullable<Parameters<typeof stateFolder>[0]>;

/** What is noted for this configuration; nothing if there is no note, or none that can be read. */
export function readCatalogue(
  config: string,
  env: Readonly<Record<string, string | undefined>>,
): CataloguedServer[] {
  try {
    const value: unknown = JSON.parse(readFileSync(fileFor(config, env), 'utf8'));
    if (!isRecord(value) || value['version'] !== VERSION) return [];
    const { servers } = value;
    return Array.isArray(servers) ? servers.filter(isServer) : [];
  } catch {
    return [];
  }
}

/** Only the owner may read it: what servers offer is nobody else's business. */
export function writeCatalogue(
  config: string,
  servers: readonly CataloguedServer[],
  env: Readonly<Record<string, string | undefined>>,
): void {
  const text = JSON.stringify({ version: VERSION, config: realPath(config), servers });
  const file = fileFor(config, env);
  try {
    replaceText(file, text);
  } catch {
    // A folder that cannot be written costs the note: the next command starts the servers again.
  }
}

export function definitionOf(server: ServerConfig): string {
  const { settings, ...run } = server;
  const { era, inheritEnv } = settings;
  return createHash('sha256')
    .update(JSON.stringify([run, era, inheritEnv]))
    .digest('hex');
}

function fileFor(config: string, env: Readonly<Record<string, string | undefined>>): string {
  const name = createHash('sha256').update(realPath(config)).digest('hex').slice(0, 32);
  return join(stateFolder(homeIn(env)), 'catalogue', `${name}.json`);
}

/** Whose state it is, as the environment of the command says. */
export function homeIn(env: Readonly<Record<string, string | undefined>>): StateHome {
  return { platform: process.platform, env, home: env['HOME'] ?? homedir() };
}

function isServer(value: unknown): value is CataloguedServer {
  if (!isRecord(value)) return false;
  const { key, definition, noted, tools, instructions = '' } = value;
  const texts = [key, definition, noted, instructions];
  const isText = texts.every((each) => typeof each === 'string');
  return isText && Array.isArray(tools) && tools.every(isItem);
}

function isItem(value: unknown): value is Item {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['json'] === 'string';
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
