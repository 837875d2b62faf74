/** Finds the command in a command line. Flags may come before, after and between its words. */

import type { CommandEntry } from './command.js';

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
const OF_EVERY_COMMAND = /^(?:--config(?:=.*)?|--json|--quiet|--verbose|-[cqv])$/s;

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
  const at = afterFlags(args, 0, () => true);
  const first = args[at];
  const byName = (name: string): CommandEntry | undefined =>
    entries.find((entry) => entry.name === name);
  if (first === undefined || first === '--') {
    return { entry: byName(''), name: '', next: undefined, args };
  }
  // Other flags may have a value, which is not the second word.
  const secondAt = afterFlags(args, at + 1, (flag) => OF_EVERY_COMMAND.test(flag));
  const longer = byName(`${first} ${args[secondAt]}`);
  const last = longer ? secondAt : at;
  const nextAt = afterFlags(args, last + 1, () => true);
  return {
    entry: longer ?? byName(first),
    name: longer ? longer.name : first,
    next: args[nextAt] === '--' ? undefined : args[nextAt],
    args: args.filter((_, i) => i !== at && i !== last),
  };
}

/** The place of the first word from `at` on that is neither such a flag nor its value. */
function afterFlags(
  args: readonly string[],
  at: number,
  isSkipped: (flag: string) => boolean,
): number {
  const word = args[at];
  if (!word?.startsWith('-') || word === '--' || !isSkipped(word)) return at;
  return afterFlags(args, at + (WITH_VALUE.includes(word) ? 2 : 1), isSkipped);
}
