import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formatProblems } from '@callsign/config';
import { loadConfig } from './load-config.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';

const GOOD = '{"mcpServers": {"s": {"command": "x", "args": ["$CALLSIGN_TEST"]}}}';

describe('a file', () => {
  let folder = '';
  const path = (name: string) => join(folder, name);
  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(path(name), content);
    return path(name);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callsign-config-'));
  });
  afterAll(() => removeFolder(folder));

  it('is read, with variables from the environment that was given', async () => {
    const file = await write('good.json', GOOD);
    expect(await loadConfig(file, { env: { CALLSIGN_TEST: 'a' } })).toMatchObject({
      ok: true,
      config: { file, servers: [{ key: 's', args: ['a'] }] },
      warnings: [],
    });
  });

  it('is read with our own environment by default', async () => {
    const file = await write('path.json', '{"mcpServers": {"s": {"command": "${PATH}"}}}');
    expect(await loadConfig(file)).toMatchObject({
      config: { servers: [{ command: process.env['PATH'] }] },
    });
  });

  it('may start with a byte order mark, and be reached by a link', async () => {
    const file = await write('bom.json', `\uFEFF${GOOD}`);
    await symlink(file, path('link.json'));
    expect(await loadConfig(path('link.json'), { env: { CALLSIGN_TEST: 'a' } })).toMatchObject({
      ok: true,
    });
    expect(await loadConfig(file, { env: {} })).toMatchObject({
      problems: [{ code: 'missing-variable', line: 1, column: 48 }],
    });
  });

  it('that does not exist is named', async () => {
    const file = path('none.json');
    const result = await loadConfig(file);
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'file-not-found', line: 0 }] });
    expect(!result.ok && formatProblems(result.problems)).toBe(
      `${file}  does not exist\n    → check the path`,
    );
  });

  it('below another file is reported as missing', async () => {
    const file = join(await write('plain.json', GOOD), 'x.json');
    expect(await loadConfig(file)).toMatchObject({ problems: [{ code: 'file-not-found' }] });
  });

  it('must not be a folder', async () => {
    await mkdir(path('folder'));
    expect(await loadConfig(path('folder'))).toMatchObject({
      problems: [{ code: 'file-is-directory', message: 'is a folder' }],
    });
  });

  it.skipIf(process.platform === 'win32')('must be something that ends (G11)', async () => {
    execFileSync('mkfifo', [path('pipe')]);
    await symlink(path('loop'), path('loop'));
    const messages = async (file: string): Promise<unknown> => {
      const loaded = await loadConfig(file);
      return loaded.ok ? [] : loaded.problems.map(({ message }) => message);
    };
    expect(await messages(path('pipe'))).toEqual(['is a pipe, not a file']);
    expect(await messages('/dev/zero')).toEqual(['is a device, not a file']);
    expect(await messages(path('loop'))).toEqual(['is a link to itself']);
  });

  it.skipIf(process.getuid?.() === 0)('that this user may not read is reported', async () => {
    const file = await write('locked.json', GOOD);
    await chmod(file, 0o000);
    expect(await loadConfig(file)).toMatchObject({ problems: [{ code: 'file-unreadable' }] });
  });

  it('whose name no system accepts cannot be read', async () => {
    expect(await loadConfig('a\0b')).toMatchObject({
      problems: [{ code: 'file-unreadable', message: 'cannot be read (ERR_INVALID_ARG_VALUE)' }],
    });
  });

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${GOOD}`, 'utf16le')],
    ['Latin-1', Buffer.from(GOOD.replace('"x"', '"é"'), 'latin1')],
  ])('in %s is not UTF-8', async (name, bytes) => {
    expect(await loadConfig(await write(`${name}.json`, bytes))).toMatchObject({
      problems: [{ code: 'file-not-utf8', advice: 'save it as UTF-8' }],
    });
  });

  it('that is empty is reported', async () => {
    expect(await loadConfig(await write('empty.json', ''))).toMatchObject({
      problems: [{ code: 'file-empty', line: 1, column: 1 }],
    });
  });
});
