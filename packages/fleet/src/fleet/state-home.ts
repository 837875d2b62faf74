/** Whose state a command uses. */

import { homedir } from 'node:os';

import type { stateFolder } from '@callsign/config';

type StateHome = NonNullable<Parameters<typeof stateFolder>[0]>;

/** Whose state it is, as the environment of the command says. */
export function homeIn(env: Readonly<Record<string, string | undefined>>): StateHome {
  return { platform: process.platform, env, home: env['HOME'] ?? homedir() };
}
