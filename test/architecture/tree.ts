/** Reads the source tree into plain data, so that the rules are functions of data. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly isTest: boolean;
  /** Its imports as written, type-only imports included. */
  readonly imports: readonly string[];
}

export interface Package {
  readonly name: string;
  /** Its dependencies. Those of a published package that are bundled are development dependencies. */
  readonly dependencies: readonly string[];
  /** Packages that its tsconfig references. */
  readonly references: readonly string[];
  readonly files: readonly SourceFile[];
  /** Built by Vite for browsers, not by `tsc -b`. */
  readonly isApp?: boolean;
}

export interface SourceTree {
  readonly packages: readonly Package[];
  /** Development dependencies of the root, which tests and scripts may use. */
  readonly devDependencies: readonly string[];
  /** Packages that `tsc -b` at the root builds. */
  readonly built: readonly string[];
}

const IMPORT =
  /(?:^(?:import|export)\b[^'"`;]*?\bfrom\s+|^import\s+|\bimport\s*\(\s*)['"]([^'"\s,${]+)['"]/gm;

export function readTree(): SourceTree {
  const manifest = readJson('package.json');
  return {
    packages: [...foldersIn('packages').map(readPackage), ...foldersIn('apps').map(readApp)],
    devDependencies: Object.keys(manifest['devDependencies'] ?? {}),
    built: referencesOf('.'),
  };
}

/** The path of a relative import from the root. `.js` in an import means the `.ts` or `.tsx` file. */
export function target(file: SourceFile, specifier: string): string {
  const path = posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
  return existsSync(join(ROOT, `${path}x`)) ? `${path}x` : path;
}

function foldersIn(parent: string): string[] {
  return readdirSync(join(ROOT, parent))
    .filter((name) => existsSync(join(ROOT, parent, name, 'package.json')))
    .map((name) => `${parent}/${name}`);
}

function readApp(folder: string): Package {
  return { ...readPackage(folder), isApp: true };
}

function readPackage(folder: string): Package {
  const manifest = readJson(`${folder}/package.json`);
  const bundled = manifest['private'] ? {} : manifest['devDependencies'];
  const needed = {
    ...manifest['dependencies'],
    ...manifest['optionalDependencies'],
    ...manifest['peerDependencies'],
    ...bundled,
  };
  return {
    name: posix.basename(folder),
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
    imports: [...text.matchAll(IMPORT)].map(([, specifier]) => specifier!),
  };
}

function readJson(path: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
}
