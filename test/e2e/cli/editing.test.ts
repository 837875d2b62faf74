/** Commands that change a configuration: everything that they were not asked to change stays. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { Home } from './callsign.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const COMMENTED = `{
  // Mine, in my order.
  "mcpServers": {
    "zulu": { "command": "zulu-mcp" }, // first
    "alpha": { "url": "https://alpha.example.com/mcp" }
  },
  "callsign": {
    "annotations": { "zulu:get_*": { "preset": "READ_ONLY_DEFAULT" } }, // all reads
    "servers": { "zulu": { "trust": "full" } },
    "tools": { "deny": ["zulu:delete_*", "*:wipe"] },
    "policy": { "rules": [{ "match": "zulu:*", "decision": "confirm" }] },
    "aliases": { "z": "zulu:get_z" },
    "metrics": { "tools": ["zulu:get_z"] }
  }
}
`;

const config = (home: Home) => readFileSync(join(home.work, 'callsign.json'), 'utf8');

describe('adding a server', () => {
  it('creates a file that only its owner can read, and says what it did', async () => {
    const home = new Home();
    const added = await home.run(['add', 'fs', '-e', 'A=1', '--', 'npx', '-y', 'pkg', '--json']);
    expect({ ...added, stderr: home.tidy(added.stderr) }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Added fs in /HOME/.config/callsign/callsign.json: npx -y pkg --json\n',
    });
    const file = join(home.folder, '.config', 'callsign', 'callsign.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { fs: { command: 'npx', args: ['-y', 'pkg', '--json'], env: { A: '1' } } },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('warns of a program that is not there', async () => {
    const home = new Home();
    home.configure({ other: { command: 'other-mcp' } });
    const added = await home.run(['add', 'mine', '--', 'mine-mcp']);
    expect(added.code).toBe(0);
    expect(added.stderr).toMatch(
      /^Added mine in .*: mine-mcp\nwarning: mine: command: mine-mcp is not on the PATH: install it, /,
    );
    expect(added.stderr).not.toContain('other');
  });

  it('warns of a name that some clients have to change', async () => {
    const home = new Home();
    const { code, stderr } = await home.run(['add', 'bad name!', '--', process.execPath]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /\nwarning: Server key "bad name!" should have only letters, .*To rename it: callsign rename OLD NEW\n$/,
    );
  });

  it.each([
    ['a file', ['node', 'server.mjs']],
    ['a folder', ['npx', '-y', 'pkg', '.']],
    ['a value', ['npx', '-y', 'pkg', '--root=server.mjs']],
  ])('stores where a command runs that names %s there (M12)', async (_, line) => {
    const home = new Home();
    home.write('work/server.mjs', '');
    const [command, ...args] = line;
    const stored = async (): Promise<unknown> => {
      const { code, stdout } = await home.run(['get', 'harbour', '--json']);
      expect(code).toBe(0);
      return (JSON.parse(stdout) as { entry: unknown }).entry;
    };
    const added = await home.run(['add', 'harbour', '--', ...line]);
    expect(added.stderr).toContain(`It runs in ${home.work}, because`);
    expect(await stored()).toEqual({ command, args, cwd: home.work });
    // A file of a project stays usable in every copy of the project.
    home.configure({});
    await home.run(['add', 'harbour', '--', ...line]);
    expect(await stored()).toEqual({ command, args, cwd: '.' });
  });

  it('accepts remote servers with headers, and servers as JSON', async () => {
    const home = new Home();
    home.write('work/callsign.json', '{}');
    const url = 'https://x.example.com/mcp';
    await home.run(['add', 'a', url, '--header', 'Authorization: Bearer ${T}', '-t', 'sse']);
    await home.run(['add-json', 'b', '{"mcpServers": {"b": {"command": "b-mcp"}}}']);
    await home.run(['add-json', 'c', '{"url": "https://c.example.com"}']);
    expect(JSON.parse(config(home))).toEqual({
      mcpServers: {
        a: { type: 'sse', url, headers: { Authorization: 'Bearer ${T}' } },
        b: { command: 'b-mcp' },
        c: { url: 'https://c.example.com' },
      },
    });
  });

  it('keeps comments and order', async () => {
    const home = new Home();
    home.write('work/callsign.json', COMMENTED);
    await home.run(['add', 'new', '--', 'new-mcp']);
    const added =
      '"https://alpha.example.com/mcp" },\n    "new": {\n      "command": "new-mcp"\n    }\n';
    expect(config(home)).toBe(COMMENTED.replace('"https://alpha.example.com/mcp" }\n', added));
  });

  it.each([
    ['a server that is there', ['add', 'zulu', '--', 'x'], 1, /There is already a server "zulu"/],
    ['a key with a colon', ['add', 'a:b', '--', 'x'], 1, /contains a colon/],
    ['a command without --', ['add', 'x', 'npx'], 1, /Put "--" before a command/],
    ['nothing to run', ['add', 'x'], 1, /Say how to reach it/],
    [
      'an address that is none',
      ['add', 'x', 'ftp://x'],
      6,
      /^The URL must be an http or https address/,
    ],
    [
      'a bad header',
      ['add', 'x', 'https://x', '-H', 'é: 1'],
      6,
      /^--header "é" is not a valid header/,
    ],
    ['a command that is empty', ['add', 'x', '--', ''], 6, /^The command must not be empty/],
    ['a variable without a value', ['add', 'x', '-e', 'A', '--', 'y'], 1, /--env takes NAME=VALUE/],
    ['JSON that is none', ['add-json', 'x', '{nope'], 1, /cannot be read/],
    ['JSON that is no object', ['add-json', 'x', '[]'], 1, /must be an object with a command/],
    ['JSON that no server is', ['add-json', 'x', '{"url": 5}'], 6, /^mcpServers.x.url /],
    ['JSON without an address', ['add-json', 'x', '{}'], 6, /^The JSON has neither a "command"/],
  ])('refuses %s, and changes nothing', async (_, args, code, message) => {
    const home = new Home();
    home.write('work/callsign.json', COMMENTED);
    const ended = await home.run(args);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(config(home)).toBe(COMMENTED);
  });

  it('replaces a server only when told to', async () => {
    const home = new Home();
    home.write('work/callsign.json', COMMENTED);
    expect(await home.run(['add', 'zulu', '--force', '--', 'other'])).toMatchObject({
      code: 0,
    });
    expect(config(home)).toContain('"zulu": {\n      "command": "other"\n    }, // first');
  });

  it('does not touch a file that it cannot read', async () => {
    const home = new Home();
    home.write('work/callsign.json', '{"mcpServers": {');
    const { code, stderr } = await home.run(['add', 'x', '--', 'y']);
    expect({ code, stderr: home.tidy(stderr) }).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "The configuration has a problem.
      /HOME/work/callsign.json:1:17  mcpServers  a closing brace is missing
          → close the object with }
      ",
      }
    `);
    expect(config(home)).toBe('{"mcpServers": {');
  });
});

describe('commands that change one file at once', () => {
  it('lose no change, and a revoked key is gone', async () => {
    const home = new Home();
    const key = (name: string) => ({ name, hash: `sha256:${name.repeat(64).slice(0, 64)}` });
    home.configure({ a: { command: 'node' } }, { auth: { keys: [key('b'), key('c')] } });
    const adding = [1, 2, 3, 4, 5, 6].map((n) => ['add', `s${n}`, '--', 'node']);
    const runs = [...adding, ['key', 'revoke', 'b']].map((args) => home.run(args));
    for (const { code, stderr } of await Promise.all(runs)) expect(code, stderr).toBe(0);
    const { mcpServers, callsign } = JSON.parse(config(home)) as Record<string, object>;
    const all = ['a', 's1', 's2', 's3', 's4', 's5', 's6'];
    expect(Object.keys(mcpServers!).toSorted()).toEqual(all);
    expect(callsign).toEqual({ auth: { keys: [key('c')] } });
    // The file was accepted, and our changes kept it so.
    expect(await home.run(['key', 'list'])).toMatchObject({ code: 0 });
    expect(readdirSync(home.work)).toEqual(['callsign.json']);
  });

  it('refuse a file that is not UTF-8, and leave its bytes', async () => {
    const home = new Home();
    const bytes = Buffer.from('{ "mcpServers": { "caf\xe9": { "command": "x" } } }', 'latin1');
    const file = join(home.work, 'callsign.json');
    writeFileSync(file, bytes);
    for (const args of [['add', 'b', '--', 'x'], ['list'], ['config', 'fmt']]) {
      const { code, stderr } = await home.run(args);
      expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('not UTF-8') });
    }
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe('removing a server', () => {
  it('removes its settings too', async () => {
    const home = new Home();
    home.write('work/callsign.json', COMMENTED);
    expect(await home.run(['remove', 'zulu'])).toMatchObject({ code: 0 });
    expect(config(home)).not.toContain('zulu-mcp');
    expect(await home.run(['validate'])).toMatchObject({ code: 0 });
    expect(config(home)).toContain('// Mine, in my order.');
  });

  it('lists the servers for an unknown name', async () => {
    const home = new Home();
    home.write('work/callsign.json', COMMENTED);
    const stderr = 'There is no server "nobody". Servers: zulu, alpha.\n';
    expect(await home.run(['remove', 'nobody'])).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('renaming a server', () => {
  it('changes everything that names it, and keeps the old key', async () => {
    const home = new Home();
    home.write('work/callsign.json', COMMENTED);
    expect(await home.run(['rename', 'zulu', 'zebra'])).toMatchObject({ code: 0 });
    await expect(config(home)).toMatchFileSnapshot(join(GOLDEN, 'renamed.txt'));
    expect(await home.run(['validate'])).toMatchObject({ code: 0 });
  });

  it('again keeps all its earlier keys', async () => {
    const home = new Home();
    home.configure({ a: { command: 'x' } });
    await home.run(['rename', 'a', 'b']);
    expect(await home.run(['rename', 'b', 'c'])).toMatchObject({ code: 0 });
    expect(JSON.parse(config(home))).toMatchObject({ callsign: { renamed: { a: 'c', b: 'c' } } });
  });

  it('back and forth leaves no circular aliases', async () => {
    const home = new Home();
    home.configure({ a: { command: 'x' } });
    await home.run(['rename', 'a', 'b']);
    await home.run(['rename', 'b', 'a']);
    expect(JSON.parse(config(home))).toMatchObject({ callsign: { renamed: { b: 'a' } } });
    expect(await home.run(['validate'])).toMatchObject({ code: 0 });
  });
});

describe('formatting a configuration', () => {
  it('keeps comments, and has nothing to do the second time', async () => {
    const home = new Home();
    home.write('work/callsign.json', '{"mcpServers":{ // mine\n"a":{"command":"x"}}}');
    expect(await home.run(['config', 'fmt', '--check'])).toMatchObject({ code: 1 });
    expect(await home.run(['config', 'fmt'])).toMatchObject({ code: 0 });
    expect(config(home)).toContain('// mine');
    expect(await home.run(['config', 'fmt', '--check'])).toMatchObject({ code: 0 });
  });
});

describe('showing servers', () => {
  it('hides secrets, and starts nothing', async () => {
    const home = new Home();
    home.configure({
      files: { command: 'sh', args: ['-c', `touch ${home.folder}/started`] },
      keyed: {
        command: 'x',
        args: ['--api-key', 'sk-0123456789'],
        env: { T: 'literal', V: '${V}' },
      },
      remote: { url: 'https://u.example.com/mcp?key=abc', headers: { Authorization: 'Bearer x' } },
      resting: { command: 'y', disabled: true },
    });
    const list = await home.run(['list']);
    const json = await home.run(['list', '--json']);
    const get = await home.run(['get', 'keyed']);
    const all = home.tidy([list.stdout, json.stdout, get.stdout].join('\n'));
    expect(all).not.toMatch(/sk-0123|literal|abc|Bearer x/);
    await expect(all).toMatchFileSnapshot(join(GOLDEN, 'list.txt'));
    expect(() => statSync(join(home.folder, 'started'))).toThrow();
  });
});
