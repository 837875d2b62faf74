/** Which configuration is used, and how a configuration of the current folder is accepted. */

import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { shellWord } from '@callsign/config';
import { describe, expect, it } from 'vitest';

import { CallsignProcess, child, PLAIN } from '../serve/callsign-process.js';
import { until } from '../serve/until.js';
import { CAN_MOUNT, SmallDisk } from '../../testing/small-disk.js';
import { Home } from './callsign.js';

const plainChild = () => child(PLAIN);
const USER = '.config/callsign/callsign.json';
const FOLDER = 'work/callsign.json';
const GIVEN = 'given.json';

/** The first message of a client. */
const GREETING = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
})}\n`;

const text = (key: string, entry: object = { command: 'x' }) =>
  JSON.stringify({ mcpServers: { [key]: entry } });

/** Writes a file that was not accepted. */
function notAccepted(home: Home, entry: object): string {
  const file = join(home.work, 'callsign.json');
  writeFileSync(file, text('theirs', entry));
  return file;
}

/** A server that leaves a trace if it is started. */
function traced(home: Home) {
  const trace = join(home.folder, 'was-started');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); process.exit(1)`;
  return {
    entry: { command: process.execPath, args: ['-e', script] },
    wasStarted: () => existsSync(trace),
  };
}

async function keysOf(home: Home, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await home.run(['list', '--json', ...args]);
  expect(code, stderr).toBe(0);
  const { servers } = JSON.parse(stdout) as { servers: { key: string }[] };
  return servers.map(({ key }) => key);
}

describe('N7: the configuration', () => {
  it("is the one of the flag, else the folder's, else the user's; nothing is merged", async () => {
    const home = new Home();
    home.write(USER, text('user'));
    expect(await keysOf(home)).toEqual(['user']);
    home.write(FOLDER, text('folder'));
    expect(await keysOf(home)).toEqual(['folder']);
    home.write(GIVEN, text('given'));
    expect(await keysOf(home, '--config', join(home.folder, GIVEN))).toEqual(['given']);
    expect(await keysOf(home, '--config', '~/given.json')).toEqual(['given']);
  });

  it("is looked for where the user's folder of configurations is", async () => {
    const home = new Home();
    home.write('elsewhere/callsign/callsign.json', text('moved'));
    const env = { XDG_CONFIG_HOME: join(home.folder, 'elsewhere') };
    const { stdout } = await home.run(['list', '--json'], { env });
    expect(stdout).toContain('"moved"');
  });

  it('is the one of the flag in a folder that was removed', async () => {
    const home = new Home();
    const file = home.write('other.json', text('named', plainChild()));
    const line = `mkdir gone; cd gone; rmdir ../gone; callsign list --json --config '${file}'`;
    const { code, stdout } = await home.shell(line);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('"named"') });
  });

  it("is served from the user's folder, in any current folder", async () => {
    const home = new Home();
    home.write(USER, text('plain', plainChild()));
    const { code, stdout } = await home.run(['serve'], { input: GREETING });
    expect(code).toBe(0);
    expect(stdout).toContain('"serverInfo"');
  });
});

describe('V13: a callsign.json of the current folder that was not accepted', () => {
  it.each([
    'tools',
    'doctor',
    'names',
    'search x',
    'lint',
    'call theirs:x',
    'policy test theirs:x',
    'lock status',
    'labels',
    'serve',
    'serve --stdio',
    'serve --http 0',
  ])('is not run by callsign %s', async (line) => {
    const home = new Home();
    const { entry, wasStarted } = traced(home);
    const file = notAccepted(home, entry);
    const { code, stdout, stderr } = await home.run(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain('callsign config accept');
    expect(stderr).toContain(`--config ${shellWord(file)}`);
    expect(wasStarted()).toBe(false);
  });

  it.runIf(CAN_MOUNT)('is not accepted on a full disk, and the message says so', async () => {
    const home = new Home();
    const file = notAccepted(home, plainChild());
    const disk = new SmallDisk();
    disk.fill();
    const env = { XDG_STATE_HOME: disk.folder };
    expect(await home.run(['config', 'accept'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `The acceptance of ${file} cannot be stored in ${disk.folder}/callsign (ENOSPC). ` +
        'To correct this, free some space on that disk.\n',
    });
    expect(await home.run(['tools'], { env })).toMatchObject({ code: 6, stdout: '' });
    disk.free();
    expect(await home.run(['config', 'accept'], { env })).toMatchObject({ code: 0 });
    expect(await home.run(['tools'], { env })).toMatchObject({ code: 0 });
  });

  it('is run after callsign config accept, until it changes', async () => {
    const home = new Home();
    notAccepted(home, plainChild());
    expect(await home.run(['config', 'accept'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('theirs: '),
    });
    expect(await home.run(['tools'])).toMatchObject({ code: 0 });
    const { entry, wasStarted } = traced(home);
    notAccepted(home, entry);
    expect(await home.run(['tools', '--json'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('config-not-accepted'),
    });
    expect(wasStarted()).toBe(false);
  });

  it('is run with --config, which accepts it once', async () => {
    const home = new Home();
    const file = notAccepted(home, plainChild());
    expect(await home.run(['tools', '--config', file])).toMatchObject({ code: 0 });
    expect(await home.run(['tools'])).toMatchObject({ code: 6 });
    // A client gets no answer either, although the file is known to be valid now.
    const given = await home.run(['serve', '--config', file], { input: GREETING });
    expect(given).toMatchObject({ code: 0, stdout: expect.stringContaining('serverInfo') });
    const found = await home.run(['serve'], { input: GREETING });
    expect(found).toMatchObject({ code: 6, stdout: '' });
  });

  it('is asked about at a terminal, with what it starts and without its secrets', async () => {
    const home = new Home();
    const { command, args } = plainChild();
    // `env` sets the variable here, so that the token is part of the command line.
    notAccepted(home, { command: 'env', args: ['API_TOKEN=hunter2', command, ...args] });
    const no = home.terminal(['tools']);
    await no.shows(/Do you trust this file/);
    expect(no.text).toContain('theirs: ');
    expect(no.text).not.toContain('hunter2');
    no.type('n');
    expect(await no.ended).toBe(6);
    const yes = home.terminal(['tools']);
    await yes.shows(/Do you trust this file/);
    yes.type('y');
    expect(await yes.ended).toBe(0);
    expect(await home.run(['tools'])).toMatchObject({ code: 0 });
  });

  it.each([['tools'], ['doctor'], ['serve', '--http', '0']])(
    'is not accepted by a yes to what callsign %s showed before a change',
    async (...args) => {
      const home = new Home();
      notAccepted(home, plainChild());
      const terminal = home.terminal(args);
      await terminal.shows(/Do you trust this file/);
      const { entry, wasStarted } = traced(home);
      notAccepted(home, entry);
      terminal.type('y');
      if (args[0] === 'serve') {
        await terminal.shows(/127\.0\.0\.1:\d+\/mcp/);
        await terminal.shows(/was\s+not\s+accepted/);
        terminal.type('\x03');
      }
      await terminal.ended;
      expect(wasStarted()).toBe(false);
      expect(await home.run(['tools'])).toMatchObject({ code: 6 });
    },
  );

  it('is shown with all that it runs', async () => {
    const home = new Home();
    const docs = {
      command: 'sh',
      args: ['-c', 'token=1; touch /tmp/x; exec cat'],
      env: { NODE_OPTIONS: '--require ./evil.cjs', API_KEY: 'hush' },
      cwd: './there',
    };
    const callsign = { modules: [{ use: './m.mjs' }], stores: [{ use: './s.mjs' }] };
    const file = join(home.work, 'callsign.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { docs }, callsign }));
    const { stdout } = await home.run(['config', 'accept']);
    expect(stdout.trim().split('\n')).toEqual([
      "docs: sh -c 'token=1; touch /tmp/x; exec cat'",
      'docs: in the folder ./there',
      'docs: with NODE_OPTIONS, which can load code',
      'module: ./m.mjs',
      'store: ./s.mjs',
    ]);
  });

  it('is shown with the place of each variable, in the question and in JSON (W1)', async () => {
    const home = new Home();
    const url = 'http://127.0.0.1:9/mcp';
    const docs = { url, headers: { 'X-Trace': '${AWS_SECRET_ACCESS_KEY}' } };
    const storage = { postgres: 'postgres://${AWS_SECRET_ACCESS_KEY}@127.0.0.1:9/db' };
    const callsign = { storage, audit: { folder: './there' } };
    const file = join(home.work, 'callsign.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { docs }, callsign }));
    const env = { AWS_SECRET_ACCESS_KEY: 'hunter2' };
    const asked = home.terminal(['tools'], { env });
    await asked.shows(/Do you trust this file/);
    const shown = asked.text.replace(/\s+/g, ' ');
    expect(shown).toContain(`AWS_SECRET_ACCESS_KEY → header X-Trace of docs, sent to ${url}`);
    expect(shown).toContain('callsign.audit.folder: ./there');
    expect(shown).not.toContain('hunter2');
    asked.type('n');
    expect(await asked.ended).toBe(6);
    const { stdout } = await home.run(['config', 'accept', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      starts: [`docs: ${url}`],
      settings: [
        'callsign.storage.postgres: postgres://***@127.0.0.1:9/db',
        'callsign.audit.folder: ./there',
      ],
      variables: [
        { name: 'AWS_SECRET_ACCESS_KEY', to: `header X-Trace of docs, sent to ${url}` },
        {
          name: 'AWS_SECRET_ACCESS_KEY',
          to: 'the setting callsign.storage.postgres: postgres://***@127.0.0.1:9/db',
        },
      ],
    });
  });

  it('is asked about by serve --http at a terminal', async () => {
    const home = new Home();
    notAccepted(home, plainChild());
    const terminal = home.terminal(['serve', '--http', '0']);
    await terminal.shows(/Do you trust this file/);
    expect(terminal.text).not.toContain('listens on');
    terminal.type('y');
    await terminal.shows(/127\.0\.0\.1:\d+\/mcp/);
    terminal.type('\x03');
    expect(await terminal.ended).toBe(130);
  });

  it('is not accepted by a command that changes it', async () => {
    const home = new Home();
    const { entry, wasStarted } = traced(home);
    notAccepted(home, entry);
    expect(await home.run(['add', 'mine', '--', 'x'])).toMatchObject({ code: 0 });
    expect(await home.run(['tools'])).toMatchObject({ code: 6 });
    expect(wasStarted()).toBe(false);
  });

  it('is not accepted by the same text in another folder', async () => {
    const home = new Home();
    home.write(FOLDER, text('a', plainChild()));
    const other = new Home();
    const elsewhere = join(other.work, 'callsign.json');
    writeFileSync(elsewhere, readFileSync(join(home.work, 'callsign.json')));
    const env = { XDG_STATE_HOME: home.env()['XDG_STATE_HOME']! };
    expect(await home.run(['tools'])).toMatchObject({ code: 0 });
    expect(await other.run(['tools'], { env })).toMatchObject({ code: 6 });
  });

  it('is accepted if our own commands wrote it, each change included', async () => {
    const home = new Home();
    const { command, args } = plainChild();
    const add = ['add', 'mine', '--config', 'callsign.json', '--', command, ...args];
    expect(await home.run(add)).toMatchObject({ code: 0 });
    expect(await home.run(['trust', 'mine', 'full'])).toMatchObject({ code: 0 });
    expect(await home.run(['config', 'fmt'])).toMatchObject({ code: 0 });
    expect(await home.run(['tools'])).toMatchObject({ code: 0 });
  });

  it("need not be accepted if it is the user's own, even through a link", async () => {
    const home = new Home();
    home.write(USER, text('mine', plainChild()));
    symlinkSync(join(home.folder, USER), join(home.work, 'callsign.json'));
    expect(await home.run(['tools'])).toMatchObject({ code: 0 });
  });

  it('does not replace what a running gateway serves', async () => {
    const home = new Home();
    const file = home.write(FOLDER, text('mine', plainChild()));
    const gateway = new CallsignProcess(['serve', '--http', '0', '--verbose'], {
      cwd: home.work,
      env: home.env(),
    });
    await gateway.url();
    const { entry, wasStarted } = traced(home);
    writeFileSync(file, text('theirs', entry));
    await until(() => gateway.stderr.includes('was not accepted'));
    expect(await home.run(['config', 'accept'])).toMatchObject({ code: 0 });
    expect(await home.run(['reload'])).toMatchObject({ code: 0 });
    await until(wasStarted);
  });
});
