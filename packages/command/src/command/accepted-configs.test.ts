import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stateFolder } from '@callsign/config/state-folder';
import { describe, expect, it, onTestFinished } from 'vitest';

import { acceptConfig, isAccepted, needsYes } from './accepted-configs.js';

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'callsign.json');
  writeFileSync(path, 'now');
  return path;
}

describe('an accepted configuration', () => {
  it('is the content that was given, not the one that the file has', () => {
    const path = file();
    expect(acceptConfig(path, Buffer.from('shown'))).toBe(true);
    expect(isAccepted(path, Buffer.from('shown'))).toBe(true);
    expect(isAccepted(path, Buffer.from('now'))).toBe(false);
    expect(needsYes({ file: path, origin: 'folder' })).toBe(true);
    expect(needsYes({ file: path, origin: 'folder' }, Buffer.from('shown'))).toBe(false);
    expect(needsYes({ file: path, origin: 'flag' })).toBe(false);
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
