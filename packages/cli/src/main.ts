/** The entry of the command line: finds the command and runs it. Loads as little as possible. */

import { findCommand } from './command/command-line.js';
import { EXIT } from './command/exit-code.js';
import { OWN_SHELL, type Shell } from './command/shell.js';
import { VERSION } from './command/version.js';
import { COMMANDS } from './run/command-table.js';

/** Runs a command and returns the exit code. */
export async function main(args: readonly string[], shell: Shell = OWN_SHELL): Promise<number> {
  // Ignore EPIPE on standard error.
  shell.stderr.on('error', () => undefined);
  const meant = findCommand(args, COMMANDS);
  const { entry, name, args: rest } = meant;
  if (name === 'help') return main(rest.length === 0 ? ['--help'] : [...rest, '--help'], shell);
  if (entry && 'run' in entry && !(entry.flags && hasFlag(rest, '--help', '-h'))) {
    return entry.run(rest, shell);
  }
  if (name === '' && hasFlag(rest, '--version', '-V')) return print(VERSION, shell);
  if (hasFlag(rest, '--help', '-h')) {
    const { helpFor } = await import('./run/help-text.js');
    const help = await helpFor(entry, name, COMMANDS, shell.stdout.columns);
    if (help !== undefined) return print(help, shell);
  }
  const { runCommand } = await import('./run/run-command.js');
  const loaded = entry && 'load' in entry ? entry : undefined;
  return runCommand(loaded, meant, COMMANDS, shell);
}

function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  return args.some((arg) => flags.includes(arg));
}

function print(text: string, { stdout }: Shell): number {
  stdout.on('error', () => undefined);
  stdout.write(`${text}\n`);
  return EXIT.ok;
}
