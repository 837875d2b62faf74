/** Asks before the servers of a callsign.json from the current folder are run. */

import { shellWord, writeAdvice } from '@callsign/config';
import { askWhether } from '@callsign/terminal';

import { readBytes, textOf } from '../clients/files/text-file.js';
import { acceptConfig, needsYes } from '../command/accepted-configs.js';
import type { ConfigPlace } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Shell } from '../command/shell.js';
import type { Complaint } from '../command/stderr.js';
import { reachLines, reachOf } from './config-starts.js';
import { noConfig } from './config-text.js';

const INDENT = '  ';

export interface Consent extends ConfigPlace {
  readonly shell: Shell;
  readonly isInteractive: boolean;
  say(sentence: string): void;
}

/**
 * Asks a person at a terminal; fails where none can be asked. Returns the content that was accepted:
 * the caller must load this content, since the file may have changed since then. `undefined`: any
 * content may be used.
 */
export async function requireConsent(place: Consent): Promise<Uint8Array | undefined> {
  const { file, origin, isInteractive, say, shell } = place;
  if (origin !== 'folder') return undefined;
  const bytes = readBytes(file);
  if (bytes === undefined) throw noConfig(file);
  if (!needsYes(place, shell.env, bytes)) return bytes;
  if (!isInteractive) throw new Failure(notAccepted(file));
  say(`Callsign found ${file}. You have not accepted it yet. It starts:`);
  const columns = (shell.stderr.columns || Infinity) - INDENT.length;
  const lines = reachLines(reachOf(textOf(file, bytes), file), columns)
    .join('\n')
    .split('\n');
  for (const line of lines) say(INDENT + line);
  if (!(await askWhether('Do you trust this file, and want its servers started?'))) {
    throw new Failure(notAccepted(file));
  }
  const code = acceptConfig(file, bytes, shell.env);
  if (code !== undefined) say(`This cannot be remembered (${code}): ${writeAdvice(code)}.`);
  return bytes;
}

/** The complaint about a file that still needs consent, with the commands that give it. */
export function notAccepted(file: string): Complaint {
  const message =
    `${file} was not accepted, so its servers are not started. A project may contain a file ` +
    'from someone else.\nTo see what it starts, and accept it: callsign config accept\n' +
    `To use it just now: --config ${shellWord(file)}`;
  return { exit: EXIT.config, code: 'config-not-accepted', message };
}
