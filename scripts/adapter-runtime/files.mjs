// The files of the runtime of generated packages, and whether they are current.
// The set-up imports this before anything is installed, so it uses nothing but Node.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGES = fileURLToPath(new URL('../../packages', import.meta.url));
const DIST = join(PACKAGES, 'mcpaql/dist/authoring');
export const JS_FILE = join(DIST, 'runtime/runtime.js');
export const TYPES_FILE = join(DIST, 'runtime/runtime.d.ts');
export const STAMP_FILE = join(DIST, '.runtime-inputs.json');

/** The hash of every file that the runtime was made from. */
export function stampOf(inputs) {
  const own = ['build.mjs', 'files.mjs', '../bundle-types.mjs'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return Object.fromEntries(
    [...own, ...inputs].map((file) => [relative(PACKAGES, file), hash(file)]),
  );
}

export function isRuntimeStale() {
  if (![JS_FILE, TYPES_FILE, STAMP_FILE].every((file) => existsSync(file))) return true;
  const stamp = JSON.parse(readFileSync(STAMP_FILE, 'utf8'));
  return Object.entries(stamp).some(([path, known]) => hash(resolve(PACKAGES, path)) !== known);
}

function hash(file) {
  if (!existsSync(file)) return undefined;
  return createHash('sha256').update(readFileSync(file)).digest('base64url');
}
