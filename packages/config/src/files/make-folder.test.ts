import { spawnSync } from 'node:child_process';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { makeFolder } from './make-folder.js';

describe('creating a folder', () => {
  it('creates the folders above it too, for their owner only', () => {
    const top = scratch();
    makeFolder(join(top, 'a', 'b', 'c'));
    for (const path of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(join(top, path)).mode & 0o777, path).toBe(0o700);
    }
  });

  it('leaves an existing folder as it is, even behind a link', () => {
    const top = scratch();
    const { mode } = statSync(top);
    symlinkSync(top, join(top, 'link'));
    makeFolder(top);
    makeFolder(join(top, 'link'));
    expect(statSync(top).mode).toBe(mode);
  });

  it.each([
    ['a file', 'file', 'EEXIST'],
    ['a path below a file', 'file/a/b', 'ENOTDIR'],
    ['a link to nothing', 'loose', 'EEXIST'],
  ])('says that %s is in the way', (_, path, code) => {
    const top = scratch();
    writeFileSync(join(top, 'file'), '');
    symlinkSync(join(top, 'nothing'), join(top, 'loose'));
    const folder = join(top, path);
    const message = `The folder ${folder} cannot be created (${code}).`;
    expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code, message }));
  });

  // In another process, which can be stopped: the mkdir of Node never returns here.
  it.runIf(process.platform === 'linux')('ends below /proc, where none can be created', () => {
    const module = join(import.meta.dirname, '../../dist/files/make-folder.js');
    const script = `import(${JSON.stringify(module)}).then(({ makeFolder }) => makeFolder('/proc/x/y'))`;
    const { stderr, signal } = spawnSync(process.execPath, ['-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(signal).toBeNull();
    expect(stderr).toContain('The folder /proc/x/y cannot be created (ENOENT).');
  });
});
