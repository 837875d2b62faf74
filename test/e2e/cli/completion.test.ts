/** Completion in a real shell, and the names that it must not offer. */

import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { plain } from '../gateway-process.js';
import { Home } from './callsign.js';

const hostile = { command: process.execPath, args: [join(ROOT, 'test/e2e/cli/hostile-child.mjs')] };

/** What bash would offer after a line. */
const offered = async (home: Home, line: string) => {
  const { stdout, stderr } = await home.shell(
    `eval "$(callsign completion bash)"
     COMP_LINE='callsign ${line}'; COMP_POINT=\${#COMP_LINE}; _callsign
     printf '%s\\n' "\${COMPREPLY[@]}"`,
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
};

describe('completion', () => {
  it('knows commands, flags, servers, tools and profiles', async () => {
    const home = new Home();
    home.configure({ plain: plain(), hostile });
    await home.run(['tools']);
    expect(await offered(home, 'un')).toEqual(['uninstall']);
    expect(await offered(home, 'config ')).toEqual(['accept', 'fmt', 'schema']);
    expect(await offered(home, 'call plain:ad')).toEqual(['add', 'add_tool']);
    expect(await offered(home, 'get p')).toEqual(['plain']);
    const complete = async (...words: string[]) =>
      (await home.run(['__complete', '--', ...words])).stdout.trim().split('\n');
    expect(await complete('names', '--profile', 'c')).toEqual([
      'canonical',
      'claude-code',
      'claude-desktop',
      'codex',
      'cursor',
    ]);
    expect(await complete('names', '--re')).toEqual(['--refresh', '--rename']);
    expect(await complete('install', '--client', 'z')).toEqual(['zed']);
    expect(await complete('call', 'hostile:')).toEqual(['hostile:say']);
  });

  it('knows the profiles of the configuration, and goes on without one that can be used', async () => {
    const home = new Home();
    const complete = async () =>
      (await home.run(['__complete', '--', 'serve', '--profile', 'cu'])).stdout;
    home.configure({ plain: plain() }, { profiles: { 'cubic-agent': { like: 'portable' } } });
    expect(await complete()).toBe('cubic-agent\ncursor\n');
    home.configure({ plain: plain() }, { profiles: 5 });
    expect(await complete()).toBe('cursor\n');
  });

  it.each(['zsh', 'fish'])('has a script for %s', async (shell) => {
    const { code, stdout } = await new Home().run(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('callsign __complete -- ');
  });
});
