/** The help of every command, as people see it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { COMMANDS } from '../../../packages/cli/src/run/command-table.js';
import { ROOT } from '../../architecture/tree.js';
import { Home } from './callsign.js';
import { removeFolder } from '../../testing/remove-folder.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const NAMES = COMMANDS.filter(({ summary }) => summary !== undefined).map(({ name }) => name);

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

  it.each(NAMES)('explains %s', async (name) => {
    const args = [...name.split(' '), '--help'];
    // The Lightdash server prints its help itself.
    const { code, stdout } = await (name === 'lightdash' ? home.spawn(args) : home.run(args));
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
