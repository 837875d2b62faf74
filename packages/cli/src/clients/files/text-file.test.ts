import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { removeFolder } from '../../../../../test/testing/remove-folder.js';
import { replaceText } from './text-file.js';

describe('a file that is replaced', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-replace-'));
  afterAll(() => removeFolder(folder));

  it('is for its owner alone if it is new, and keeps its mode if not', () => {
    const file = join(folder, 'deep', 'new.json');
    replaceText(file, 'a');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const open = join(folder, 'open.json');
    writeFileSync(open, 'a', { mode: 0o644 });
    replaceText(open, 'b');
    expect([readFileSync(open, 'utf8'), statSync(open).mode & 0o777]).toEqual(['b', 0o644]);
  });

  it('is the target of a link, which stays a link', () => {
    const real = join(folder, 'real.json');
    const link = join(folder, 'link.json');
    writeFileSync(real, 'a');
    symlinkSync(real, link);
    replaceText(link, 'b');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('b');
  });

  it('is as it was if it cannot be written, and nothing is left beside it', () => {
    const file = join(folder, 'folder.json');
    replaceText(join(file, 'inner'), 'x');
    expect(() => replaceText(file, 'y')).toThrow(`Cannot write ${file}`);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(readFileSync(join(file, 'inner'), 'utf8')).toBe('x');
  });
});
