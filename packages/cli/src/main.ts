/** The command line: which command was meant, and what to say if none was. */

import { findCommand } from './command/command-line.js';
import { COMMANDS } from './run/command-table.js';
import { EXIT } from './command/exit-code.js';
import { overview } from './run/overview.js';
import { VERSION } from './command/version.js';

/** Runs a command; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // Who stops listening to us there has not asked us to stop.
  process.stderr.on('error', () => undefined);
  const { entry, name, args: rest } = findCommand(args, COMMANDS);
  if (entry && 'run' in entry) return entry.run(rest);
  if (name === '' && hasFlag(rest, '--version', '-V')) return print(VERSION);
  if (name === 'help' || (name === '' && hasFlag(rest, '--help', '-h'))) {
    return print(overview(COMMANDS));
  }
  const { runCommand } = await import('./run/run-command.js');
  return runCommand(entry, name, rest, COMMANDS);
}

function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  return args.some((arg) => flags.includes(arg));
}

function print(text: string): number {
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}
