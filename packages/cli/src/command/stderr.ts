/** Writes to standard error: sentences for people, or with `--json` lines of JSON for scripts. */

import { createLog, type Log } from '@callsign/core';
import { formatProblems, type Problem } from '@callsign/config';
import type { LogLevel } from '@callsign/core';

import { printable, printableJson, wrapped } from '@callsign/terminal';

import type { ConfigPlace } from './config-path.js';
import { copyable } from './copyable.js';
import type { Shell } from './shell.js';

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
  /** How these commands are started. Default: `callsign`. */
  readonly name?: string;
  readonly write: (line: string) => void;
}

/** Control characters are spelled out, because a line may contain texts of servers. */
export function createStderr(options: StderrOptions): Stderr {
  const { json, place, name, write } = options;
  const runnable = (text: string): string => copyable(text, place, name);
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
    log: (level, message) => log(level, runnable(message)),
    complain({ exit, code, message: written, problems: found }) {
      const message = runnable(written);
      const problems = found?.map((each) => ({ ...each, advice: runnable(each.advice) }));
      const text = problems ? `${message}\n${formatProblems(problems)}` : message;
      say(text, { error: { code, message, ...(problems ? { problems } : {}) } });
      return exit;
    },
    announce(sentence, fact) {
      const facts = Object.entries(fact).map(([key, text]) => [key, runnable(text)]);
      say(runnable(sentence), Object.fromEntries(facts) as object);
    },
  };
}

function leastLevel({ verbose, quiet }: StderrOptions): LogLevel {
  if (verbose) return 'debug';
  return quiet ? 'error' : 'warning';
}

/** Writes text for people on standard error, wrapped at spaces on a terminal. */
export function lineWriter({ stderr }: Pick<Shell, 'stderr'>): (text: string) => void {
  return (text) => {
    const columns = stderr.isTTY ? stderr.columns || 80 : Infinity;
    stderr.write(`${wrapped(text, columns, { keepsWords: true }).join('\n')}\n`);
  };
}
