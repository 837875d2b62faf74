/** The greeting that clients got last. The next start sends it before any server is known. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { makeFolder } from '@callsign/config/make-folder';
import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import { VERSION } from '../command/version.js';

/** The same members as `FirstGreeting` of the gateway, which is not loaded at this point. */
export interface RememberedGreeting {
  readonly instructions?: string;
  readonly capabilities: Readonly<Record<string, object>>;
}

const MOST_FILES = 64;
const NOTHING: RememberedGreeting = { capabilities: {} };

/** Empty if nothing is remembered. */
export function rememberedGreeting(config: string): RememberedGreeting {
  try {
    const { instructions, capabilities } = JSON.parse(readText(config)) as Record<string, unknown>;
    return {
      ...(typeof instructions === 'string' ? { instructions } : {}),
      capabilities: isObject(capabilities) ? capabilities : {},
    };
  } catch {
    return NOTHING;
  }
}

/** Never throws: only the next greeting depends on it. Only the owner can read the file. */
export function rememberGreeting(config: string, greeting: RememberedGreeting): void {
  const text = JSON.stringify(greeting);
  try {
    const file = fileOf(config);
    makeFolder(dirname(file));
    const files = readdirSync(dirname(file));
    if (files.length >= MOST_FILES)
      for (const name of files) rmSync(join(dirname(file), name), { force: true });
    replaceFile(file, text, { mode: 0o600 });
  } catch {
    // The disk is full, or the folder cannot be written.
  }
}

function readText(config: string): string {
  return readFileSync(fileOf(config), 'utf8');
}

/** Depends on the configuration and the lock file, because both decide what clients see. */
function fileOf(config: string): string {
  const lock = join(dirname(config), 'callsign.lock.json');
  const hash = createHash('sha256').update(`${VERSION}\n${config}\n`).update(readFileSync(config));
  try {
    hash.update('\0').update(readFileSync(lock));
  } catch {
    // There is none.
  }
  return join(stateFolder(), 'greetings', `${hash.digest('hex').slice(0, 40)}.json`);
}

function isObject(value: unknown): value is Record<string, object> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
