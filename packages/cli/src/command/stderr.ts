/** Writes to standard error: sentences for people, or with `--json` lines of JSON for scripts. */

import { createLog, type Log } from '@callsign/core';
import { formatProblems, type Problem } from '@callsign/config';
import type { LogLevel } from '@callsign/core';

import { printable, printableJson, wrapped } from '@callsign/terminal';

import type { ConfigPlace } from './config-path.js';
import { copyable } from './copyable.js';

/** Why a command failed. */
export interface Complaint {
  readonly exit: number;
  /** The code for scripts. */
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly Problem[];
}

/** The messages of one command. With `--json` each is one line of JSON. */
export interface Stderr {
  readonly log: Log;
  /** Writes the complaint and returns its exit code. */
  complain(complaint: Complaint): number;
  /** Writes an event that people and scripts wait for, even with `--quiet`. */
  announce(sentence: string, fact: Readonly<Record<string, string>>): void;
}

/** The global flags that decide what is written, and how. */
export interface StderrOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Whether to write errors only. */
  readonly quiet?: boolean;
  /** A logger that writes lines of JSON instead. */
  readonly log?: Log;
  /** The configuration, for the commands that a message suggests. */
  readonly place?: ConfigPlace;
  readonly write?: (line: string) => void;
}

/** Control characters are spelled out, because a line may contain texts of servers. */
export function createStderr(options: StderrOptions): Stderr {
  const { json, place, write = writeLine } = options;
  const say = (text: string, value: object): void => {
    write(json ? printableJson(JSON.stringify(value)) : printable(text));
  };
  const log =
    options.log ??
    createLog(leastLevel(options), (level, message) => {
      const isUrgent = level === 'warning' || level === 'error';
      say(isUrgent ? `${level}: ${message}` : message, { level, message });
    });
  return {
    log: (level, message) => log(level, copyable(message, place)),
    complain({ exit, code, message: written, problems: found }) {
      const message = copyable(written, place);
      const problems = found?.map((each) => ({ ...each, advice: copyable(each.advice, place) }));
      const text = problems ? `${message}\n${formatProblems(problems)}` : message;
      say(text, { error: { code, message, ...(problems ? { problems } : {}) } });
      return exit;
    },
    announce(sentence, fact) {
      const facts = Object.entries(fact).map(([name, text]) => [name, copyable(text, place)]);
      say(copyable(sentence, place), Object.fromEntries(facts) as object);
    },
  };
}

function leastLevel({ verbose, quiet }: StderrOptions): LogLevel {
  if (verbose) return 'debug';
  return quiet ? 'error' : 'warning';
}

/** Writes text for people on standard error, with its words wrapped on a terminal. */
export function writeLine(text: string): void {
  const { isTTY, columns } = process.stderr;
  process.stderr.write(`${wrapped(text, isTTY ? columns || 80 : Infinity).join('\n')}\n`);
}
