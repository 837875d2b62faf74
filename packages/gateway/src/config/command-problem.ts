/** Whether the program of a server can be found, and its folder. */

import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import { childEnvironment } from './child-environment.js';
import { resolveCommand } from './resolve-command.js';
import type { StdioServer } from './server-config.js';
import type { Environment } from './variables.js';

export interface FoundCommand {
  /** The program that will be started. */
  readonly program: string;
  /** Unset: it can be found. */
  readonly problem?: { readonly message: string; readonly advice: string };
}

export function findCommand(server: StdioServer, env: Environment = process.env): FoundCommand {
  const { command, cwd } = server;
  const { PATH: path = '' } = childEnvironment(server, env);
  const program = resolveCommand(command, { path });
  if (cwd !== undefined && !existsSync(cwd)) {
    const message = `its folder ${cwd} does not exist`;
    return { program, problem: { message, advice: 'correct "cwd"' } };
  }
  if (isFound(program, path, cwd)) return { program };
  return { program, problem: lineProblem(command, path, cwd) ?? missing(command) };
}

function missing(command: string): NonNullable<FoundCommand['problem']> {
  const advice = 'install it, or write its whole path into "command"';
  return { message: `${command} is not on the PATH`, advice };
}

/** Some clients accept a whole command line. Its other words may be secrets. */
function lineProblem(command: string, path: string, cwd?: string): FoundCommand['problem'] {
  const [program = '', ...rest] = command.trim().split(/\s+/);
  if (rest.length === 0 || !isFound(program, path, cwd)) return undefined;
  const advice = `write "command": ${JSON.stringify(program)}, and the other words as a list in "args"`;
  return { message: '"command" holds a whole command line', advice };
}

function isFound(program: string, path: string, cwd: string | undefined): boolean {
  if (isAbsolute(program) || /[/\\]/.test(program)) return existsSync(resolve(cwd ?? '.', program));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => endings.some((end) => existsSync(join(folder, program + end))));
}
