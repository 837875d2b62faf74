import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import { ROOT } from '../architecture/tree.js';
import { CHECKS, SLOW_TESTS } from '../test-groups.js';
import { findingsIn } from './findings.js';

const LEFT_OUT = [...SLOW_TESTS, ...CHECKS].map((path) =>
  path.endsWith('.ts') ? path : `${path}/`,
);

/** Every test file of `npm test`, as Vitest names them: absolute, with forward slashes. */
export function testFiles(): readonly string[] {
  return allFiles().filter((path) => !isLeftOut(path));
}

/** The ids that tests of other groups cite. */
export function citedElsewhere(): ReadonlySet<string> {
  return citedIn(allFiles().filter(isLeftOut));
}

/** The ids that any test cites. */
export function citedAnywhere(): ReadonlySet<string> {
  return citedIn(allFiles());
}

/** The files of the tests that cite each id, relative to the repository. */
export function filesByCitedId(): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const file of allFiles()) {
    const path = file.slice(ROOT_PATH.length + 1);
    for (const id of citedIn([file])) files.set(id, [...(files.get(id) ?? []), path]);
  }
  return files;
}

/** The test files with a title that cites an id of these letters, by their paths in the repository. */
export function filesCiting(letters: string): readonly string[] {
  return allFiles()
    .filter((file) => [...citedIn([file])].some((text) => isIdOf(text, letters)))
    .map((file) => file.slice(ROOT_PATH.length + 1));
}

/** The titles of tests that cite an id of these letters. */
export function titlesCiting(letters: string): RegExp {
  return new RegExp(String.raw`\b[${letters}]\d{1,2}(?=[,:)])`);
}

function isIdOf(text: string, letters: string): boolean {
  return letters.includes(text[0] ?? ' ') && /^[A-Z]\d{1,2}$/.test(text);
}

/** Texts in quotes: ids, titles, and the names of cases that become part of a title. */
const TEXTS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** The tests of this folder cite ids as examples. */
function citedIn(files: readonly string[]): ReadonlySet<string> {
  const texts = files
    .filter((file) => !file.includes('/test/requirements/'))
    .flatMap((file) => readFileSync(file, 'utf8').match(TEXTS) ?? [])
    .map((text) => text.slice(1, -1));
  return new Set(texts.flatMap((text) => [text, ...findingsIn(text)]));
}

function isLeftOut(path: string): boolean {
  return LEFT_OUT.some((start) => path.startsWith(`${ROOT_PATH}/${start}`));
}

const ROOT_PATH = ROOT.split(sep).join('/');

function allFiles(): string[] {
  return ['packages', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          path.endsWith('.test.ts') && !/(^|[\\/])(node_modules|dist|clone)[\\/]/.test(path),
      )
      .map((path) => join(ROOT, folder, path).split(sep).join('/')),
  );
}
