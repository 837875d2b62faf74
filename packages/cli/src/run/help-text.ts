/** The help of a command, of a group and of all commands. Loaded on demand: a start needs none of it. */

import { commandLine, groupHelp, overview } from '../command/command-help.js';
import type { CommandEntry } from '../command/command.js';

/** `undefined`: the command prints its help itself, or there is no such command. */
export async function helpFor(
  entry: CommandEntry | undefined,
  name: string,
  commands: readonly CommandEntry[],
  columns?: number,
): Promise<string | undefined> {
  if (name === '') return overview(commands, columns);
  if (!entry) return groupHelp(name, commands, columns);
  if (!('run' in entry) || !entry.flags) return undefined;
  const { command } = await entry.flags();
  return commandLine(name, command, [], columns).helpInformation().trimEnd();
}
