/** Reads the source tree into plain data, so that the rules are functions of data. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly isTest: boolean;
  readonly lines: number;
  /** Its imports as written, type-only imports included. */
  readonly imports: readonly string[];
}

export interface Package {
  readonly name: string;
  /** Dependencies at run time, as in its package.json. */
  readonly dependencies: readonly string[];
  /** Packages that its tsconfig references. */
  readonly references: readonly string[];
  readonly files: readonly SourceFile[];
}

export interface SourceTree {
  readonly packages: readonly Package[];
  /** Development dependencies of the root, which tests and scripts may use. */
  readonly devDependencies: readonly string[];
  /** Packages that `tsc -b` at the root builds. */
  readonly built: readonly string[];
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"\s,${]+)['"]/g;

export function readTree(): SourceTree {
  const manifest = readJson('package.json');
  return {
    packages: readdirSync(join(ROOT, 'packages')).filter(isPackage).map(readPackage),
    devDependencies: Object.keys(manifest['devDependencies'] ?? {}),
    built: referencesOf('.'),
  };
}

/** The path of a relative import from the root. `.js` in an import means the `.ts` file. */
export function target(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
}

function isPackage(name: string): boolean {
  return existsSync(join(ROOT, 'packages', name, 'package.json'));
}

function readPackage(name: string): Package {
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
