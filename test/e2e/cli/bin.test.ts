/** How the command ends if its code fails. The bundle is replaced by a few lines. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { temporaryFolder } from '../serve/callsign-process.js';

const BIN = join(ROOT, 'packages', 'cli', 'bin', 'callsign.cjs');

function run(main: string): { readonly status: number | null; readonly stderr: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bundle'));
  const bin = join(folder, 'bin', 'callsign.cjs');
  cpSync(BIN, bin);
  writeFileSync(join(folder, 'bundle', 'callsign.cjs'), `exports.main = ${main};`);
  return spawnSync(process.execPath, [bin], { encoding: 'utf8' });
}

it('ends with the code that the command returns', () => {
  expect(run('async () => 0').status).toBe(0);
  expect(run('async () => 5').status).toBe(5);
});

it('fails if the command fails, even if it logs rejections that nothing expected', () => {
  const { status, stderr } = run(`async () => {
    process.on('unhandledRejection', () => undefined);
    throw new Error('broken');
  }`);
  expect(status).toBe(1);
  expect(stderr).toContain('broken');
});

it('fails if the command never ends and nothing is left to wait for', () => {
  expect(run('() => new Promise(() => undefined)').status).toBe(1);
});
