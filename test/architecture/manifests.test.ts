/** Every package.json, as npm reads it: version, licence, files, exports, provenance. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { VERSION } from '../../packages/cli/src/command/version.js';
import { ROOT } from './tree.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly private?: boolean;
  readonly files: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig: object;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const NAMES = readdirSync(join(ROOT, 'packages'));

describe.each(NAMES)('the manifest of %s', (name) => {
  const manifest = JSON.parse(read('packages', name, 'package.json')) as Manifest;

  it('has the one version, and asks for the same of our other packages', () => {
    const own = Object.entries(manifest.dependencies ?? {}).filter(([each]) =>
      each.startsWith('@callsign/'),
    );
    const versions = [manifest.version, ...own.map(([, version]) => version)];
    expect([...new Set(versions)]).toEqual([VERSION]);
  });

  it('comes with the licence and with a proof of where it was built', () => {
    expect(manifest.license).toBe('MIT');
    expect(read('packages', name, 'LICENSE')).toBe(read('LICENSE'));
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
    expect(manifest.private).toBeUndefined();
  });

  it('publishes what it exports, without source maps, whose sources are not published', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', '!dist/.*', '!dist/**/*.map']));
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : [entry['types']!, entry['default']!],
    );
    const paths = [...targets, ...Object.values(manifest.bin ?? {})].map((path) =>
      posix.normalize(path),
    );
    const published = paths.filter((path) => manifest.files.includes(path.split('/')[0]!));
    expect(published).toEqual(paths);
  });

  it('has types and code of the same source in each export', () => {
    for (const entry of Object.values(manifest.exports)) {
      if (typeof entry === 'string') continue;
      const source = entry['callsign-source']!;
      expect(existsSync(join(ROOT, 'packages', name, source))).toBe(true);
      const built = source.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1');
      expect(entry).toMatchObject({ types: `${built}.d.ts`, default: `${built}.js` });
      // The first condition that matches counts, so `types` comes before `default`.
      expect(Object.keys(entry)).toEqual(['callsign-source', 'types', 'default']);
    }
  });
});
