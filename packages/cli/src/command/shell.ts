/** What runs a command: its streams, its variables and its current folder. Tests pass their own. */

import { parse } from 'node:path';
import { isatty } from 'node:tty';

export interface Shell {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Whether a person types the input. Does not open the input, unlike `stdin.isTTY`. */
  readonly isTyped: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file that starts the command. */
  readonly script: string;
}

/** Where relative paths begin, and whose home folder counts. */
export type Where = Pick<Shell, 'cwd' | 'env'>;

/** The shell of this process. Opens a stream only when it is used. */
export const OWN_SHELL: Shell = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  get isTyped() {
    return isatty(0);
  },
  env: process.env,
  get cwd() {
    try {
      return process.cwd();
    } catch {
      // The folder was removed. A command with whole paths does not need it.
      return parse(process.execPath).root;
    }
  },
  get script() {
    return process.argv[1] ?? '';
  },
};

/** Whether a person can be asked. */
export function canAsk({ isTyped, stderr }: Shell): boolean {
  return isTyped && stderr.isTTY;
}
