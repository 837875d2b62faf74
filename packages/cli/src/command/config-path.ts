/**
 * Finds the configuration: the one of the flag, else the one in this folder, else the user's own.
 */

import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { configFolder } from '@callsign/config/config-folder';
import { homeIn } from '@callsign/config/home';

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
export function findConfig(given: string | undefined): ConfigPlace {
  if (given !== undefined) return { file: configPath(given), origin: 'flag' };
  const here = resolve(CONFIG_NAME);
  const own = userConfig();
  return existsSync(here) && !isSame(here, own)
    ? { file: here, origin: 'folder' }
    : { file: own, origin: 'user' };
}

function isSame(a: string, b: string): boolean {
  return existsSync(b) && realpathSync(a) === realpathSync(b);
}

/** The path of the user's own configuration. The file need not exist. */
export function userConfig(): string {
  return join(configFolder(), CONFIG_NAME);
}

/** Resolves a path from the command line. */
export function configPath(given: string): string {
  return resolve(fromHome(given));
}

/** A client starts us without a shell, so "~" is replaced here. */
function fromHome(path: string): string {
  return /^~[/\\]/.test(path) ? join(homeIn().home, path.slice(2)) : path;
}
