import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { replaceFile } from './replace-file.js';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('replacing a file (C9)', () => {
  it('creates a file that only its owner can read, with its folders', () => {
    const file = join(scratch(), 'a', 'b.json');
    replaceFile(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(modeOf(file)).toBe(0o600);
  });

  it('keeps the permissions of a file, unless others are given', () => {
    const file = join(scratch(), 'a');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    replaceFile(file, 'new');
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', 0o640]);
    replaceFile(file, 'newer', { mode: 0o600, isDurable: true });
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['newer', 0o600]);
  });

  it('replaces a link, or its target, as asked', () => {
    const folder = scratch();
    const [file, link] = [join(folder, 'file'), join(folder, 'link')];
    writeFileSync(file, 'old');
    symlinkSync(file, link);
    replaceFile(link, 'through', { throughLinks: true });
    expect(readFileSync(file, 'utf8')).toBe('through');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    replaceFile(link, 'instead');
    expect(readFileSync(file, 'utf8')).toBe('through');
    expect(lstatSync(link).isSymbolicLink()).toBe(false);
  });

  it('leaves no file behind if it fails', () => {
    const folder = scratch();
    expect(() => replaceFile(folder, 'text')).toThrow();
    expect(readdirSync(join(folder, '..')).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});
