import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { RULES } from './rules.js';
import { readTree, ROOT, type SourceTree, type SourceFile } from './tree.js';

describe('the source tree', () => {
  const tree = readTree();

  it('is found', () => {
    const files = tree.packages.flatMap((pkg) => pkg.files);
    expect(tree.packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['naming', 'effects']),
    );
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100);
  });

  it.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(tree)).toEqual([]);
  });

  it('reads streams, variables and the folder of the process in one place of the command (K30)', () => {
    const own = /\bprocess\.(?:env|cwd|exit|std(?:in|out|err))\b/;
    const files = tree.packages.find(({ name }) => name === 'cli')!.files;
    const reading = files.filter(
      ({ path, isTest }) => !isTest && own.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(reading.map(({ path }) => path.replace('packages/cli/src/', ''))).toEqual([
      'command/end-signal.ts',
      'command/shell.ts',
    ]);
  });

  it('locks dependencies by checksum, without the address of any host', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    expect(lock.match(/"[^"]*:\/\/[^"]*"/g) ?? [], 'run: node scripts/tidy-lock.mjs').toEqual([]);
  });
});

describe('each rule can fail', () => {
  const file = (path: string, imports: string[] = []): SourceFile => ({
    path,
    imports,
    isTest: path.includes('.test.'),
  });
  const treeOf = (pkg: string, files: SourceFile[], dependencies: string[] = []): SourceTree => ({
    packages: [{ name: pkg, dependencies, references: [], files }],
    devDependencies: ['vitest'],
    built: [pkg],
  });
  const here = (name: string, imports: string[] = []) => file(`packages/core/src/${name}`, imports);

  const broken: [rule: string, tree: SourceTree][] = [
    ['every package has a layer', treeOf('attic', [])],
    [
      'packages import from lower layers only',
      treeOf('core', [here('a.ts', ['@callsign/wire'])], ['@callsign/wire']),
    ],
    [
      'packages import from lower layers only',
      treeOf('naming', [file('packages/naming/src/a.ts', ['@callsign/effects'])]),
    ],
    [
      'packages are imported by their exports',
      treeOf('core', [here('a.ts', ['@callsign/naming/src/x.js'])]),
    ],
    [
      'packages are imported by their exports',
      treeOf('core', [here('a.ts', ['../../naming/src/x.js'])]),
    ],
    [
      'packages are imported by their exports',
      treeOf('core', [here('a.ts', ['../../../test/x.js'])]),
    ],
    [
      'there are no import cycles',
      treeOf('core', [here('a.ts', ['./b.js']), here('b.ts', ['./a.js'])]),
    ],
    [
      'folders import from lower folders only',
      treeOf('mcpaql', [file('packages/mcpaql/src/adapter/a.ts', ['../protocol/b.js'])]),
    ],
    [
      'folders import from lower folders only',
      treeOf('mcpaql', [file('packages/mcpaql/src/protocol/a.ts', ['../endpoints/b.js'])]),
    ],
    [
      'folders import from lower folders only',
      treeOf('mcpaql', [file('packages/mcpaql/src/view/a.ts', ['../index.js'])]),
    ],
    [
      'folders import from lower folders only',
      treeOf('wire', [file('packages/wire/src/rpc/stream/a.ts', ['../message/b.js'])]),
    ],
    [
      'every folder has a layer, and few files have no folder',
      treeOf('mcpaql', [file('packages/mcpaql/src/attic/a.ts')]),
    ],
    [
      'every folder has a layer, and few files have no folder',
      treeOf('wire', [file('packages/wire/src/rpc/attic/a.ts')]),
    ],
    [
      'every folder has a layer, and few files have no folder',
      treeOf(
        'mcpaql',
        ['a', 'b', 'c', 'd'].map((name) => file(`packages/mcpaql/src/${name}.ts`)),
      ),
    ],
    ['every dependency is declared', treeOf('core', [here('a.ts', ['zod/v4'])])],
    ['every dependency is declared', treeOf('core', [here('a.ts', ['vitest'])])],
    ['pure packages have no dependencies', treeOf('core', [here('a.ts', ['node:fs'])])],
    ['pure packages have no dependencies', treeOf('core', [here('a.ts', ['fs'])])],
    ['pure packages have no dependencies', treeOf('core', [], ['zod'])],
    ['the build knows every package and its dependencies', { ...treeOf('core', []), built: [] }],
    [
      'the build knows every package and its dependencies',
      treeOf('core', [], ['@callsign/naming']),
    ],
    ['files have meaningful names in kebab-case', treeOf('core', [here('utils.ts')])],
    ['files have meaningful names in kebab-case', treeOf('core', [here('shared/thing.ts')])],
    ['files have meaningful names in kebab-case', treeOf('core', [here('toolRef.ts')])],
  ];

  it.each(broken)('%s (%#)', (rule, tree) => {
    expect(RULES[rule]!(tree)).toHaveLength(1);
  });

  it('has an example here', () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
  });

  it('lets files at the root of a package import from all its folders', () => {
    const index = file('packages/mcpaql/src/index.ts', ['./view/a.js', './adapter/b.js']);
    expect(RULES['folders import from lower folders only']!(treeOf('mcpaql', [index]))).toEqual([]);
  });

  it('lets tests use the dependencies of the root', () => {
    expect(
      RULES['every dependency is declared']!(treeOf('core', [here('a.test.ts', ['vitest'])])),
    ).toEqual([]);
  });
});
