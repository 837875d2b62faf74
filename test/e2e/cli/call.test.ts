/** `callsign call`: a call from the command line. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { ROOT } from '../../architecture/tree.js';
import { everything as asking, eventually, faulty, plain } from '../gateway-process.js';
import { Home } from './callsign.js';

const everything = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

function withPlain(): Home {
  const home = new Home();
  home.configure({ plain: plain() }, { renamed: { old: 'plain' }, aliases: { sum: 'plain:add' } });
  return home;
}

describe('a call', () => {
  it.each([
    ['typed by the schema', ['plain:add', 'a=1', 'b=2'], '{"sum":3}\n'],
    ['by a name of a client', ['plain__add', 'a=1', 'b:=2'], '{"sum":3}\n'],
    ['by an alias', ['sum', '--args', '{"a": 1, "b": 1}', 'b=2'], '{"sum":3}\n'],
    ['with an object', ['plain:add', '{"a": 1, "b": 2}'], '{"sum":3}\n'],
    [
      'with exact numbers',
      ['plain:echo', 'n:=12345678901234567890', 't=x'],
      '{"n":12345678901234567890,"t":"x"}\n',
    ],
  ])('is made: %s', async (_, args, stdout) => {
    expect(await withPlain().run(['call', ...args])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('takes its arguments from standard input', async () => {
    const ended = await withPlain().run(['call', 'plain:add', '-'], { input: '{"a": 1, "b": 2}' });
    expect(ended).toEqual({ code: 0, stdout: '{"sum":3}\n', stderr: '' });
  });

  it('warns of its own server only, and of all if the tool is not found (M15)', async () => {
    const home = new Home();
    home.configure({ plain: plain(), other: { command: 'x', env: { A: '${NOT_SET}' } } });
    const ended = await home.run(['call', 'plain:add', 'a=1', 'b=2']);
    expect(ended).toEqual({ code: 0, stdout: '{"sum":3}\n', stderr: '' });
    const { stderr } = await home.run(['call', 'other:thing']);
    expect(stderr).toContain('NOT_SET');
  });

  it('gives the raw result to programs', async () => {
    const { code, stdout } = await withPlain().run(['call', 'plain:weird', '--json']);
    expect(code).toBe(0);
    expect(stdout).toContain('"z":12345678901234567890,"a":1.10');
  });

  it('shows what its server printed before it died', async () => {
    const home = new Home();
    const { command, args } = plain();
    // The server ends by itself, and the shell around it says why.
    const script = '"$0" "$@"; echo "Fatal: the database is gone." >&2; exit 3';
    home.configure({ plain: { command: 'sh', args: ['-c', script, command, ...args!] } });
    const { code, stderr } = await home.run(['call', 'plain:crash']);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /it exited with code 3; it said: Fatal: the database is gone\. It is not/,
    );
  });

  it('says that it is not recorded', async () => {
    const home = withPlain();
    home.write('taken', 'a file where the folder of the records should be');
    const folder = join(home.folder, 'taken', 'records');
    home.configure({ plain: plain() }, { audit: { folder } });
    const { code, stdout, stderr } = await home.run(['call', 'plain:add', 'a=1', 'b=2']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"sum":3}\n' });
    expect(stderr).toMatch(/^warning: The journal cannot be written: /m);
  });

  it('says once that nothing is remembered nor recorded', async () => {
    const home = new Home();
    const config = home.configure({ plain: plain() });
    home.write('taken', 'a file where the state folder should be');
    const env = { XDG_STATE_HOME: join(home.folder, 'taken') };
    const args = ['call', 'plain:add', 'a=1', 'b=2', '--config', config];
    const { code, stderr } = await home.run(args, { env });
    expect(code).toBe(0);
    expect(stderr.match(/Lists are not remembered/g)).toHaveLength(1);
    expect(
      stderr.match(/^.*the call is not recorded, approvals .* cannot reach it: .*\n$/),
    ).toHaveLength(1);
  });

  it('of an unknown tool names the servers that did not start', async () => {
    const home = new Home();
    home.configure({ plain: plain(), dead: faulty('exits-at-once') });
    const { code, stderr } = await home.run(['call', 'nobody']);
    expect(code).toBe(1);
    expect(stderr).toContain('did not start, so their tools are not known: "dead".\nTo see all');
  });

  it('says that a name is an old one', async () => {
    const { code, stderr } = await withPlain().run(['call', 'old:add', 'a=1', 'b=2']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: "old:add" is an old name of plain:add; call it plain:add.\n',
    });
  });

  it.each([
    ['an unknown tool', ['plain:ad'], 1, /Tool not found: plain:ad\nDid you mean: plain:add\?/],
    ['a name without a server', ['ad'], 1, /must be prefixed with server key: ad/],
    ['a wrong type', ['plain:add', 'a=x', 'b=2'], 1, /Parameter "a" takes a number\./],
    ['what is missing', ['plain:add', 'a=1'], 1, /Arguments are missing: b=VALUE/],
    ['a word that is not an argument', ['plain:add', 'a'], 1, /"a" is not an argument/],
    ['two objects', ['plain:add', '{"a": 1}', '--args', '{"b": 1}'], 1, /one JSON object/],
    ['arguments that are no object', ['plain:add', '--args', '[1]'], 1, /must be a JSON object/],
    ['a failing tool', ['plain:fail'], 5, /This tool failed/],
    ['an error of the protocol', ['plain:rpc_error'], 5, /plain:rpc_error answered: /],
    ['a server that dies', ['plain:crash'], 4, /Server "plain" did not answer the call/],
  ])('reports %s', async (_, args, code, message) => {
    const ended = await withPlain().run(['call', ...args]);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('gives a failing tool’s result and one line of error to programs', async () => {
    const { code, stdout, stderr } = await withPlain().run(['call', 'plain:fail', '--json']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true });
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { error: { code: 'tool-error', message: 'This tool failed, as it was asked to.' } },
    ]);
  });

  it('of a server that does not start has its own exit code', async () => {
    const home = new Home();
    const refusing = createServer((_, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => void refusing.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void refusing.close());
    const { port } = refusing.address() as AddressInfo;
    home.configure({
      bad: faulty('exits-at-once'),
      locked: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
    });
    const bad = await home.run(['call', 'bad:x']);
    expect(bad).toMatchObject({ code: 4, stderr: expect.stringMatching(/did not start/) });
    const locked = await home.run(['call', 'locked:x', '--json']);
    expect(locked).toMatchObject({ code: 3, stdout: '' });
    expect(JSON.parse(locked.stderr)).toMatchObject({ error: { code: 'authentication' } });
  });

  it('is denied by the policy', async () => {
    const home = new Home();
    const rules = [
      { match: 'plain:add', when: 'args.a == 1', decision: 'deny', reason: 'Not one.' },
    ];
    home.configure({ plain: plain() }, { policy: { rules } });
    expect(await home.run(['call', 'plain:add', 'a=2', 'b=2'])).toMatchObject({ code: 0 });
    const denied = await home.run(['call', 'plain:add', 'a=1', 'b=2', '--json']);
    expect(denied).toMatchObject({ code: 7, stdout: '' });
    expect(JSON.parse(denied.stderr)).toMatchObject({
      error: { code: 'policy-denied', message: expect.stringContaining('Not one.') as string },
    });
    home.configure({ plain: plain() }, { policy: { read: 'confirm' } });
    const unasked = await home.run(['call', 'plain:add', 'a=1', 'b=2']);
    expect(unasked).toMatchObject({ code: 7, stdout: '' });
  });

  it('says that the configuration hides a tool, and how to see why', async () => {
    const home = new Home();
    const rules = [{ match: 'plain:add', decision: 'deny' }];
    home.configure({ plain: plain() }, { policy: { rules } });
    expect(await home.run(['call', 'plain:add', 'a=1', 'b=2'])).toEqual({
      code: 7,
      stdout: '',
      stderr:
        'Your configuration does not offer plain:add.\nTo see why: callsign policy test plain:add\n',
    });
    const why = await home.run(['policy', 'test', 'plain:add']);
    expect(why).toMatchObject({ code: 7, stdout: expect.stringContaining('policy.rules[0]') });
  });

  it.each([{ disabledTools: ['add'] }, { includeTools: ['echo'] }])(
    'says that the entry of the server does not offer the tool: %j',
    async (lists) => {
      const home = new Home();
      home.configure({ plain: { ...plain(), ...lists } });
      for (let time = 0; time < 2; time++) {
        expect(await home.run(['call', 'plain:add', 'a=1', 'b=2'])).toMatchObject({
          code: 7,
          stdout: '',
          stderr: 'mcpServers.plain in your file does not offer add. See its lists of tools.\n',
        });
      }
    },
  );

  it('starts only the server that it is for', async () => {
    const home = new Home();
    const started = join(home.folder, 'started');
    home.configure({
      plain: plain(),
      other: { command: 'sh', args: ['-c', `touch "${started}"`] },
    });
    expect(await home.run(['call', 'plain:add', 'a=1', 'b=2'])).toMatchObject({ code: 0 });
    expect(await home.run(['call', 'plain:ad'])).toMatchObject({ code: 1 });
    expect(existsSync(started)).toBe(false);
  });

  it('puts pictures into files', async () => {
    const home = new Home();
    home.configure({ every: { command: process.execPath, args: [everything, 'stdio'] } });
    const { stdout } = await home.run(['call', 'every:get-tiny-image'], {
      env: { TMPDIR: home.folder },
    });
    const [, file = ''] = /image: (.+\.png)/.exec(stdout) ?? [];
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
  });

  it('is cancelled at its server when it is interrupted', async () => {
    const home = new Home();
    const log = join(home.folder, 'seen');
    const entry = plain();
    const line = `tee -a "${log}" | exec "$0" "$@"`;
    home.configure({
      plain: { command: 'sh', args: ['-c', line, entry.command, ...entry.args!] },
    });
    await home.run(['tools']);
    const child = spawn(process.execPath, [BIN, 'call', 'plain:sleep', 'ms=60000'], {
      cwd: home.work,
      env: home.env(),
      stdio: 'ignore',
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await eventually(() => readFileSync(log, 'utf8').includes('"sleep"'));
    child.kill('SIGINT');
    expect(await exited).toBe(130);
    expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled');
  });
});

describe('a call at a terminal', () => {
  it('asks for what is missing', async () => {
    const home = withPlain();
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'plain:add', 'a=1']);
    await terminal.shows(/b \(number/);
    terminal.type('x\r');
    await terminal.shows(/It takes a number/);
    terminal.type('\x7f41\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toContain('"sum": 42');
  });

  it('shows the progress of a tool, and removes it in the end', async () => {
    const home = withPlain();
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'plain:progress', 'steps=20', 'ms=100']);
    await terminal.shows(/\[#+\.+\]/);
    expect(await terminal.ended).toBe(0);
    expect(terminal.wasCleared('[#')).toBe(true);
  });

  it('answers what the server asks', async () => {
    const home = withPlain();
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'plain:ask', 'kind=elicitation', 'message=Sure?']);
    await terminal.shows(/Question: Sure\?/);
    await terminal.shows(/◆/);
    terminal.type('indeed\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toMatch(/"action": "accept"[\s\S]*indeed/);
  });

  it('fills in the defaults of a question, and leaves out what was erased', async () => {
    const home = new Home();
    home.configure({ kid: asking() });
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'kid:test_elicitation_sep1034_defaults']);
    for (const field of [/name .*John Doe/s, /age .*30/s, /score .*95.5/s, /active/, /Yes/]) {
      await terminal.shows(field);
      terminal.type(field.source.startsWith('age') ? '\x15\r' : '\r');
    }
    expect(await terminal.ended).toBe(0);
    const content = /content=(\{.*?\})/s.exec(terminal.text)?.[1]?.replace(/[│\s\\]/g, '');
    expect(content).toBe('{"name":"JohnDoe","score":95.5,"status":"active","verified":true}');
  });

  it('leaves out optional fields of a question by Enter alone, and shows titles', async () => {
    const home = new Home();
    home.configure({ kid: asking() });
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'kid:test_elicitation_sep1330_enums']);
    await terminal.shows(/Leave it out/);
    terminal.type('\r');
    await terminal.shows(/Second Option/);
    terminal.type('\x1b[B\x1b[B\r');
    await terminal.shows(/Option Three/);
    terminal.type('\r');
    for (const field of [/untitledMulti .*Enter leaves it out/s, /\stitledMulti .*Enter leaves/s]) {
      await terminal.shows(field);
      terminal.type('\r');
    }
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toMatch(/accept[\s\S]*\{\W*titledSingle\W*value2\W*\}/);
  });

  it('asks about the calls of a script, and for numbers only if they are wanted', async () => {
    const home = new Home();
    const annotations = { 'plain:echo': { preset: 'WRITE_DESTRUCTIVE' } };
    home.configure({ plain: plain() }, { scripts: {}, annotations });
    await home.run(['tools']);
    const code = 'for (const i of [1, 2]) await tools.plain.echo({ i }); return "done"';
    const call = ['call', 'callsign:run', `code=${code}`, 'purpose=Try'];
    const all = home.terminal(call);
    await all.shows(/Yes, all 2 calls/);
    all.type('\x1b[B\r');
    expect(await all.ended).toBe(0);
    expect(all.text).not.toContain('Only these calls');
    expect(all.text).toContain('done');
    const some = home.terminal(call);
    await some.shows(/Yes, all 2 calls/);
    some.type('\x1b[B\x1b[B\r');
    await some.shows(/Only these calls/);
    some.type('1\r');
    expect(await some.ended).toBe(5);
    expect(some.text).toContain('but not this one');
  });

  it('asks what the policy wants to be asked', async () => {
    const home = new Home();
    home.configure({ plain: plain() }, { policy: { read: 'confirm' } });
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'plain:add', 'a=1', 'b=2']);
    await terminal.shows(/Yes, this once/);
    terminal.type('\x1b[B\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toContain('"sum": 3');
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('ends with 130 when it is interrupted: %s', async (_, key) => {
    const home = withPlain();
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'plain:add', 'a=1']);
    await terminal.shows(/b \(number/);
    terminal.type(key);
    expect(await terminal.ended).toBe(130);
    // The cursor is shown again.
    expect(terminal.screen.lastIndexOf('\x1b[?25h')).toBeGreaterThan(
      terminal.screen.lastIndexOf('\x1b[?25l'),
    );
  });

  it('asks on a terminal that does not know its width', async () => {
    const home = withPlain();
    await home.run(['tools']);
    const terminal = home.terminal(['call', 'plain:add', 'a=1'], { columns: 0 });
    await terminal.shows(/b \(number/);
    terminal.type('2\r');
    expect(await terminal.ended).toBe(0);
  });
});
