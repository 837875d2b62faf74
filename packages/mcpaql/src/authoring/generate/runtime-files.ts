/**
 * Finds the runtime of a generated package: one bundled file and its types, which the build
 * creates.
 */

import { existsSync, readFileSync } from 'node:fs';

import { quoted } from './type-script.js';

/** The runtime's name in imports of a generated package, quoted. */
export const RUNTIME: string = quoted('#runtime');

const JS = 'runtime/runtime.js';
const TYPES = 'runtime/runtime.d.ts';

/** `imports` of the generated manifest. */
export const RUNTIME_IMPORTS: Readonly<Record<string, object>> = {
  '#runtime': { types: `./${TYPES}`, default: `./${JS}` },
};

/**
 * Where `runtime` can be, from this file: compiled, run from source, or inside the bundled command.
 */
const PLACES: readonly string[] = ['../', '../../../dist/authoring/', './'];

export function runtimeFiles(): ReadonlyMap<string, string> {
  const place = PLACES.map((path) => new URL(path, import.meta.url)).find((folder) =>
    existsSync(new URL(JS, folder)),
  );
  if (!place) throw new Error('The runtime of generated packages is missing. Run: npm run setup');
  return new Map([JS, TYPES].map((path) => [path, readFileSync(new URL(path, place), 'utf8')]));
}
