import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { deleteStaleOutput } from '../../scripts/stale-output.mjs';
import { removeFolder } from '../testing/remove-folder.js';

it('deletes what was compiled from a file that is gone, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-output-'));
  onTestFinished(() => removeFolder(folder));
  const write = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  };
  const compiled = (path: string): string[] =>
    ['.d.ts', '.d.ts.map', '.js', '.js.map'].map((ending) => path + ending);
  const kept = ['.tsbuildinfo', ...compiled('index'), 'runtime/runtime.js', ...compiled('store/a')];
  const stale = [...compiled('gone'), ...compiled('store/b')];
  for (const path of ['index.ts', 'store/a.ts']) write(`audit/src/${path}`);
  for (const path of [...kept, ...stale]) write(`audit/dist/${path}`);
  write('fresh/src/index.ts');

  deleteStaleOutput(folder);

  const left = readdirSync(join(folder, 'audit/dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('.'))
    .map((path) => path.replaceAll(sep, '/'));
  expect(left.toSorted()).toEqual(kept.toSorted());
});
