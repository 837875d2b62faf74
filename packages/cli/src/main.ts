/** The entry of the command line: finds the command and runs it. Loads as little as possible. */

import { findCommand } from './command/command-line.js';
import { EXIT } from './command/exit-code.js';
import { VERSION } from './command/version.js';
import { COMMANDS } from './run/command-table.js';

/** Runs a command and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // Ignore EPIPE on standard error.
  process.stderr.on('error', () => undefined);
  const meant = findCommand(args, COMMANDS);
  const { entry, name, args: rest } = meant;
  if (name === 'help') return main(rest.length === 0 ? ['--help'] : [...rest, '--help']);
  if (entry && 'run' in entry && !(entry.flags && hasFlag(rest, '--help', '-h'))) {
    return entry.run(rest);
  }
  if (name === '' && hasFlag(rest, '--version', '-V')) return print(VERSION);
  if (hasFlag(rest, '--help', '-h')) {
    const { helpFor } = await import('./run/help-text.js');
    const help = await helpFor(entry, name, COMMANDS);
    if (help !== undefined) return print(help);
  }
  const { runCommand } = await import('./run/run-command.js');
  const loaded = entry && 'load' in entry ? entry : undefined;
  return runCommand(loaded, meant, COMMANDS);
}

function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  return args.some((arg) => flags.includes(arg));
}

function print(text: string): number {
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}
