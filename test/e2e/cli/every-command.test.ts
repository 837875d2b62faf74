/** Each command once as a process: it starts, and does what it does in the process of other tests. */

import { afterAll, describe, expect, it } from 'vitest';

import { COMMANDS } from '../../../packages/cli/src/run/command-table.js';
import { Home } from './callsign.js';

/** Words with which a command does something without starting a server. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  add: ['other', 'https://other.example.com/mcp'],
  'add-json': ['other', '{"url": "https://other.example.com/mcp"}'],
  'adapter init': ['--name', 'new', '--base-url', 'https://api.example.com'],
  call: ['kid:add'],
  completion: ['bash'],
  disable: ['kid'],
  enable: ['kid'],
  get: ['kid'],
  install: ['--client', 'cursor', '--dry-run'],
  remove: ['kid'],
  rename: ['kid', 'kit'],
  search: ['ship'],
  setup: ['--yes', '--no-start'],
  trust: ['kid', 'full'],
  uninstall: ['--all'],
  'policy test': ['kid:add'],
  'sets show': ['reading'],
  'sets test': ['reading', 'kid:add'],
  // These do not end by themselves, and have tests of their own.
  'audit tail': ['--nonsense'],
  serve: ['--nonsense'],
  connect: ['--nonsense'],
  restart: ['--nonsense'],
};

function configured(): Home {
  const home = new Home(afterAll);
  home.configure({ kid: { command: 'node', disabled: true } });
  return home;
}

/** The Lightdash server writes to the output of its process. It has tests of its own. */
const CASES = COMMANDS.filter(({ name }) => name !== 'lightdash').map(({ name }) => ({
  name,
  args: [...name.split(' ').filter(Boolean), ...(WORDS[name] ?? []), '--json'],
}));

describe.concurrent('as a process', () => {
  it.each(CASES)('callsign $name', async ({ args }) => {
    const [own, here] = [configured(), configured()];
    const { code, stdout, stderr } = await own.spawn(args);
    const tidied = { code, stdout: own.tidy(stdout), stderr: own.tidy(stderr) };
    const same = await here.run(args);
    expect(tidied).toEqual({
      code: same.code,
      stdout: here.tidy(same.stdout),
      stderr: here.tidy(same.stderr),
    });
  });
});
