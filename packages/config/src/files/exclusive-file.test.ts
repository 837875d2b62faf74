import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { exclusively } from './exclusive-file.js';
import { replaceFile } from './replace-file.js';
import { scratch } from '../../../../test/testing/scratch.js';

describe('a file that several processes change', () => {
  it('is changed by one process at a time', async () => {
    const file = join(scratch(), 'counter');
    writeFileSync(file, '0');
    const add = (): Promise<void> =>
      exclusively(file, async () => {
        const count = Number(readFileSync(file, 'utf8'));
        replaceFile(file, String(count + 1), { mode: 0o600 });
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(readFileSync(file, 'utf8')).toBe('20');
    expect(readdirSync(join(file, '..'))).toEqual(['counter']);
  });

  it('is unchanged by a change that fails, and free for the next one', async () => {
    const file = join(scratch(), 'f');
    const failing = exclusively(file, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await exclusively(file, async () => 'done')).toBe('done');
  });

  it('is free again when the process that held it was killed', async () => {
    const file = join(scratch(), 'f');
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(`${file}.lock`, `${holder.pid} x\n`);
    let isHeld = true;
    const waiting = exclusively(file, async () => isHeld);
    // Shows that nothing happens: while the holder lives, the change waits.
    expect(
      await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200, 'held'))]),
    ).toBe('held');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    isHeld = false;
    expect(await waiting).toBe(false);
  });

  it('is free again when its lock is too old', async () => {
    const file = join(scratch(), 'f');
    writeFileSync(`${file}.lock`, `${process.pid} x\n`);
    utimesSync(`${file}.lock`, new Date(), new Date(Date.now() - 120_000));
    expect(await exclusively(file, async () => 'done')).toBe('done');
  });
});
