/** Finds the command in a command line. Flags may come before or after it. */

import type { CommandEntry } from '@callsign/command';

export interface MeantCommand {
  readonly entry: CommandEntry | undefined;
  /** The words that name it, or the one that names none; empty if there is no word at all. */
  readonly name: string;
  /** The word after them, which may be a misspelled action. */
  readonly next: string | undefined;
  /** Everything else, flags first. */
  readonly args: readonly string[];
}

/** Flags before a command that take a value. */
const WITH_VALUE = ['--config', '-c'];

/** The last value of `--config`, read before the command line is checked. */
export function givenConfig(args: readonly string[]): string | undefined {
  return args
    .map((arg, i) => (WITH_VALUE.includes(arg) ? args[i + 1] : /^--config=(.+)/s.exec(arg)?.[1]))
    .findLast((value) => value !== undefined);
}

export function findCommand(
  args: readonly string[],
  entries: readonly CommandEntry[],
): MeantCommand {
  let at = 0;
  while (at < args.length && args[at]!.startsWith('-') && args[at] !== '--') {
    at += WITH_VALUE.includes(args[at]!) ? 2 : 1;
  }
  const flags = args.slice(0, at);
  const [first, second] = args.slice(at);
  const byName = (name: string): CommandEntry | undefined =>
    entries.find((entry) => entry.name === name);
  if (first === undefined || first === '--') {
    return { entry: byName(''), name: '', next: undefined, args };
  }
  const longer = second === undefined ? undefined : byName(`${first} ${second}`);
  const words = longer ? 2 : 1;
  return {
    entry: longer ?? byName(first),
    name: longer ? longer.name : first,
    next: args.slice(at + words).find((word) => !word.startsWith('-')),
    args: [...flags, ...args.slice(at + words)],
  };
}
