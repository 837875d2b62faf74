/** Runs a command: reads its flags, chooses the output, reports failures, and returns the exit code. */

import { Interrupted, createOutput, startProgress, type Progress } from '@callsign/terminal';
import { CommanderError } from 'commander';

import { FileFailure } from '../clients/files/file-failure.js';
import { commandLine } from '../command/command-help.js';
import { givenConfig, type MeantCommand } from '../command/command-line.js';
import type { CommandEntry, CommandModule, Context, LoadedEntry } from '../command/command.js';
import { findConfig } from '../command/config-path.js';
import { commandName, copyable } from '../command/copyable.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, fileComplaint, interruption } from '../command/failure.js';
import { canAsk, type Shell } from '../command/shell.js';
import { type Complaint, createStderr, lineWriter, type StderrOptions } from '../command/stderr.js';
import { unknownCommand, withActionHint } from '../command/unknown-command.js';

interface GlobalOptions {
  readonly config?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly verbose?: true;
}

interface ReadLine {
  readonly words: readonly string[];
  readonly options: GlobalOptions;
  readonly rest: readonly string[] | undefined;
}

/** Never rejects: every error becomes a message and an exit code. */
export async function runCommand(
  entry: LoadedEntry | undefined,
  meant: Omit<MeantCommand, 'entry'>,
  commands: readonly CommandEntry[],
  shell: Shell,
): Promise<number> {
  const { name, args } = meant;
  const flags = flagsIn(args, shell);
  if (!entry) return createStderr(flags).complain(unknownCommand(meant, commands));
  try {
    const { command } = await entry.load();
    const line = readLine(entry, command, args, commands, shell);
    return await command.run(createContext(line.options, commands, shell), line as never);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const complaint = complaintOf(error, name, flags.verbose);
    return createStderr(flags).complain(withActionHint(complaint, meant, commands));
  }
}

/** The flags for output. Read before anything is checked, so that errors of the check obey them. */
function flagsIn(args: readonly string[], shell: Shell): StderrOptions {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const has = (...flags: readonly string[]): boolean => own.some((arg) => flags.includes(arg));
  return {
    json: has('--json'),
    quiet: has('--quiet', '-q'),
    verbose: has('--verbose', '-v'),
    place: findConfig(givenConfig(own), shell),
    name: commandName(shell),
    write: lineWriter(shell),
  };
}

function readLine(
  { name }: CommandEntry,
  module: CommandModule<never>,
  args: readonly string[],
  commands: readonly CommandEntry[],
  { stdout }: Shell,
): ReadLine {
  const command = commandLine(name, module, commands, stdout.columns)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: () => undefined })
    .allowExcessArguments(false);
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const rest = end === -1 ? undefined : args.slice(end + 1);
  command.parse([...own], { from: 'user' });
  if (rest && !module.takesRest) command.error('error: "--" is not expected here');
  return { words: command.args, options: command.opts(), rest };
}

function createContext(
  { config, json, quiet, verbose }: GlobalOptions,
  commands: readonly CommandEntry[],
  shell: Shell,
): Context {
  const { env, cwd, stdout } = shell;
  const place = findConfig(config, shell);
  const name = commandName(shell);
  const flags = {
    json: json === true,
    quiet: quiet === true,
    verbose: verbose === true,
    place,
    name,
  };
  const isSilent = flags.quiet || flags.json;
  const writeLine = lineWriter(shell);
  let progress: Progress | undefined;
  const write = (line: string): void => {
    // Clears the progress line before other text is written.
    progress?.clear();
    writeLine(line);
  };
  return {
    commands,
    ...place,
    shell,
    env,
    cwd,
    json: flags.json,
    verbose: flags.verbose,
    isInteractive: !flags.json && canAsk(shell),
    out: createOutput({ stream: stdout, env }),
    stderr: createStderr({ ...flags, write }),
    copyable: (text) => copyable(text, place, name),
    say(sentence) {
      if (!isSilent) write(copyable(sentence, place, name));
    },
    wait(text) {
      progress = startProgress(text, { stream: shell.stderr, isQuiet: isSilent });
      return progress;
    },
  };
}

function complaintOf(error: unknown, name: string, isVerbose: boolean): Complaint {
  if (error instanceof Interrupted) return interruption().complaint;
  if (error instanceof Failure) return error.complaint;
  if (error instanceof FileFailure) return fileComplaint(error);
  if (error instanceof CommanderError) return usageComplaint(error, name);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const text = isVerbose && stack !== undefined ? stack : message;
  return { exit: EXIT.usage, code: 'unexpected', message: `Unexpected error: ${text}` };
}

function usageComplaint({ message }: CommanderError, name: string): Complaint {
  const [sentence = '', ...more] = message.replace(/^error: /, '').split('\n');
  const whole = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`;
  const hints = more.map((line) => line.replace(/^\(|\)$/g, ''));
  const help = `See: callsign ${name === '' ? '' : `${name} `}--help`;
  return { exit: EXIT.usage, code: 'usage', message: [whole, ...hints, help].join(' ') };
}
