/** A generated package on disk: written, compiled with our own compiler, started as a process. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Below the root, so that packages are found; ignored by its own file. */
const FOLDER = join(ROOT, 'packages/mcpaql/.generated-test');

export interface GeneratedPackage {
  readonly folder: string;
  /** What a command of the package prints. Rejects with it if the command fails. */
  run(...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function writePackage(
  files: ReadonlyMap<string, string>,
  more: Readonly<Record<string, string>> = {},
): Promise<GeneratedPackage> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, '.gitignore'), '*\n');
  const folder = await mkdtemp(join(FOLDER, 'package-'));
  for (const [path, text] of [...files, ...Object.entries(more)]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return {
    folder,
    async run(...args) {
      const { stdout, stderr } = await run(process.execPath, args, { cwd: folder }).catch(
        (error: { stdout: string; stderr: string }) => {
          throw new Error(`${error.stdout}\n${error.stderr}`);
        },
      );
      return stdout + stderr;
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      // Others may be at work in there.
      const left = await readdir(FOLDER);
      if (left.every((name) => name === '.gitignore')) await rm(FOLDER, { recursive: true });
    },
  };
}

export const COMPILER: string = join(ROOT, 'node_modules/typescript/bin/tsc');
