/** A generated package on disk: written, compiled with our compiler, started as a process. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { removeFolder } from '../../../../../../test/testing/remove-folder.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
/** Below the root, so that its dependencies are found. Each package has a folder of its own. */
const PREFIX = join(ROOT, 'packages/mcpaql/.generated-test-');

export interface GeneratedPackage {
  readonly folder: string;
  /** Runs a command in the package. Resolves to its output, or rejects with it. */
  run(...args: readonly string[]): Promise<string>;
  remove(): void;
}

export async function writePackage(
  files: ReadonlyMap<string, string>,
  more: Readonly<Record<string, string>> = {},
): Promise<GeneratedPackage> {
  const folder = await mkdtemp(PREFIX);
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
    remove() {
      removeFolder(folder);
    },
  };
}

export const COMPILER: string = join(ROOT, 'node_modules/typescript/bin/tsc');
