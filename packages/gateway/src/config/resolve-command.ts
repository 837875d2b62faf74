/** Finds Node's own programs if a desktop client started us with a minimal PATH. */

import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Options default to the values of this process. */
export interface ResolveOptions {
  /** The PATH of the server process. */
  readonly path?: string | undefined;
  /** The Node that runs us. */
  readonly execPath?: string;
  readonly platform?: NodeJS.Platform;
  readonly exists?: (file: string) => boolean;
}

const NODE_PROGRAMS: readonly string[] = ['npm', 'npx'];

/** `node` is the Node that runs us. `npm` and `npx` are next to it if the PATH has none. */
export function resolveCommand(
  command: string,
  {
    path = process.env['PATH'],
    execPath = process.execPath,
    platform = process.platform,
    exists = existsSync,
  }: ResolveOptions = {},
): string {
  if (command === 'node') return execPath;
  if (!NODE_PROGRAMS.includes(command)) return command;
  const { delimiter, dirname, join } = platform === 'win32' ? win32 : posix;
  const names = platform === 'win32' ? [`${command}.cmd`, command] : [command];
  const findIn = (folder: string): string | undefined =>
    names.map((name) => join(folder, name)).find((file) => exists(file));
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some(findIn) ? command : (findIn(dirname(execPath)) ?? command);
}
