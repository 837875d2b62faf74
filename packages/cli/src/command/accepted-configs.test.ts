import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stateFolder } from '@callsign/config/state-folder';
import { describe, expect, it, vi } from 'vitest';

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
    const path = file();
    expect(acceptConfig(path, Buffer.from('shown'))).toBeUndefined();
    expect(isAccepted(path, Buffer.from('shown'))).toBe(true);
    expect(isAccepted(path, Buffer.from('now'))).toBe(false);
    expect(needsYes({ file: path, origin: 'folder' })).toBe(true);
    expect(needsYes({ file: path, origin: 'folder' }, Buffer.from('shown'))).toBe(false);
    expect(needsYes({ file: path, origin: 'flag' })).toBe(false);
  });

  it.runIf(CAN_MOUNT)('is not half accepted on a full disk, which is named', () => {
    const path = file();
    const disk = new SmallDisk();
    vi.stubEnv('XDG_STATE_HOME', disk.folder);
    // The memory fills its page but for one byte, so that one byte of the next mark fits.
    for (let i = 0; i < 63; i++) expect(acceptConfig(path, Buffer.from(`${i}`))).toBeUndefined();
    disk.fill();
    expect(acceptConfig(path, Buffer.from('full'))).toBe('ENOSPC');
    expect(isAccepted(path, Buffer.from('full'))).toBe(false);
    expect(isAccepted(path, Buffer.from('62'))).toBe(true);
    disk.free();
    expect(acceptConfig(path, Buffer.from('again'))).toBeUndefined();
    expect(isAccepted(path, Buffer.from('again'))).toBe(true);
    vi.unstubAllEnvs();
  });

  it('is remembered among the newest, and the list does not grow for ever', () => {
    const path = file();
    for (let i = 0; i <= 2_100; i++) acceptConfig(path, Buffer.from(`${i}`));
    expect(isAccepted(path, Buffer.from('2100'))).toBe(true);
    expect(isAccepted(path, Buffer.from('1500'))).toBe(true);
    const list = readFileSync(join(stateFolder(), 'accepted-configs'), 'utf8');
    expect(list.split('\n').length).toBeLessThan(2_100);
  });
});
