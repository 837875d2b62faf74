/** Completion in a real shell, and the names that it must not offer. */

import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { BIN } from '../command.js';
import { plain } from '../gateway-process.js';
import { Home, unpainted } from './callsign.js';

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

/** A shell at a terminal, in which `callsign` is a program of the PATH. */
function typing(home: Home): { shows(pattern: RegExp): Promise<void>; type(keys: string): void } {
  const program = home.write(
    'bin/callsign',
    `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  const path = `${dirname(program)}:${process.env['PATH'] ?? ''}`;
  const env = home.env({ PATH: path, PS1: '', INPUTRC: '/dev/null', HISTFILE: '' });
  const line = 'stty cols 200 rows 40; exec bash --norc --noprofile -i';
  const shell = spawn('script', ['-qec', line, '/dev/null'], { cwd: home.work, env });
  onTestFinished(() => void shell.kill('SIGKILL'));
  let screen = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  return {
    type: (keys) => void shell.stdin.write(keys),
    shows: (pattern) => expect.poll(() => unpainted(screen)).toMatch(pattern),
  };
}

describe('the Tab key in bash', () => {
  it('completes commands, flags, servers, tools and sets', async () => {
    const home = new Home();
    home.configure({ plain: plain(), hostile }, { sets: { release: { servers: ['plain'] } } });
    await home.run(['tools']);
    const { type, shows } = typing(home);
    type('eval "$(callsign completion bash)"; echo REA""DY\r');
    await shows(/READY/);
    // Each line is typed in part, completed, and then thrown away (Ctrl-U).
    for (const [typed, whole] of [
      ['uninst', 'callsign uninstall '],
      ['config acc', 'callsign config accept '],
      ['tools --ins', 'callsign tools --instructions '],
      ['get pl', 'callsign get plain '],
      ['call plain:add_t', 'callsign call plain:add_tool '],
      ['connect --set rel', 'callsign connect --set release '],
      ['add x/y --use py', 'callsign add x/y --use pypi '],
    ] as const) {
      type(`callsign ${typed}\t`);
      await shows(new RegExp(`${whole}$`));
      type('\u0015');
    }
  });
});

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
    expect(await complete('search', '--risk', '')).toEqual(['destructive', 'read', 'write']);
    expect(await complete('trust', 'plain', '')).toEqual(['checked', 'full', 'none']);
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
