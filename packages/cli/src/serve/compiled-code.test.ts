import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { loadCompiled } from './compiled-code.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';

/** Newer versions of Node keep compiled code themselves. */
const isOurs = !('enableCompileCache' in module);

let folder: string;
let file: string;

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'callsign-compiled-'));
  file = join(folder, 'code.cjs');
});

afterEach(() => {
  vi.useRealTimers();
  removeFolder(folder);
});

/** A module that exports this word. */
function write(word: string): void {
  writeFileSync(file, `exports.word=${JSON.stringify(word)};`);
}

/** The word of the module. Its compiled code is saved. */
function load(): string {
  const { word } = loadCompiled(file) as { word: string };
  vi.advanceTimersByTime(60_000);
  return word;
}

function saved(): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cache'));
  expect(names).toHaveLength(1);
  return join(folder, names[0]!);
}

function digest(data: Buffer): Buffer {
  return createHash('sha256').update(readFileSync(file)).update(data).digest();
}

function isWhole(): boolean {
  const bytes = readFileSync(saved());
  return digest(bytes.subarray(32)).equals(bytes.subarray(0, 32));
}

describe('compiled code', () => {
  it('has require, exports, module and its file', () => {
    writeFileSync(join(folder, 'beside.cjs'), 'exports.beside="beside";');
    writeFileSync(file, `module.exports={...require('./beside.cjs'),file:__filename};`);
    expect(loadCompiled(file)).toEqual({ beside: 'beside', file });
  });
});

describe.runIf(isOurs)('the saved code', () => {
  it('runs at the next start', () => {
    write('one');
    expect(load()).toBe('one');
    // The code of "one" under the digest of "two", which has the same length: if "one" comes back, it was used.
    const data = readFileSync(saved()).subarray(32);
    write('two');
    writeFileSync(saved(), Buffer.concat([digest(data), data]));
    expect(load()).toBe('one');
  });

  it('is not used for another text of the same length', () => {
    write('one');
    load();
    write('two');
    expect(load()).toBe('two');
    expect(load()).toBe('two');
  });

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
    ['empty', () => Buffer.alloc(0)],
    ['damaged in the middle', (bytes: Buffer) => bytes.fill(0xff, 200, 240)],
  ])('is replaced if it is %s', (_, damage) => {
    write('one');
    load();
    writeFileSync(saved(), damage(readFileSync(saved())));
    expect(load()).toBe('one');
    expect(isWhole()).toBe(true);
  });

  it('is replaced if V8 rejects it', () => {
    write('one');
    load();
    // V8 remembers what this process has compiled, so this text must be new to it.
    write('rejected');
    const other = Buffer.from('code of another version');
    writeFileSync(saved(), Buffer.concat([digest(other), other]));
    expect(load()).toBe('rejected');
    expect(readFileSync(saved()).includes('code of another version')).toBe(false);
    expect(isWhole()).toBe(true);
  });

  it('is not saved if the flags of V8 have changed, because the next start could not use it', () => {
    write('flags');
    loadCompiled(file);
    setFlagsFromString('--stack-trace-limit=11');
    try {
      vi.advanceTimersByTime(60_000);
    } finally {
      setFlagsFromString('--stack-trace-limit=10');
    }
    expect(readdirSync(folder)).toEqual(['code.cjs']);
  });

  it('is done without if it cannot be written', () => {
    write('one');
    load();
    const place = saved();
    rmSync(place);
    mkdirSync(join(place, 'in the way'), { recursive: true });
    expect(load()).toBe('one');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
