/** Asks before the servers of a callsign.json from the current folder are run. */

import { askWhether } from '@callsign/terminal';

import { acceptConfig, needsYes } from '../command/accepted-configs.js';
import type { ConfigPlace } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Complaint } from '../command/stderr.js';

export interface Consent extends ConfigPlace {
  readonly isInteractive: boolean;
  say(sentence: string): void;
}

/** Asks a person at a terminal; fails where none can be asked. `starts`: what would be started. */
export async function requireConsent(
  place: Consent,
  starts: () => readonly string[],
): Promise<void> {
  if (!needsYes(place)) return;
  const { file, isInteractive, say } = place;
  if (!isInteractive) throw new Failure(notAccepted(file));
  say(`Callsign found ${file}. You have not accepted it yet. It starts:`);
  for (const line of starts()) say(`  ${line}`);
  if (!(await askWhether('Do you trust this file, and want its servers started?'))) {
    throw new Failure(notAccepted(file));
  }
  acceptConfig(file);
}

/** The complaint about a file that still needs consent, with the commands that give it. */
export function notAccepted(file: string): Complaint {
  const message =
    `${file} was not accepted, so its servers are not started. A project may contain a file ` +
    'from someone else.\nTo see what it starts, and accept it: callsign config accept\n' +
    `To use it just now: --config ${file}`;
  return { exit: EXIT.config, code: 'config-not-accepted', message };
}
