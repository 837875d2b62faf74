/** What a command is: its words, and one function from what was typed to an exit code. */

import type { Command } from 'commander';

import type { ConfigOrigin } from './config-path.js';
import type { Stderr } from './stderr.js';
import type { Output, Progress } from '@callsign/terminal';

/** What every command has at hand. */
export interface Context {
  /** Every command there is. */
  readonly commands: readonly CommandEntry[];
  /** Where the configuration is; it need not exist. */
  readonly file: string;
  /** Who chose that file. */
  readonly origin: ConfigOrigin;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether programs read our output. */
  readonly json: boolean;
  readonly verbose: boolean;
  /** Whether there is somebody who can be asked. */
  readonly isInteractive: boolean;
  readonly out: Output;
  readonly stderr: Stderr;
  /** Tells people that something was done; silent for programs, and when quiet. */
  say(sentence: string): void;
  /** Shows that we are still there, once it takes longer than people wait without wondering. */
  wait(text: string): Progress;
}

/** What was typed behind the command. */
export interface Input<Options extends object = Record<string, never>> {
  /** Words without a flag, as many as `describe` asks for. */
  readonly words: readonly string[];
  readonly options: Options;
  /** What stands behind `--`, if there is one. */
  readonly rest: readonly string[] | undefined;
}

export interface CommandModule<Options extends object = Record<string, never>> {
  /** Adds its words and flags; those that every command has are there already. */
  describe(command: Command): void;
  /** Whether it takes a command line behind `--`. */
  readonly takesRest?: boolean;
  run(context: Context, input: Input<Options>): Promise<number>;
}

interface NamedEntry {
  /** One word, or a word and its action: `tools`, `tools show`. */
  readonly name: string;
  /** One line for the overview; none for what people never type. */
  readonly summary?: string;
  /** Starts a section of the overview. */
  readonly heading?: string;
}

/** A module is read only when its command is meant, so that the others cost nothing. */
export interface LoadedEntry extends NamedEntry {
  readonly load: () => Promise<{ readonly command: CommandModule<never> }>;
}

/** A command that reads all its flags itself. */
interface OwnEntry extends NamedEntry {
  readonly run: (args: readonly string[]) => Promise<number>;
  /** Its flags, for help and completion. Unset: it prints its help itself. */
  readonly flags?: () => Promise<{ readonly command: Pick<CommandModule<never>, 'describe'> }>;
}

export type CommandEntry = LoadedEntry | OwnEntry;
