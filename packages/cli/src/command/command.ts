/** The interface of a command: its words and flags, and a function that returns an exit code. */

import type { Command } from 'commander';

import type { ConfigOrigin } from './config-path.js';
import type { Shell } from './shell.js';
import type { Stderr } from './stderr.js';
import type { Output, Progress } from '@callsign/terminal';

/** What every command gets: the configuration's path, the environment, and the outputs. */
export interface Context {
  /** All commands, for help and completion. */
  readonly commands: readonly CommandEntry[];
  /** The path of the configuration. The file need not exist. */
  readonly file: string;
  /** Who chose that file. */
  readonly origin: ConfigOrigin;
  readonly shell: Shell;
  /** The variables of `shell`. */
  readonly env: Shell['env'];
  /** The current folder of `shell`. */
  readonly cwd: string;
  /** Whether the output must be JSON. */
  readonly json: boolean;
  readonly verbose: boolean;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  readonly out: Output;
  readonly stderr: Stderr;
  /** Adds `--config` to the commands in a text for `out`. Other texts have it already. */
  copyable(text: string): string;
  /** Tells people that something was done. Silent with `--json` and `--quiet`. */
  say(sentence: string): void;
  /** Shows progress if the work takes longer than a moment. */
  wait(text: string): Progress;
}

/** The parsed command line. */
export interface Input<Options extends object = Record<string, never>> {
  /** Words without a flag, as many as `describe` asks for. */
  readonly words: readonly string[];
  readonly options: Options;
  /** The words after `--`, if there is one. */
  readonly rest: readonly string[] | undefined;
}

/** One command. `run` throws a `Failure` for errors that the user should read. */
export interface CommandModule<Options extends object = Record<string, never>> {
  /** Adds its words and flags to those that every command has. */
  describe(command: Command): void;
  /** Whether it takes a command line after `--`. */
  readonly takesRest?: boolean;
  run(context: Context, input: Input<Options>): Promise<number>;
}

interface NamedEntry {
  /** One word, or a word and its action: `tools`, `tools show`. */
  readonly name: string;
  /** One line for the overview. Missing if people never type this command. */
  readonly summary?: string;
  /** Starts a section of the overview. */
  readonly heading?: string;
}

/** A command's module is loaded only when that command runs. */
export interface LoadedEntry extends NamedEntry {
  readonly load: () => Promise<{ readonly command: CommandModule<never> }>;
}

/** A command that reads all its flags itself. */
interface OwnEntry extends NamedEntry {
  readonly run: (args: readonly string[], shell: Shell) => Promise<number>;
  /** Its flags, for help and completion. Default: it prints its help itself. */
  readonly flags?: () => Promise<{ readonly command: Pick<CommandModule<never>, 'describe'> }>;
}

/** A row of the table of commands. */
export type CommandEntry = LoadedEntry | OwnEntry;
