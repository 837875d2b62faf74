/** The help of every command, as people see it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { Home } from './callsign.js';
import { runHere } from './run-here.js';
import { removeFolder } from '../../testing/remove-folder.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const table = ['command-table', 'adapter-commands']
  .map((file) => readFileSync(join(ROOT, `packages/cli/src/run/${file}.ts`), 'utf8'))
  .join('');
const NAMES = [...table.matchAll(/name: ['`]([a-z][a-z -]*)['`],\s+summary/g)].map(
  ([, name]) => name!,
);

describe('help', () => {
  let home: Home;
  beforeAll(() => {
    home = new Home(() => undefined);
    return () => removeFolder(home.folder);
  });

  it('names every command', async () => {
    const { code, stdout, stderr } = await home.run(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await home.run(['help'])).toMatchObject({ code: 0, stdout });
    for (const name of NAMES) expect(stdout).toContain(`\n  ${name} `);
    await expect(stdout).toMatchFileSnapshot(join(GOLDEN, 'help.txt'));
  });

  it('knows all commands of the table', () => {
    expect(NAMES.length).toBe((table.match(/summary/g) ?? []).length);
  });

  it.each(NAMES)('explains %s', async (name) => {
    const { code, stdout } = await runHere(home, [...name.split(' '), '--help']);
    expect(code).toBe(0);
    const file = join(GOLDEN, `help-${name.replaceAll(' ', '-')}.txt`);
    await expect(stdout).toMatchFileSnapshot(file);
  });

  it('gives the version', async () => {
    const { version } = JSON.parse(
      readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'),
    ) as { version: string };
    expect(await home.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await home.run(['-V'])).toMatchObject({ stdout: `${version}\n` });
  });
});
