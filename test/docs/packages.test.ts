/** The README of every published package: its name, and exports that it really has. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly 'callsign-source': string }>>;
}

const read = (name: string, file: string) =>
  readFileSync(join(ROOT, 'packages', name, file), 'utf8');
const manifestOf = (name: string) => JSON.parse(read(name, 'package.json')) as Manifest;

/** The names that the entry files of a package export, types included. */
function exportsOf(name: string): Set<string> {
  const entries = Object.values(manifestOf(name).exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : entry['callsign-source'],
  );
  const texts = entries.map((file) => read(name, file));
  const lists = texts.flatMap((text) => [...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)]);
  const own = texts.flatMap((text) => [
    ...text.matchAll(/^export (?:async )?(?:class|const|function|interface|type) (\w+)/gm),
  ]);
  return new Set([
    ...lists.flatMap(([, names]) =>
      names!.split(',').map((each) => each.trim().split(' ').at(-1)!),
    ),
    ...own.map(([, each]) => each!),
  ]);
}

/** The names in the first column of the table of exports. */
function namedIn(readme: string): string[] {
  const [, table = ''] = readme.split('| export | description |\n| --- | --- |\n');
  const rows = /^(\|.*\|\n)+/.exec(table)?.[0].trim().split('\n') ?? [];
  return rows.flatMap((row) =>
    [...row.split(' | ')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
}

/** Private packages have no README: ARCHITECTURE.md has a line for each. */
const packages = ['cli', 'gateway', 'toolkit', 'lightdash'];
/** The README of the command names commands. */
const libraries = packages.filter((name) => name !== 'cli');

describe('the README of a package', () => {
  it.each(packages)('begins with its name and a paragraph: %s', (name) => {
    const start = new RegExp(`^# ${manifestOf(name).name}\n\n[A-Z][^]{80,}`);
    expect(read(name, 'README.md')).toMatch(start);
  });

  it.each(libraries)('names main exports, and nothing that is not exported: %s', (name) => {
    const named = namedIn(read(name, 'README.md'));
    expect(named.length).toBeGreaterThan(3);
    const exported = exportsOf(name);
    expect(named.filter((each) => !exported.has(each))).toEqual([]);
  });
});
