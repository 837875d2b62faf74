/** Checks whether the program and the working folder of a server exist, before it is started. */

import { existsSync } from 'node:fs';
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';

import { childEnvironment, pathIn } from './child-environment.js';
import { resolveCommand } from './resolve-command.js';
import type { StdioServer } from './server-config.js';
import type { Environment } from '@callsign/config';

/** The result of `findCommand`. `program` may still be a plain name that the PATH resolves. */
export interface FoundCommand {
  /** The program that will be started. */
  readonly program: string;
  /** Missing if program and folder exist. */
  readonly problem?: { readonly message: string; readonly advice: string };
}

/** Where a program is looked for. */
interface Place {
  readonly path: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Looks in the PATH that the server process will get, which may differ from ours. `here`: the folder
 * of a server without a `cwd`.
 */
export function findCommand(
  server: StdioServer,
  env: Environment = process.env,
  here = '.',
  platform: NodeJS.Platform = process.platform,
): FoundCommand {
  const { command, cwd } = server;
  const path = pathIn(childEnvironment(server, env, platform), platform) ?? '';
  const program = resolveCommand(command, { path, platform });
  if (cwd !== undefined && !existsSync(cwd)) {
    const message = `its folder ${cwd} does not exist`;
    return { program, problem: { message, advice: 'correct "cwd"' } };
  }
  const place = { path, cwd: cwd ?? here, platform };
  if (isFound(program, place)) return { program };
  return { program, problem: lineProblem(command, place) ?? missing(command) };
}

function missing(command: string): NonNullable<FoundCommand['problem']> {
  // The first word decides: a program without a path may have arguments with slashes.
  if (/^\S*[/\\]/.test(command.trim())) {
    return { message: `${command} does not exist`, advice: 'install it, or correct the path' };
  }
  const advice = 'install it, or write its whole path into "command"';
  return { message: `${command} is not on the PATH`, advice };
}

/** Some clients accept a whole command line. Its other words may be secrets. */
function lineProblem(command: string, place: Place): FoundCommand['problem'] {
  const [program = '', ...rest] = command.trim().split(/\s+/);
  if (rest.length === 0 || !isFound(program, place)) return undefined;
  const advice = `write "command": ${JSON.stringify(program)}, and the other words as a list in "args"`;
  return { message: '"command" holds a whole command line', advice };
}

function isFound(program: string, { path, cwd, platform }: Place): boolean {
  if (isAbsolute(program) || /[/\\]/.test(program)) return existsSync(resolve(cwd, program));
  const isWindows = platform === 'win32';
  const endings = isWindows ? ['.exe', '.cmd', '.bat', ''] : [''];
  const { delimiter } = isWindows ? win32 : posix;
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => endings.some((end) => existsSync(join(folder, program + end))));
}
