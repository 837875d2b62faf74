/** A generated package on disk: written, compiled with our compiler, started as a process. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { removeFolder } from '../../../../../test/testing/remove-folder.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Below the root, so that its dependencies are found. Its `.gitignore` ignores all of it. */
const FOLDER = join(ROOT, 'packages/mcpaql-authoring/.generated-test');

export interface GeneratedPackage {
  readonly folder: string;
  /** Runs a command in the package. Resolves to its output, or rejects with it. */
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
      removeFolder(folder);
      // Other tests may be using the folder.
      const left = await readdir(FOLDER);
      if (left.every((name) => name === '.gitignore')) removeFolder(FOLDER);
    },
  };
}

export const COMPILER: string = join(ROOT, 'node_modules/typescript/bin/tsc');
