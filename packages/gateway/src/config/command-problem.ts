/** Checks whether the program and the working folder of a server exist, before it is started. */

import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import { childEnvironment } from './child-environment.js';
import { resolveCommand } from './resolve-command.js';
import type { StdioServer } from './server-config.js';
import type { Environment } from '@callsign/config';

/** The result of `findCommand`. `program` may still be a plain name that the PATH resolves. */
export interface FoundCommand {
  /** The program that will be started. */
  readonly program: string;
  /** Unset: program and folder exist. */
  readonly problem?: { readonly message: string; readonly advice: string };
}

/** Looks in the PATH that the server process will get, which may differ from ours. */
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
