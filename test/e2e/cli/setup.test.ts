/** `callsign setup`: from the servers of clients to clients that use Callsign, and back. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { readJson } from '@callsign/config';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { readAnyFile } from '../../../packages/cli/src/clients/files/client-file.js';
import { child, PLAIN } from '../serve/callsign-process.js';
import { LineClient } from '../serve/line-client.js';
import { until } from '../serve/until.js';
import { Home } from './callsign.js';
import { recorded, written } from './recorded-server.js';

const CONFIG = '.config/callsign/callsign.json';
const CURSOR = '.cursor/mcp.json';
const CLAUDE = '.claude.json';
const VSCODE = '.config/Code/User/mcp.json';
const PROJECT = 'work/.mcp.json';

let home: Home;
let before: Readonly<Record<string, string>>;
const read = (path: string) => readFileSync(join(home.folder, path), 'utf8');
const keysIn = (path: string) => readAnyFile(path, home.folder).map(({ key }) => key);
const configured = () =>
  (readJson(read(CONFIG)) as { mcpServers: Record<string, { env?: object }> }).mcpServers;

beforeEach(() => {
  home = new Home();
  const memory = recorded('memory');
  const secretive = { ...child(PLAIN), env: { TOKEN: '${SETUP_TOKEN}' } };
  const file = (servers: object) => `${JSON.stringify({ mcpServers: servers }, null, 4)}\n`;
  home.write(CURSOR, file({ memory, secretive }).replace('{\n', '{ // mine\n'));
  home.write(CLAUDE, file({ memory: { type: 'stdio', ...memory } }));
  home.write(PROJECT, file({ theirs: child(PLAIN) }));
  before = Object.fromEntries([CURSOR, CLAUDE, PROJECT].map((path) => [path, read(path)]));
});

/** The client's file works: what it starts is Callsign, and it serves the tools. */
async function toolsThrough(path: string): Promise<string[]> {
  const { mcpServers } = readJson(read(path)) as {
    mcpServers: { callsign: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.callsign;
  const started = spawn(command, args, { cwd: '/', env: home.env() });
  onTestFinished(() => void started.kill());
  const client = new LineClient(started.stdout, started.stdin);
  await client.greet();
  // A server may still be starting when the first list is asked for.
  await until(async () => (await client.toolNames()).length > 0);
  return client.toolNames();
}

async function undone(): Promise<void> {
  expect(await home.run(['uninstall', '--all'])).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(before)) expect(read(path)).toBe(text);
  expect(existsSync(join(home.folder, `${CURSOR}.callsign-backup`))).toBe(false);
}

describe('callsign setup', () => {
  it('does everything with --yes, without a terminal, and uninstall restores every byte', async () => {
    const { code, stdout, stderr } = await home.run(['setup', '--yes']);
    expect(code, stderr).toBe(0);
    expect(Object.keys(configured())).toEqual(['memory', 'secretive']);
    expect(statSync(join(home.folder, CONFIG)).mode & 0o777).toBe(0o600);
    // The variable of "secretive" is not set, so the client keeps it.
    expect([keysIn(CURSOR), keysIn(CLAUDE), keysIn(PROJECT)]).toEqual([
      ['secretive', 'callsign'],
      ['callsign'],
      ['theirs'],
    ]);
    // The labels of all tools, before anything depends on them.
    expect(stdout).toMatch(/SERVER +TOOLS +READ +WRITE +DESTRUCTIVE/);
    expect(stdout).toMatch(/memory +9 /);
    expect(stderr).toContain('moved out, because Callsign serves them: memory\n');
    expect(stderr).toContain(
      'stays there, because Callsign cannot serve it: ' +
        'secretive (needs the environment variable SETUP_TOKEN, which is not set)\n',
    );
    expect(stderr).toContain('callsign uninstall --all');
    expect(await toolsThrough(CLAUDE)).toContain('memory:read_graph');
    await undone();
  });

  it('V16: writes a schema that editors find without the network', async () => {
    await home.run(['setup', '--yes', '--no-start']);
    const { $schema } = readJson(read(CONFIG)) as { $schema: string };
    const schema = readFileSync(join(home.folder, '.config/callsign', $schema), 'utf8');
    expect(JSON.parse(schema)).toMatchObject({ title: 'Callsign configuration' });
  });

  it('lists in a dry run what the real run then does', async () => {
    home.write(VSCODE, '{ broken');
    const dry = await home.run(['setup', '--yes', '--dry-run', '--json']);
    const { stderr } = await home.run(['setup', '--yes', '--dry-run']);
    expect(stderr).toContain(`Callsign would be added to Cursor: ${join(home.folder, CURSOR)}\n`);
    expect(stderr).toContain('these would be removed: memory\n');
    expect(stderr).toContain('stays there, because Callsign cannot serve it: secretive (needs');
    expect(stderr).not.toContain('would be added to VS Code');
    for (const [path, text] of Object.entries(before)) expect(read(path)).toBe(text);
    const real = await home.run(['setup', '--yes', '--no-start', '--json']);
    const listed = ({ stdout }: typeof real) =>
      (JSON.parse(stdout) as { clients: Record<string, unknown>[] }).clients.map(
        ({ client, moved, kept, others }) => ({ client, moved, kept, others }),
      );
    expect(listed(dry)).toEqual(listed(real));
    expect(listed(real).map(({ client }) => client)).toEqual(['claude-code', 'cursor']);
  });

  it('does not announce clients in a dry run if no server could be served', async () => {
    home.write(CURSOR, '{"mcpServers": {"a": {"command": "x", "env": {"T": "${NOT_SET}"}}}}');
    home.write(CLAUDE, '{}');
    const { code, stderr } = await home.run(['setup', '--yes', '--dry-run']);
    expect(code).toBe(0);
    expect(stderr).toContain('your clients would be left as they are');
    expect(stderr).not.toContain('Callsign would be added');
  });

  it('V13: asks about servers of a project, and leaves them out unless told', async () => {
    const { stdout } = await home.run(['setup', '--yes', '--dry-run']);
    expect(stdout).toMatch(/theirs +claude-code \(project\) .*left out: it comes from the project/);
    expect(existsSync(join(home.folder, CONFIG))).toBe(false);
    await home.run(['setup', '--yes', '--project', '--no-start']);
    expect(Object.keys(configured())).toContain('theirs');
  });

  it('asks at a terminal: project, servers, a variable, labels, clients, moving, a policy (M4, M17)', async () => {
    const terminal = home.terminal(['setup']);
    await terminal.shows(/has 1 server of its own\. Import them\?/);
    terminal.type('n');
    await terminal.shows(/Which servers should Callsign serve\?/);
    terminal.type('\r');
    await terminal.shows(/SETUP_TOKEN is not set, and secretive needs it/);
    terminal.type('\x1b[B\r');
    await terminal.shows(/The value of SETUP_TOKEN/);
    terminal.type('hush-hush\r');
    await terminal.shows(/tokens in plain text: secretive TOKEN/);
    terminal.type('y');
    await terminal.shows(/DESTRUCTIVE/);
    await terminal.shows(/Which clients should use Callsign\?|Accept them\?/);
    if (/Accept them\?/.test(terminal.text)) {
      terminal.type('n');
      await terminal.shows(/Which clients should use Callsign\?/);
    }
    terminal.type('\r');
    await terminal.shows(/from the files of clients\?/);
    terminal.type('y');
    await terminal.shows(/Should Callsign ask before destructive calls\?/);
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    // What happens in a client that cannot ask, and how to decide there.
    expect(terminal.text).toMatch(/they are\s+refused\.[^.]*"Ask\s+me\s+too"/);
    expect(terminal.text).not.toContain('hush-hush');
    // The only token was typed, so no client's file has it.
    expect(terminal.text).not.toMatch(/tokens\s+are\s+still/);
    expect(configured()['secretive']!.env).toEqual({ TOKEN: '${keychain:secretive.TOKEN}' });
    expect(Object.keys(configured())).toEqual(['memory', 'secretive']);
    expect(readJson(read(CONFIG))).toMatchObject({ callsign: { policy: 'careful' } });
    // Also the one whose variable was replaced, so that it is not started twice.
    expect(keysIn(CURSOR)).toEqual(['callsign']);
    await undone();
    // The server with the typed value is recognised, although the variable is still not set.
    for (const args of [['import'], ['setup', '--yes', '--no-start']]) {
      expect(await home.run(args)).toMatchObject({ code: 0 });
      expect(Object.keys(configured())).toEqual(['memory', 'secretive']);
    }
    expect(keysIn(CURSOR)).toEqual(['callsign']);
  });

  it('leaves a server that does not start in the client, and says so (M5)', async () => {
    const dead = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
    home.write(CURSOR, JSON.stringify({ mcpServers: { memory: recorded('memory'), dead } }));
    const { code, stderr } = await home.run(['setup', '--yes']);
    expect(code, stderr).toBe(0);
    expect(keysIn(CURSOR)).toEqual(['dead', 'callsign']);
    expect(stderr).toContain('moved out, because Callsign serves them: memory\n');
    expect(stderr).toMatch(
      /stays there, because Callsign cannot serve it: dead \(it did not start: /,
    );
    home.write(CURSOR, JSON.stringify({ mcpServers: { dead } }));
    const alone = new Home();
    alone.write(CURSOR, JSON.stringify({ mcpServers: { dead } }));
    const none = await alone.run(['setup', '--yes']);
    expect(none.code).toBe(4);
    expect(none.stderr).toContain('started, so your clients were left as they are');
  });

  it('starts every server again in a later run, also one whose tools it remembers (M5)', async () => {
    const dead = written(home, 'dead', [{ name: 'ring', inputSchema: { type: 'object' } }]);
    home.write(CURSOR, JSON.stringify({ mcpServers: { memory: recorded('memory'), dead } }));
    const first = await home.run(['setup', '--yes', '--no-move']);
    expect(first.stdout).toMatch(/dead +1 /);
    // From now on, the server does not start.
    rmSync(join(home.folder, 'dead-tools.json'));
    const { code, stdout, stderr } = await home.run(['setup', '--yes']);
    expect(code, stderr).toBe(0);
    expect(stdout).not.toMatch(/dead +1 /);
    expect(stderr).toContain('Server "dead" did not start: ');
    expect(stderr).toContain('stays there, because Callsign cannot serve it: dead (it did not');
    expect(keysIn(CURSOR)).toEqual(['dead', 'callsign']);
  });

  it('counts only the tools that clients will get (M8)', async () => {
    const off = { ...recorded('memory'), excludeTools: ['read_graph', 'delete_entities'] };
    home.write(CURSOR, JSON.stringify({ mcpServers: { memory: off } }));
    home.write(CLAUDE, '{}');
    const { stdout } = await home.run(['setup', '--yes']);
    expect(stdout).toMatch(/memory +7 /);
  });

  it('explains the counts, names what to restart, and says what comes next (M16, M17)', async () => {
    const { stderr } = await home.run(['setup', '--yes']);
    expect(stderr).toContain('  claimed: the server says so, and nothing contradicts it\n');
    expect(stderr).toContain(
      'There is no policy: every call is allowed. To be asked before destructive calls, write ' +
        `"policy": "careful" under "callsign" in ${join(home.folder, CONFIG)}.\n`,
    );
    expect(stderr).toContain('Next: restart Claude Code, Cursor. Then callsign ');
    const again = await home.run(['setup', '--yes', '--no-start'], { env: { SETUP_TOKEN: 'x' } });
    expect(again.stderr).toContain('Next: restart Cursor. Then callsign ');
    home.write(VSCODE, JSON.stringify({ servers: { memory: recorded('memory') } }));
    expect((await home.run(['import', 'vscode'])).stdout).toContain(
      `left out: it is already there (${join(home.folder, CONFIG)})`,
    );
  });

  it('speaks of npx to people who started it with npx (M17)', async () => {
    const { stderr } = await home.run(['setup', '--yes', '--no-start'], {
      env: { npm_command: 'exec' },
    });
    expect(stderr).toContain("To restore your clients' files: npx callsign ");
  });

  it('serves a server once that two clients call differently, under both names (M10)', async () => {
    home.write(CURSOR, JSON.stringify({ mcpServers: { graph: recorded('memory') } }));
    const { code, stderr } = await home.run(['setup', '--yes']);
    expect(code, stderr).toBe(0);
    expect(Object.keys(configured())).toEqual(['memory']);
    expect(readJson(read(CONFIG))).toMatchObject({ callsign: { renamed: { graph: 'memory' } } });
    expect([keysIn(CURSOR), keysIn(CLAUDE)]).toEqual([['callsign'], ['callsign']]);
    const called = await home.run(['tools', 'show', 'graph:read_graph']);
    expect(called, called.stderr).toMatchObject({ code: 0 });
    expect(called.stdout).toContain('memory:read_graph');
  });

  it('leaves a server that Claude Code keeps for one project with that project (R8)', async () => {
    const local = child(PLAIN);
    const projects = { [home.work]: { mcpServers: { local } } };
    home.write(CLAUDE, JSON.stringify({ mcpServers: { memory: recorded('memory') }, projects }));
    const { stdout, stderr } = await home.run(['setup', '--yes', '--no-start']);
    expect(Object.keys(configured())).toEqual(['memory', 'secretive']);
    expect(stdout).toMatch(/local +claude-code \(project\) .*left out: it comes from the project/);
    expect(stderr).toContain('does not serve: local. To add: callsign ');
    expect(stderr).toMatch(/ import --project\n/);
    expect(readJson(read(CLAUDE))).toMatchObject({ projects });
    await home.run(['import', '--project']);
    expect(Object.keys(configured())).toContain('local');
  });

  it('does not advise to import what cannot be imported (M9)', async () => {
    const fs = { command: 'node', args: ['${workspaceFolder}/fs.mjs'] };
    home.write(CURSOR, JSON.stringify({ mcpServers: { memory: recorded('memory'), fs } }));
    const { stderr } = await home.run(['setup', '--yes', '--no-start']);
    expect(stderr).toContain(
      'stays there, because Callsign cannot serve it: fs ' +
        '(it needs ${workspaceFolder}, which only an editor can fill in)\n',
    );
    expect(stderr).not.toContain('To add:');
  });

  it('moves a server out of a client when its variable is set at last', async () => {
    await home.run(['setup', '--yes', '--no-start']);
    expect(keysIn(CURSOR)).toEqual(['secretive', 'callsign']);
    const env = { SETUP_TOKEN: 'x' };
    const dry = await home.run(['setup', '--dry-run'], { env });
    expect(dry.stderr).toContain('Cursor already has Callsign. Its file would change: ');
    expect(dry.stderr).toContain('Claude Code already has Callsign: ');
    expect(dry.stderr).not.toContain('Callsign would be added');
    const real = await home.run(['setup', '--yes', '--no-start'], { env });
    expect(real.stderr).toContain('Changed the file of Cursor: ');
    expect(keysIn(CURSOR)).toEqual(['callsign']);
    await undone();
  });

  it('uses the defaults of inputs, and leaves servers in the client whose inputs have none', async () => {
    const servers = {
      gh: { ...child(PLAIN), env: { TOKEN: '${input:gh-token}' } },
      every: { ...child(PLAIN), env: { MODE: '${input:mode}' } },
      mem: child(PLAIN),
    };
    const inputs = [
      { id: 'gh-token', type: 'promptString', password: true },
      { id: 'mode', type: 'pickString', options: ['stdio', 'sse'], default: 'stdio' },
    ];
    home.write(VSCODE, JSON.stringify({ inputs, servers }));
    const { code, stdout } = await home.run(['setup', '--yes', '--no-start', '--json']);
    expect(code).toBe(0);
    expect(configured()['every']!.env).toEqual({ MODE: 'stdio' });
    expect(keysIn(VSCODE)).toEqual(['gh', 'callsign']);
    const { clients } = JSON.parse(stdout) as { clients: { client: string }[] };
    expect(clients.find(({ client }) => client === 'vscode')).toMatchObject({
      moved: ['every', 'mem'],
      kept: [{ key: 'gh', reason: expect.stringContaining('GH_TOKEN, which is not set') }],
      others: [],
    });
  });

  it('asked to keep a reference, leaves that server in the client', async () => {
    const terminal = home.terminal(['setup', '--no-start']);
    await terminal.shows(/Import them\?/);
    terminal.type('n');
    await terminal.shows(/Which servers should Callsign serve\?/);
    terminal.type('\r');
    await terminal.shows(/SETUP_TOKEN is not set, and secretive needs it/);
    terminal.type('\r');
    await terminal.shows(/Which clients should use Callsign\?/);
    terminal.type('\r');
    await terminal.shows(/from the files of clients\?/);
    terminal.type('y');
    await terminal.shows(/Should Callsign ask before destructive calls\?/);
    terminal.type('n');
    expect(await terminal.ended).toBe(0);
    expect(keysIn(CURSOR)).toEqual(['secretive', 'callsign']);
    expect(terminal.text).toContain('cannot serve it: secretive (needs');
  });

  it('does not change clients if no server could be served', async () => {
    home.write(CURSOR, '{"mcpServers": {"a": {"command": "x", "env": {"T": "${NOT_SET}"}}}}');
    home.write(CLAUDE, '{}');
    const { code, stderr } = await home.run(['setup', '--yes']);
    expect(code).toBe(6);
    expect(stderr).toContain('your clients were left as they are');
    expect(keysIn(CURSOR)).toEqual(['a']);
  });

  it('says what to do if nothing is found, and if there is no terminal', async () => {
    const bare = new Home();
    for (const args of [['--dry-run'], []]) {
      const { code, stderr } = await bare.run(['setup', '--yes', ...args]);
      expect(code).toBe(0);
      expect(stderr).toContain('There are no servers yet. Next: callsign add NAME -- COMMAND');
    }
    // The file that it wrote is one that other commands accept.
    for (const args of [['validate'], ['tools'], ['lock', 'status'], ['key', 'list']]) {
      const { code, stdout, stderr } = await bare.run(args);
      expect(code, `${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
    }
    expect(await bare.run(['setup'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--yes'),
    });
  });

  it('can be run again, and changes nothing then', async () => {
    await home.run(['setup', '--yes', '--no-start']);
    const after = [CONFIG, CURSOR, CLAUDE].map(read);
    const { code, stdout } = await home.run(['setup', '--yes', '--no-start', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ clients: [{ changed: false }, { changed: false }] });
    expect([CONFIG, CURSOR, CLAUDE].map(read)).toEqual(after);
    await undone();
  });
});
