/**
 * What clients were told last under a configuration, beyond what never changes: the instructions of its servers.
 * The next start answers a client before any server is known, and says the same.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import { VERSION } from '@callsign/command/version';

const MOST_FILES = 64;

/** `undefined`: there were none, or they are not known. */
export function rememberedInstructions(config: string): string | undefined {
  try {
    const { instructions } = JSON.parse(readFileSync(fileOf(config), 'utf8')) as {
      instructions?: unknown;
    };
    return typeof instructions === 'string' ? instructions : undefined;
  } catch {
    return undefined;
  }
}

/** Only the owner can read the file. Nothing depends on it but the text of the next greeting. */
export function rememberInstructions(config: string, instructions: string | undefined): void {
  if (instructions === rememberedInstructions(config)) return;
  try {
    const file = fileOf(config);
    if (instructions === undefined) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    const files = readdirSync(dirname(file));
    if (files.length >= MOST_FILES)
      for (const name of files) rmSync(join(dirname(file), name), { force: true });
    replaceFile(file, JSON.stringify({ instructions }), { mode: 0o600 });
  } catch {
    // A full disk, or a folder that is not ours.
  }
}

/** Another text of the configuration or of its lock file may show other instructions. */
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
