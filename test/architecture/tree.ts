/** Reads the source tree into plain data, so that the rules about it are functions of data. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly isTest: boolean;
  readonly lines: number;
  /** What it imports, as written; type-only imports included. */
  readonly imports: readonly string[];
}

export interface Room {
  readonly name: string;
  /** What its package.json says it needs at run time. */
  readonly dependencies: readonly string[];
  /** The rooms that its tsconfig builds first. */
  readonly references: readonly string[];
  readonly files: readonly SourceFile[];
}

export interface House {
  readonly rooms: readonly Room[];
  /** Packages of the root, which tests and scripts may use. */
  readonly devDependencies: readonly string[];
  /** The rooms that `tsc -b` at the root builds. */
  readonly built: readonly string[];
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"\s,${]+)['"]/g;

export function readHouse(): House {
  const manifest = readJson('package.json');
  return {
    rooms: readdirSync(join(ROOT, 'packages')).filter(isRoom).map(readRoom),
    devDependencies: Object.keys(manifest['devDependencies'] ?? {}),
    built: referencesOf('.'),
  };
}

/** Where a relative import leads, from the root; `.js` in an import means the `.ts` beside it. */
export function target(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
}

function isRoom(name: string): boolean {
  return existsSync(join(ROOT, 'packages', name, 'package.json'));
}

function readRoom(name: string): Room {
  const folder = `packages/${name}`;
  const manifest = readJson(`${folder}/package.json`);
  const needed = { ...manifest['dependencies'], ...manifest['peerDependencies'] };
  return {
    name,
    dependencies: Object.keys(needed),
    references: referencesOf(folder),
    files: sourcesBelow(`${folder}/src`),
  };
}

function referencesOf(folder: string): string[] {
  const { references = [] } = readJson(`${folder}/tsconfig.json`) as {
    references?: { path: string }[];
  };
  return references.map(({ path }) => posix.basename(path));
}

function sourcesBelow(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readSource(relative(ROOT, join(entry.parentPath, entry.name))));
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const slashed = path.split(sep).join('/');
  return {
    path: slashed,
    isTest: /\.test\.tsx?$|\/testing\//.test(slashed),
    lines: text.split('\n').length - 1,
    imports: [...text.matchAll(IMPORT)].map(([, specifier]) => specifier!),
  };
}

function readJson(path: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
}
