/** How the command behaves with pipes, terminals, scripts and untrusted text. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { BIN } from '../command.js';
import { plain } from '../gateway-process.js';
import { Home } from './callsign.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const hostile = { command: process.execPath, args: [join(ROOT, 'test/e2e/cli/hostile-child.mjs')] };

/** All control characters of a terminal, except line breaks and tabs. */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/;

describe('errors', () => {
  it('are sentences for people', async () => {
    const home = new Home();
    home.write(
      'work/broken.json',
      '{"mcpServers": {"a": {"comand": "x"}, "b": {"command": "${NOWHERE}"}}}',
    );
    const lines: string[] = [];
    const commands = [
      ['list'],
      ['lst'],
      ['list', '--jsn'],
      ['list', 'extra'],
      ['get'],
      ['list', '--', 'x'],
      ['validate', join(home.work, 'broken.json')],
      ['install', '--client', 'nobody'],
      ['completion', 'tcsh'],
      ['import', 'nobody.json'],
    ];
    for (const args of commands) {
      const { code, stdout, stderr } = await home.run(args);
      expect({ args, stdout }).toEqual({ args, stdout: '' });
      lines.push(`$ callsign ${args.join(' ')}`, stderr.trimEnd(), `(${code})`, '');
    }
    await expect(home.tidy(lines.join('\n'))).toMatchFileSnapshot(join(GOLDEN, 'errors.txt'));
  });

  it.each([
    [['list'], 6, 'no-config'],
    [['lst'], 1, 'usage'],
    [['list', '--jsn'], 1, 'usage'],
    [['call', 'x:y'], 6, 'no-config'],
  ])('are one line of JSON for programs: %s', async (args, code, error) => {
    const ended = await new Home().run([...args, '--json']);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr.trim().split('\n').length).toBe(1);
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: error } });
  });
});

describe('output', () => {
  /** Their list is larger than a pipe holds. */
  function withManyServers(): Home {
    const home = new Home();
    const servers = Array.from({ length: 4_000 }, (_, i) => [
      `server-${i}`,
      { command: 'x'.repeat(40) },
    ]);
    home.configure(Object.fromEntries(servers) as Record<string, object>);
    return home;
  }

  it('is whole for a reader that begins late', async () => {
    const home = withManyServers();
    const { stdout } = await home.run(['list']);
    const late = await home.shell('callsign list | (sleep 3; cat); echo "${PIPESTATUS[@]}"');
    expect(stdout.length).toBeGreaterThan(2 * 65_536);
    expect(late.stdout).toBe(`${stdout}0 0\n`);
  });

  it('does not keep a command alive that was asked to end', async () => {
    const home = new Home();
    home.configure({ plain: plain() });
    const child = spawn(process.execPath, [BIN, 'serve', '--stdio', '--config', 'callsign.json'], {
      cwd: home.work,
      env: home.env(),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const say = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    say({ id: 1, method: 'initialize', params });
    await once(child.stdout, 'readable');
    child.stdout.read();
    // The answer is larger than the pipe, and only its beginning is read.
    const text = 'x'.repeat(3_000_000);
    say({ id: 2, method: 'tools/call', params: { name: 'plain:echo', arguments: { text } } });
    await once(child.stdout, 'readable');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('ends quietly when the reader has gone', async () => {
    const home = withManyServers();
    const { code, stdout, stderr } = await home.shell(
      'set -o pipefail; callsign list | head -2; echo "codes ${PIPESTATUS[@]}"',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^SERVER .*\nserver-0 .*\ncodes 0 0\n$/);
  });

  it('has colours in a terminal, unless they are switched off', async () => {
    const home = new Home();
    home.configure({ a: { command: 'x' } });
    const shown = async (env: Record<string, string>) => {
      const { stdout } = await home.run(['list'], { env, columns: 100 });
      return stdout.includes('\x1b[1ma\x1b[22m');
    };
    expect(await shown({})).toBe(true);
    expect(await shown({ NO_COLOR: '1' })).toBe(false);
    expect(await shown({ TERM: 'dumb' })).toBe(false);
    expect((await home.run(['list'])).stdout).not.toContain('\x1b');
    const forced = await home.run(['list'], { env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain('\x1b[1ma\x1b[22m');
  });

  it('fits the width of a terminal, and is not cut in a pipe', async () => {
    const home = new Home();
    home.configure({
      long: { command: 'program', args: ['word '.repeat(40)] },
      読む: { command: '広い文字'.repeat(20) },
    });
    for (const columns of [24, 60]) {
      const { stdout } = await home.run(['list'], { columns, env: { NO_COLOR: '1' } });
      await expect(stdout).toMatchFileSnapshot(join(GOLDEN, `list-${columns}-columns.txt`));
    }
    expect((await home.run(['list'])).stdout).toContain('広い文字'.repeat(20));
  });

  it('contains no control characters of a server', async () => {
    const home = new Home();
    home.configure({ hostile });
    const commands = [
      ['tools'],
      ['tools', '--json'],
      ['names', '--profile', 'cursor'],
      ['search', 'line'],
      ['call', 'hostile:say'],
      ['call', 'hostile:say', '--json'],
      ['call', 'hostile:say', 'fail=true'],
      ['call', 'hostile:wip'],
      ['lint', 'hostile'],
      ['doctor'],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await home.run(args);
      expect(stdout + stderr).not.toBe('');
      expect({ args, obeyed: OBEYED.test(stdout + stderr) }).toEqual({ args, obeyed: false });
    }
    const { stdout } = await home.run(['call', 'hostile:say']);
    expect(stdout).toContain('said \\u001b[2J');
    const { stdout: json } = await home.run(['call', 'hostile:say', '--json']);
    expect(JSON.parse(json)).toMatchObject({
      content: [{ text: expect.stringMatching(/\u009b/) }],
    });
  });

  it('prints less with --quiet, and flags may come first', async () => {
    const home = new Home();
    home.configure({ plain: plain() });
    expect(await home.run(['-q', 'validate'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await home.run(['--json', 'validate']);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, valid: true, servers: ['plain'] });
  });
});

describe('waiting', () => {
  it('is shown in a terminal after half a second, and removed', async () => {
    const home = new Home();
    home.configure({ slow: plain('--delay-start=1500') });
    const terminal = home.terminal(['tools', 'slow:add', '--refresh']);
    await terminal.shows(/Starting 1 server/);
    expect(await terminal.ended).toBe(0);
    expect(terminal.wasCleared('Starting')).toBe(true);
    expect(terminal.text).toContain('slow:add');
  });

  it('N13: leaves no trace among the lines of doctor --verbose, which does not advise itself', async () => {
    const home = new Home();
    const talk =
      'setInterval(() => console.error("still busy"), 200); setTimeout(process.exit, 1500)';
    home.configure({ slow: { command: process.execPath, args: ['-e', talk] } });
    const terminal = home.terminal(['doctor', '--verbose']);
    await terminal.shows(/Starting 1 server/);
    await terminal.ended;
    expect(terminal.text).toContain('still busy');
    // No text on the line of the spinner, and no line break behind it.
    // oxlint-disable-next-line no-control-regex
    expect(terminal.screen).not.toMatch(/Starting 1 server[^\x1b\r]/);
    expect(terminal.screen).not.toMatch(/Starting 1 server\r?\n/);
    expect(terminal.text).not.toContain('callsign doctor --verbose');
  });

  it('ends with 130 when it is interrupted', async () => {
    const home = new Home();
    home.configure({ slow: plain('--delay-start=60000') });
    const terminal = home.terminal(['tools']);
    await terminal.shows(/Starting 1 server/);
    terminal.type('\x03');
    expect(await terminal.ended).toBe(130);
  });
});
