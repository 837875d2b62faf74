import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { anchorFile, readAnchor, writeAnchor } from './anchor.js';

const HEAD = { seq: 7, hash: '0123456789abcdef'.repeat(4) };

function newStore(): { readonly folder: string; readonly store: string } {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-anchor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, store: join(folder, 'audit.db') };
}

it('is read as it was written, and leaves no other file', () => {
  const { folder, store } = newStore();
  expect(readAnchor(store)).toBeUndefined();
  writeAnchor(store, { seq: 6, hash: HEAD.hash });
  writeAnchor(store, HEAD);
  expect(readAnchor(store)).toEqual(HEAD);
  expect(readdirSync(folder)).toEqual(['audit.db.anchor']);
});

it.each([
  '',
  'null',
  '{}',
  JSON.stringify({ ...HEAD, seq: '7' }),
  JSON.stringify({ ...HEAD, seq: 1.5 }),
  JSON.stringify({ seq: 7 }),
  JSON.stringify({ ...HEAD, hash: HEAD.hash.slice(1) }),
  JSON.stringify({ ...HEAD, hash: `${HEAD.hash}0` }),
  JSON.stringify({ ...HEAD, hash: HEAD.hash.toUpperCase() }),
])('is none where it makes no sense: %s', (text) => {
  const { store } = newStore();
  writeFileSync(anchorFile(store), text);
  expect(readAnchor(store)).toBeUndefined();
});

it('says that it cannot be replaced, and cleans up', () => {
  const { folder, store } = newStore();
  // A folder with something in it cannot be replaced by a file.
  mkdirSync(join(anchorFile(store), 'inside'), { recursive: true });
  expect(() => writeAnchor(store, HEAD)).toThrow();
  expect(readdirSync(folder)).toEqual(['audit.db.anchor']);
});
