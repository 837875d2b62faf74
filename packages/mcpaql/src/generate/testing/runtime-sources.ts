/** Collects the code that generated packages run on: the interpreter's own files, and what stands in for the rest. */

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const SOURCES = new URL('../../', import.meta.url);
const PACKAGES = new URL('../../', SOURCES);

/** Where everything else is reached from. */
const ROOTS = [
  'protocol/dispatch.ts',
  'protocol/runner.ts',
  'execute/http-executor.ts',
  'introspect/operation-info.ts',
];

/** Imports that lead elsewhere in a package that stands alone. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['@callsign/annotations', 'house.ts'],
  ['@callsign/core', 'house.ts'],
  ['@callsign/naming', 'house.ts'],
  ['undici', 'outbound/plain-http.ts'],
  ['ipaddr.js', 'outbound/ip-address.ts'],
  ['../adapter/target-problems.js', 'adapter/loopback-name.ts'],
]);

/** In the stand-in itself the rooms mean the files that are taken from them. */
const REPLACED_IN_HOUSE: ReadonlyMap<string, string> = new Map([
  ['@callsign/core', 'house/json-text.ts'],
  ['@callsign/naming', 'house/edit-distance.ts'],
]);

/** Files of the runtime that have another place here. */
const PLACES: ReadonlyMap<string, URL> = new Map([
  ['house.ts', new URL('generate/standalone/house.ts', SOURCES)],
  ['house/json-text.ts', new URL('core/src/json-text.ts', PACKAGES)],
  ['house/json-scan.ts', new URL('core/src/json-scan.ts', PACKAGES)],
  ['house/edit-distance.ts', new URL('naming/src/edit-distance.ts', PACKAGES)],
  ['outbound/plain-http.ts', new URL('generate/standalone/plain-http.ts', SOURCES)],
  ['outbound/ip-address.ts', new URL('generate/standalone/ip-address.ts', SOURCES)],
  ['adapter/loopback-name.ts', new URL('generate/standalone/loopback-name.ts', SOURCES)],
]);

const IMPORT = /((?:\bfrom|\bimport)\s+)'([^']+)'/g;

/** The runtime by path, in the order of the paths. */
function runtimeSources(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const open = [...ROOTS];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) continue;
    const from = path;
    const source = readFileSync(PLACES.get(path) ?? new URL(path, SOURCES), 'utf8');
    const text = source.replace(IMPORT, (whole, before: string, specifier: string) => {
      const replaced = (from === 'house.ts' ? REPLACED_IN_HOUSE : REPLACED).get(specifier);
      if (replaced === undefined && !specifier.startsWith('.')) return whole;
      const target = replaced ?? posix.join(posix.dirname(from), specifier.replace(/\.js$/, '.ts'));
      open.push(target);
      return `${before}'${relative(from, target)}'`;
    });
    files.set(path, text.replace(/^\s*\/\/ oxlint-.*\n/gm, ''));
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The module that holds the runtime as text. */
export function runtimeModule(): string {
  const entries = Array.from(runtimeSources(), ([path, text]) => {
    const escaped = text.replace(/[\\`]|\$(?=\{)/g, '\\$&');
    return `FILES.set(\n  '${path}',\n  \`${escaped}\`,\n);\n`;
  });
  return `/** The runtime of generated packages, as text; \`npx vitest run packages/mcpaql/src/generate -u\` writes it anew. */

/* oxlint-disable max-lines -- nobody reads it: its sources stand in the folders around */

const FILES = new Map<string, string>();

export const RUNTIME_FILES: ReadonlyMap<string, string> = FILES;

${entries.join('\n')}`;
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}
