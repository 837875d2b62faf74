/** Finds the home folder whose state a command uses. */

import { homedir } from 'node:os';

import type { stateFolder } from '@callsign/config';

type StateHome = NonNullable<Parameters<typeof stateFolder>[0]>;

/** Reads it from the environment of the command, which tests replace. */
export function homeIn(env: Readonly<Record<string, string | undefined>>): StateHome {
  return { platform: process.platform, env, home: env['HOME'] ?? homedir() };
}
