import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { openLogFile } from './log-file.js';

const MIB = 1024 * 1024;

describe('the log of a gateway in the background', () => {
  it('has the time before each line, and is read by its owner only', () => {
    const file = join(scratch(), 'logs', 'gateway.log');
    openLogFile(file).write('one\ntwo\n');
    const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.source;
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${time} one\n${time} two\n$`));
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('keeps the newest lines, in three files of about 5 MB', () => {
    const folder = scratch();
    const log = openLogFile(join(folder, 'gateway.log'));
    for (let i = 0; i < 30; i++) log.write(`${i} ${'x'.repeat(MIB)}\n`);
    const names = readdirSync(folder).toSorted();
    expect(names).toEqual(['gateway.log', 'gateway.log.1', 'gateway.log.2']);
    const texts = names.toReversed().map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const text of texts) expect(text.length).toBeLessThan(6.1 * MIB);
    const kept = Array.from(texts.join('').matchAll(/Z (\d+) x/g), ([, i]) => Number(i));
    expect(kept.at(-1)).toBe(29);
    expect(kept).toEqual(kept.map((_, i) => kept[0]! + i));
    expect(kept.length).toBeGreaterThan(10);
  });

  it('does not fail if it cannot be written', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'logs'), 'a file in the place of the folder');
    const log = openLogFile(join(folder, 'logs', 'gateway.log'));
    expect(() => log.write('lost\n')).not.toThrow();
  });
});
