/** The messages about typing errors, and the help that they name. */

import { describe, expect, it } from 'vitest';

import { plain } from '../gateway-process.js';
import { Home } from './callsign.js';

describe('a typing error', () => {
  it.each([
    ['N18: in an argument', ['call', 'kid:add', 'a=1', 'bb=2'], /"bb"\. Did you mean: b\?/],
    ['N18: in an optional argument', ['call', 'kid:progress', 'stps=1'], /Did you mean: steps\?/],
    ['N19: in a server', ['tools', 'kidd'], /matches "kidd"\. Did you mean: callsign tools kid\?/],
    ['N19: in a tool', ['tools', 'remove_tol'], /Did you mean: callsign tools remove_tool\?/],
    ['in a server of the configuration', ['get', 'kidd'], /Did you mean: kid\?/],
    ['in a server to lint', ['lint', 'kidd'], /Did you mean: kid\?/],
    ['in a command', ['statsu'], /Did you mean: callsign status\?/],
    ['M20: with the word of another tool: ls', ['ls'], /Did you mean: callsign list\?/],
    ['M20: with another word: start', ['start'], /Did you mean: callsign serve\?/],
    ['M20: with another word: version', ['version'], /Did you mean: callsign --version\?/],
    ['in a group', ['audti', 'list'], /Did you mean: callsign audit list\?/],
    [
      'in an action',
      ['audit', 'lst'],
      /^There is no command "audit lst"\. Did you mean: callsign audit list\?/,
    ],
    [
      'in an action after a flag',
      ['config', '--json', 'acept'],
      /Did you mean: callsign config accept\?/,
    ],
    ['in an action of a command', ['labels', 'reviw'], /Did you mean: callsign labels review\?/],
    [
      'in an action like none',
      ['key', 'zzz'],
      /^There is no command "key zzz"\. Known: new, add, list, revoke\./,
    ],
    ['in the name of a tool', ['call', 'kid:ad'], /Did you mean: kid:add\?/],
  ])('%s is answered with a suggestion', async (_, args, message) => {
    const home = new Home();
    home.configure({ kid: plain() });
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('N18: is not assumed for a name that no parameter resembles', async () => {
    const home = new Home();
    home.configure({ kid: plain() });
    const args = ['call', 'kid:add', 'a=1', 'b=2', 'verbose=true'];
    expect(await home.run(args)).toMatchObject({ code: 0 });
  });
});

describe('a suggested command', () => {
  it.each([
    [['call', 'kid:ad'], 'tools'],
    [['tools', 'kidd'], 'tools kid?'],
    [['audti', 'list'], 'audit list?'],
    [['reload'], 'serve --http'],
    [['doctor'], 'get dead'],
  ])('carries the configuration of %j, so that it works when it is copied', async (args, next) => {
    const home = new Home();
    const servers = { kid: plain(), dead: { command: process.execPath, args: ['-e', ''] } };
    const file = home.write('my servers/c.json', JSON.stringify({ mcpServers: servers }));
    const { stdout, stderr } = await home.run([...args, '--config', file]);
    expect(stdout + stderr).toContain(`callsign --config '${file}' ${next}`);
  });
});

describe('help', () => {
  it.each(['audit', 'lock', 'adapter', 'approvals', 'config'])(
    'N14: of the group %s names its commands',
    async (group) => {
      const home = new Home();
      const asked = await home.run([group, '--help']);
      expect(asked).toMatchObject({ code: 0, stderr: '' });
      expect(asked.stdout).toContain(`Usage: callsign ${group} COMMAND [options]`);
      expect(asked.stdout).toMatch(new RegExp(`\\n  ${group} \\w+`));
      expect(await home.run(['help', group])).toEqual(asked);
    },
  );

  it.each([['call'], ['serve'], ['audit', 'list'], ['tools']])(
    'N14: of a command is the same both ways: %s %s',
    async (...name) => {
      const home = new Home();
      const { code, stdout } = await home.run([...name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: callsign ${name.join(' ')}\\b`));
      expect(stdout).toMatch(/\nOptions:\n {2}-c, --config <file> /);
      expect(await home.run(['help', ...name])).toMatchObject({ code: 0, stdout });
    },
  );

  it('N14: of an unknown command is an error', async () => {
    expect(await new Home().run(['help', 'nonsense'])).toMatchObject({ code: 1, stdout: '' });
  });
});
