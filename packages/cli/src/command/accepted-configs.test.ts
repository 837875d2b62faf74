import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { homeIn } from '@callsign/config/home';
import { stateFolder } from '@callsign/config/state-folder';
import { describe, expect, it } from 'vitest';

import { CAN_MOUNT, SmallDisk } from '../../../../test/testing/small-disk.js';
import { acceptConfig, isAccepted, needsYes } from './accepted-configs.js';
import { scratch } from '../../../../test/testing/scratch.js';

function file(): string {
  const folder = scratch();
  const path = join(folder, 'callsign.json');
  writeFileSync(path, 'now');
  return path;
}

describe('an accepted configuration', () => {
  it('is the content that was given, not the one that the file has', () => {
    const env = { XDG_STATE_HOME: scratch() };
    const path = file();
    expect(acceptConfig(path, Buffer.from('shown'), env)).toBeUndefined();
    expect(isAccepted(path, Buffer.from('shown'), env)).toBe(true);
    expect(isAccepted(path, Buffer.from('now'), env)).toBe(false);
    expect(needsYes({ file: path, origin: 'folder' }, env)).toBe(true);
    expect(needsYes({ file: path, origin: 'folder' }, env, Buffer.from('shown'))).toBe(false);
    expect(needsYes({ file: path, origin: 'flag' }, env)).toBe(false);
  });

  it.runIf(CAN_MOUNT)('is not half accepted on a full disk, which is named', () => {
    const path = file();
    const disk = new SmallDisk();
    const env = { XDG_STATE_HOME: disk.folder };
    // The memory fills its page but for one byte, so that one byte of the next mark fits.
    for (let i = 0; i < 63; i++)
      expect(acceptConfig(path, Buffer.from(`${i}`), env)).toBeUndefined();
    disk.fill();
    expect(acceptConfig(path, Buffer.from('full'), env)).toBe('ENOSPC');
    expect(isAccepted(path, Buffer.from('full'), env)).toBe(false);
    expect(isAccepted(path, Buffer.from('62'), env)).toBe(true);
    disk.free();
    expect(acceptConfig(path, Buffer.from('again'), env)).toBeUndefined();
    expect(isAccepted(path, Buffer.from('again'), env)).toBe(true);
  });

  it('is remembered among the newest, and the list does not grow for ever', () => {
    const env = { XDG_STATE_HOME: scratch() };
    const path = file();
    for (let i = 0; i <= 2_100; i++) acceptConfig(path, Buffer.from(`${i}`), env);
    expect(isAccepted(path, Buffer.from('2100'), env)).toBe(true);
    expect(isAccepted(path, Buffer.from('1500'), env)).toBe(true);
    const list = readFileSync(join(stateFolder(homeIn(env)), 'accepted-configs'), 'utf8');
    expect(list.split('\n').length).toBeLessThan(2_100);
  });
});
