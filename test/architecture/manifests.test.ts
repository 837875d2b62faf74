/** Every package.json: four are published and contain all of our code that they need, the others are private. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { VERSION } from '../../packages/cli/src/command/version.js';
import { ROOT } from './tree.js';

type Dependencies = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig?: object;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
}

const PUBLISHED = ['cli', 'gateway', 'toolkit', 'lightdash'];
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const manifestOf = (name: string): Manifest =>
  JSON.parse(read('packages', name, 'package.json')) as Manifest;
const NAMES = readdirSync(join(ROOT, 'packages'));
const isOurs = (name: string): boolean => name.startsWith('@callsign/');

describe.each(NAMES)('the manifest of %s', (name) => {
  const manifest = manifestOf(name);

  it('has the one version, and asks for the same of our other packages', () => {
    const own = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    const versions = own.filter(([each]) => isOurs(each)).map(([, version]) => version);
    expect([...new Set([manifest.version, ...versions])]).toEqual([VERSION]);
  });

  it('exports sources that exist, the types before the code', () => {
    for (const entry of Object.values(manifest.exports)) {
      if (typeof entry === 'string') continue;
      expect(existsSync(join(ROOT, 'packages', name, entry['callsign-source']!))).toBe(true);
      // The first condition that matches counts.
      expect([
        'callsign-source,types,default',
        'callsign-source,default',
        'callsign-source',
      ]).toContain(Object.keys(entry).join());
    }
  });

  it('is published with the licence and a proof of where it was built, or is private (K20)', () => {
    const isPublished = PUBLISHED.includes(name);
    expect(manifest.private === true).toBe(!isPublished);
    if (!isPublished) return;
    expect(manifest.license).toBe('MIT');
    expect(read('packages', name, 'LICENSE')).toBe(read('LICENSE'));
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });
});

describe.each(PUBLISHED)('what is published of %s', (name) => {
  const manifest = manifestOf(name);

  it('needs none of our other packages (M35)', () => {
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(needed.filter(isOurs)).toEqual([]);
  });

  it('has every file that it names', () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [entry['types'] ?? [], entry['default'] ?? []].flat(),
    );
    const folders = [...targets, ...Object.values(manifest.bin ?? {})].map(
      (path) => path.replace(/^\.\//, '').split('/')[0]!,
    );
    expect(manifest.files).toEqual(expect.arrayContaining(folders));
  });
});
