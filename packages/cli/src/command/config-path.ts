/**
 * Finds the configuration: the one of the flag, else the one in this folder, else the user's own.
 */

import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { configFolder } from '@callsign/config/config-folder';
import { homeIn } from '@callsign/config/home';

import type { Where } from './shell.js';

const CONFIG_NAME = 'callsign.json';

/** Who chose the file: the command line, the current folder, or the user's own folder. */
export type ConfigOrigin = 'flag' | 'folder' | 'user';

/** A path, and who chose it. The origin decides whether the file must be accepted. */
export interface ConfigPlace {
  readonly file: string;
  readonly origin: ConfigOrigin;
}

/**
 * The first existing file is used; files are never merged. If none exists: the path of the user's
 * own.
 */
export function findConfig(given: string | undefined, where: Where): ConfigPlace {
  if (given !== undefined) return { file: configPath(given, where), origin: 'flag' };
  const here = resolve(where.cwd, CONFIG_NAME);
  const own = userConfig(where.env);
  return existsSync(here) && !isSame(here, own)
    ? { file: here, origin: 'folder' }
    : { file: own, origin: 'user' };
}

function isSame(a: string, b: string): boolean {
  return existsSync(b) && realpathSync(a) === realpathSync(b);
}

/** The path of the user's own configuration. The file need not exist. */
export function userConfig(env: Where['env']): string {
  return join(configFolder(homeIn(env)), CONFIG_NAME);
}

/** Resolves a path from the command line. */
export function configPath(given: string, { cwd, env }: Where): string {
  return resolve(cwd, fromHome(given, env));
}

/** A client starts us without a shell, so "~" is replaced here. */
function fromHome(path: string, env: Where['env']): string {
  return /^~[/\\]/.test(path) ? join(homeIn(env).home, path.slice(2)) : path;
}
