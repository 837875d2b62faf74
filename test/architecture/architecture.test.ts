import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { RULES } from './rules.js';
import { readHouse, ROOT, type House, type SourceFile } from './tree.js';

describe('the house', () => {
  const house = readHouse();

  it('has rooms to look at', () => {
    const files = house.rooms.flatMap((room) => room.files);
    expect(house.rooms.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['naming', 'annotations']),
    );
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100);
  });

  it.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(house)).toEqual([]);
  });

  it('locks dependencies by checksum, without the address of any host', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    expect(lock.match(/"[^"]*:\/\/[^"]*"/g) ?? [], 'run: node scripts/tidy-lock.mjs').toEqual([]);
  });
});

describe('each rule can fail', () => {
  const file = (path: string, imports: string[] = [], lines = 10): SourceFile => ({
    path,
    imports,
    lines,
    isTest: path.includes('.test.'),
  });
  const houseOf = (room: string, files: SourceFile[], dependencies: string[] = []): House => ({
    rooms: [{ name: room, dependencies, references: [], files }],
    devDependencies: ['vitest'],
    built: [room],
  });
  const here = (name: string, imports: string[] = [], lines = 10) =>
    file(`packages/core/src/${name}`, imports, lines);

  const broken: [rule: string, house: House][] = [
    ['every room stands in a row', houseOf('attic', [])],
    ['arrows point down', houseOf('core', [here('a.ts', ['@callsign/wire'])], ['@callsign/wire'])],
    [
      'arrows point down',
      houseOf('naming', [file('packages/naming/src/a.ts', ['@callsign/annotations'])]),
    ],
    [
      'rooms are entered by their door',
      houseOf('core', [here('a.ts', ['@callsign/naming/src/x.js'])]),
    ],
    ['rooms are entered by their door', houseOf('core', [here('a.ts', ['../../naming/src/x.js'])])],
    ['rooms are entered by their door', houseOf('core', [here('a.ts', ['../../../test/x.js'])])],
    [
      'nothing imports in a circle',
      houseOf('core', [here('a.ts', ['./b.js']), here('b.ts', ['./a.js'])]),
    ],
    [
      'folders import from lower folders only',
      houseOf('mcpaql', [file('packages/mcpaql/src/adapter/a.ts', ['../protocol/b.js'])]),
    ],
    [
      'folders import from lower folders only',
      houseOf('mcpaql', [file('packages/mcpaql/src/protocol/a.ts', ['../endpoints/b.js'])]),
    ],
    [
      'folders import from lower folders only',
      houseOf('mcpaql', [file('packages/mcpaql/src/view/a.ts', ['../index.js'])]),
    ],
    [
      'every folder has a layer, and few files have no folder',
      houseOf('mcpaql', [file('packages/mcpaql/src/attic/a.ts')]),
    ],
    [
      'every folder has a layer, and few files have no folder',
      houseOf(
        'mcpaql',
        ['a', 'b', 'c', 'd'].map((name) => file(`packages/mcpaql/src/${name}.ts`)),
      ),
    ],
    ['every dependency is declared', houseOf('core', [here('a.ts', ['zod/v4'])])],
    ['every dependency is declared', houseOf('core', [here('a.ts', ['vitest'])])],
    ['pure rooms need nothing', houseOf('core', [here('a.ts', ['node:fs'])])],
    ['pure rooms need nothing', houseOf('core', [here('a.ts', ['fs'])])],
    ['pure rooms need nothing', houseOf('core', [], ['zod'])],
    ['the build knows every room and what it stands on', { ...houseOf('core', []), built: [] }],
    ['the build knows every room and what it stands on', houseOf('core', [], ['@callsign/naming'])],
    ['no source file is past 300 lines', houseOf('core', [here('a.ts', [], 301)])],
    ['files are named after what they hold', houseOf('core', [here('utils.ts')])],
    ['files are named after what they hold', houseOf('core', [here('shared/thing.ts')])],
    ['files are named after what they hold', houseOf('core', [here('toolRef.ts')])],
  ];

  it.each(broken)('%s (%#)', (rule, house) => {
    expect(RULES[rule]!(house)).toHaveLength(1);
  });

  it('and there is an example for every one', () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
  });

  it('while files at the root of a package may import from all its folders', () => {
    const index = file('packages/mcpaql/src/index.ts', ['./view/a.js', './adapter/b.js']);
    expect(RULES['folders import from lower folders only']!(houseOf('mcpaql', [index]))).toEqual(
      [],
    );
  });

  it('while tests may use what the root installs', () => {
    expect(
      RULES['every dependency is declared']!(houseOf('core', [here('a.test.ts', ['vitest'])])),
    ).toEqual([]);
  });
});
