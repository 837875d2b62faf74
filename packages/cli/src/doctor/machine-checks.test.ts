import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkNode, checkStorage } from './machine-checks.js';
import { scratch } from '../../../../test/testing/scratch.js';

describe('the checks of the machine', () => {
  it.each([
    ['20.19.0', 'pass'],
    ['22.1.0', 'pass'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('checks Node %s: %s', (version, status) => {
    expect(checkNode(version)).toMatchObject({ status });
  });

  it('writes to the folder, and leaves nothing there', () => {
    const folder = scratch();
    expect(checkStorage({ XDG_STATE_HOME: folder })).toMatchObject({ status: 'pass' });
    expect(readdirSync(join(folder, 'callsign'))).toEqual([]);
  });

  it('warns of a full disk, and says to free space', () => {
    const folder = scratch();
    const write = (): never => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    expect(checkStorage({ XDG_STATE_HOME: folder }, write)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('ENOSPC') as string,
      fix: expect.stringMatching(/^free some space/) as string,
    });
  });

  it('warns of a folder that others can write to', () => {
    const home = scratch();
    const folder = join(home, 'callsign');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    expect(checkStorage({ XDG_STATE_HOME: home })).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('other users') as string,
      fix: `run: chmod go-w "${folder}"`,
    });
  });

  it('F7: warns of a folder that cannot be written', () => {
    expect(checkStorage({ XDG_STATE_HOME: '/dev/null' })).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('XDG_STATE_HOME') as string,
    });
  });
});
