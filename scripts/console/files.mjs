// The built console, and whether it is current.
// The set-up imports this before anything is installed, so it uses nothing but Node.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const APP = join(ROOT, 'apps/console');
export const DIST = join(APP, 'dist');
const STAMP_FILE = join(DIST, '.inputs.json');

/** The hash of every file that the console was made from. */
export function stampOf(inputs) {
  const own = ['build.mjs', 'files.mjs'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const all = [...own, join(ROOT, 'package-lock.json'), ...inputs];
  return JSON.stringify(Object.fromEntries(all.map((file) => [relative(ROOT, file), hash(file)])));
}

export function isConsoleStale() {
  if (![join(DIST, 'index.html'), STAMP_FILE].every((file) => existsSync(file))) return true;
  const stamp = JSON.parse(readFileSync(STAMP_FILE, 'utf8'));
  return Object.entries(stamp).some(([path, known]) => hash(resolve(ROOT, path)) !== known);
}

export { STAMP_FILE };

function hash(file) {
  if (!existsSync(file)) return undefined;
  return createHash('sha256').update(readFileSync(file)).digest('base64url');
}
