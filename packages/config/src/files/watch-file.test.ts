import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, it, type TestContext } from 'vitest';

import { until } from '../../../../test/e2e/serve/until.js';
import { watchConfig } from './watch-file.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';

/** A watched file that holds `one`, and what was in it whenever the watch called back. */
async function watched(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  make: (file: string) => Promise<unknown> = (file) => writeFile(file, 'one'),
  isQuiet = false,
) {
  const folder = await mkdtemp(join(tmpdir(), 'callsign-watch-'));
  const file = join(folder, 'callsign.json');
  await make(file);
  const seen: string[] = [];
  const watch = watchConfig(file, () => {
    try {
      seen.push(readFileSync(file, 'utf8'));
    } catch {
      seen.push('(gone)');
    }
  });
  onTestFinished(async () => {
    watch.close();
    removeFolder(folder);
  });
  // Its first reading comes after the system's first look at the file.
  watch.look();
  if (!isQuiet) await until(() => seen.length > 0);
  seen.length = 0;
  return { file, folder, seen, watch };
}

describe.concurrent('a watched file is read again', () => {
  it('when it is written in place', async (test) => {
    const { file, seen } = await watched(test);
    await writeFile(file, 'two');
    await until(() => seen.includes('two'));
    test.expect(seen).toEqual(['two']);
  });

  it('when another file takes its name, again and again', async (test) => {
    const { file, seen } = await watched(test);
    for (const text of ['two', 'three']) {
      await writeFile(`${file}.tmp`, text);
      await rename(`${file}.tmp`, file);
      await until(() => seen.at(-1) === text);
    }
  });

  it('when it was emptied and then written, but not before', async (test) => {
    const { file, seen } = await watched(test);
    await writeFile(file, '');
    // Long enough to be seen empty, and shorter than an empty file is waited for.
    await sleep(300);
    await writeFile(file, 'two');
    await until(() => seen.length > 0);
    test.expect(new Set(seen)).toEqual(new Set(['two']));
  });

  it('when the link to it, or to a folder above it, changes', async (test) => {
    const { file, folder, seen } = await watched(test, async (path) => {
      await mkdir(`${path}.1`);
      await writeFile(join(`${path}.1`, 'data'), 'one');
      await symlink(`${path}.1`, `${path}.now`);
      await symlink(join(`${path}.now`, 'data'), path);
    });
    const next = join(folder, 'next');
    await mkdir(`${file}.2`);
    await writeFile(join(`${file}.2`, 'data'), 'two');
    await symlink(`${file}.2`, next);
    await rename(next, `${file}.now`);
    await until(() => seen.at(-1) === 'two');
    await writeFile(`${file}.3`, 'three');
    await symlink(`${file}.3`, next);
    await rename(next, file);
    await until(() => seen.at(-1) === 'three');
  });

  it('when it was missing for a moment, and when it stays missing', async (test) => {
    const { file, seen } = await watched(test);
    await rm(file);
    // Long enough to be missed, and shorter than a missing file is waited for.
    await sleep(300);
    await writeFile(file, 'two');
    await until(() => seen.includes('two'));
    test.expect(seen).not.toContain('(gone)');
    // The system must have seen it there to see it go.
    await sleep(600);
    await rm(file);
    await until(() => seen.at(-1) === '(gone)');
  });

  it('when asked to', async (test) => {
    const { seen, watch } = await watched(test);
    watch.look();
    await until(() => seen.length === 1);
  });

  it('at once if it is a folder, so that this is said (G11)', async (test) => {
    const { seen, watch } = await watched(test, (file) => mkdir(file), true);
    await watch.look();
    test.expect(seen).toContain('(gone)');
  });

  it.skipIf(process.platform !== 'linux')('but not where it cannot be read again', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'callsign-watch-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    let looks = 0;
    const watch = watchConfig(`/proc/self/fd/${pipe}`, () => void looks++);
    test.onTestFinished(() => {
      watch.close();
      closeSync(pipe);
      removeFolder(folder);
    });
    await watch.look();
    test.expect(looks).toBe(0);
  });

  it.skipIf(process.platform === 'win32').for([
    ['nothing', () => undefined],
    ['a file', (file: string) => writeFileSync(file, 'one')],
  ] as const)('though a pipe without a writer took the place of %s', async ([, make], test) => {
    const folder = await mkdtemp(join(tmpdir(), 'callsign-watch-'));
    const file = join(folder, 'callsign.json');
    make(file);
    let looks = 0;
    const watch = watchConfig(file, () => void looks++);
    test.onTestFinished(() => {
      watch.close();
      removeFolder(folder);
    });
    const looked = watch.look();
    // This thread stands still while another one finds what is there now.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
    await looked;
    test.expect(looks).toBeGreaterThan(0);
  });

  it('but not once the watch is closed', async (test) => {
    const { file, seen, watch } = await watched(test);
    watch.look();
    watch.close();
    await writeFile(file, 'two');
    // Shows that nothing happens.
    await sleep(600);
    test.expect(seen).toEqual([]);
  });
});
