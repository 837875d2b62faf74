/** What a command says on standard error: to people in sentences, with `--json` to scripts in lines of JSON. */

import { createLog, type Log } from '@callsign/core';
import { formatProblems, type Problem } from '@callsign/config';
import type { LogLevel } from '@callsign/core';

import { printable, printableJson, wrapped } from '@callsign/terminal';

/** Why a command ends without having done what it was asked. */
export interface Complaint {
  readonly exit: number;
  /** What scripts call it. */
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly Problem[];
}

export interface Stderr {
  readonly log: Log;
  /** Says it, and gives the exit code. */
  complain(complaint: Complaint): number;
  /** Something that people and scripts wait for. */
  announce(sentence: string, fact: Readonly<Record<string, string>>): void;
}

export interface StderrOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Whether to say errors alone. */
  readonly quiet?: boolean;
  /** What logs lines of JSON in place of us. */
  readonly log?: Log;
  readonly write?: (line: string) => void;
}

export function createStderr(options: StderrOptions): Stderr {
  const { json, write = writeLine } = options;
  const say = (text: string, value: object): void => {
    write(json ? printableJson(JSON.stringify(value)) : printable(text));
  };
  return {
    log:
      options.log ??
      createLog(leastLevel(options), (level, message) => {
        const isUrgent = level === 'warning' || level === 'error';
        say(isUrgent ? `${level}: ${message}` : message, { level, message });
      }),
    complain({ exit, ...error }) {
      const { message, problems } = error;
      say(problems ? `${message}\n${formatProblems(problems)}` : message, { error });
      return exit;
    },
    announce(sentence, fact) {
      say(sentence, fact);
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
