/** Imports servers of clients into Callsign and adds Callsign to clients. Nothing may be lost. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { Home } from './callsign.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');
const FILES = join(ROOT, 'test', 'e2e', 'cli', 'client-files');
/** From the home folder. */
const PLACES = new Map([
  ['claude-desktop', '.config/Claude/claude_desktop_config.json'],
  ['claude-code', '.claude.json'],
  ['cursor', '.cursor/mcp.json'],
  ['vscode', '.config/Code/User/mcp.json'],
  ['windsurf', '.codeium/windsurf/mcp_config.json'],
  ['zed', '.config/zed/settings.json'],
  ['gemini-cli', '.gemini/settings.json'],
  ['codex', '.codex/config.toml'],
]);

/** The user's own configuration, from the home folder. */
const CONFIG = '.config/callsign/callsign.json';

let home: Home;
const read = (path: string) => readFileSync(join(home.folder, path), 'utf8');

beforeEach(() => {
  home = new Home();
});

function furnish(): void {
  const fixture = (name: string) =>
    readFileSync(join(FILES, `${name}.txt`), 'utf8').replace('{{CWD}}', home.work);
  for (const [client, place] of PLACES) home.write(place, fixture(client));
  home.write('work/.mcp.json', fixture('claude-code-project'));
}

describe('a machine with clients', () => {
  it('is scanned, imported, and scanned again', async () => {
    furnish();
    const lines: string[] = [];
    for (const args of [[], ['init', '--dry-run'], ['init'], ['import', 'vscode'], []]) {
      const { code, stdout, stderr } = await home.run(args);
      lines.push(`$ callsign ${args.join(' ')}`, stdout + stderr, `(${code})`, '');
      if (args.includes('--dry-run')) {
        expect(existsSync(join(home.folder, CONFIG))).toBe(false);
      }
    }
    await expect(home.tidy(lines.join('\n'))).toMatchFileSnapshot(join(GOLDEN, 'init.txt'));
    await expect(read(CONFIG)).toMatchFileSnapshot(join(GOLDEN, 'init-config.txt'));
    expect(statSync(join(home.folder, CONFIG)).mode & 0o777).toBe(0o600);
  });

  it('lets a person choose servers at a terminal', async () => {
    furnish();
    const terminal = home.terminal(['import', 'cursor', '--select']);
    await terminal.shows(/Which ones\?/);
    terminal.type(' \r');
    expect(await terminal.ended).toBe(0);
    expect(Object.keys((JSON.parse(read(CONFIG)) as { mcpServers: object }).mcpServers)).toEqual([
      'github',
    ]);
  });

  it('imports the others if one file is broken', async () => {
    furnish();
    home.write('.cursor/mcp.json', '{"mcpServers": {\n  "a": {}, ,');
    const { code, stdout, stderr } = await home.run(['import', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain('mcp.json is not valid JSON (line 2, column 12)');
    const { servers } = JSON.parse(stdout) as { servers: { client: string }[] };
    expect(new Set(servers.map(({ client }) => client))).toEqual(
      new Set([...PLACES.keys()].filter((client) => client !== 'cursor')),
    );
    expect(stdout).not.toContain('sk-live');
  });
});

describe('a machine without clients', () => {
  it('gets a next command that leads somewhere', async () => {
    const next = async () => /^Next: (.*)$/m.exec((await home.run([])).stdout)?.[1];
    expect(await next()).toBe('callsign add NAME -- COMMAND');
    home.write('.cursor/mcp.json', '{"mcpServers": {"a": {"command": "node"}}}');
    expect(await next()).toBe('callsign setup');
    home.write(CONFIG, '{"mcpServers": {,}}');
    expect(await next()).toBe('callsign validate');
  });

  it('hears which clients can be imported', async () => {
    const { code, stderr } = await home.run(['import', 'cursr']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^There is no file cursr\. Did you mean: cursor\? Name a file, or a client: claude-/,
    );
  });

  it('hears how an API is imported', async () => {
    const advice = /To import an API: callsign adapter from-openapi FILE\n$/;
    const missing = await home.run(['import', 'openapi.yaml']);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(/^There is no file openapi\.yaml\. /);
    expect(missing.stderr).toMatch(advice);
    home.write('work/openapi.yaml', 'openapi: 3.0.0\n');
    home.write('work/api.json', '{ "openapi": "3.0.0" }');
    for (const file of ['openapi.yaml', 'api.json']) {
      const { code, stderr } = await home.run(['import', file]);
      expect(code).toBe(6);
      expect(stderr).toMatch(/ has no servers of a client\. /);
      expect(stderr).toMatch(advice);
    }
  });
});

describe('the fields of other clients', () => {
  it('become our settings, or are named (M7, R7)', async () => {
    const file = (entry: object) =>
      JSON.stringify({ mcpServers: { s: { command: 'node', ...entry } } });
    home.write('.gemini/settings.json', file({ args: ['g'], timeout: 4500, trust: true }));
    home.write('.claude.json', file({ args: ['c'], timeout: 90_000, alwaysLoad: true }));
    home.write('.codeium/windsurf/mcp_config.json', file({ args: ['w'], alwaysAllow: ['x'] }));
    const { code, stdout } = await home.run(['import']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^s +claude-code .* not imported: alwaysLoad$/m);
    expect(stdout).toMatch(/^s_windsurf .* not imported: alwaysAllow$/m);
    expect(stdout).toMatch(/^s_gemini_cli .* not imported: trust$/m);
    expect(JSON.parse(read(CONFIG))).toMatchObject({
      callsign: {
        servers: { s: { callTimeoutMs: 90_000 }, s_gemini_cli: { callTimeoutMs: 4500 } },
      },
    });
  });
});

describe('the limits and the sign-in of Codex', () => {
  it('become our settings, and the rest is named', async () => {
    const lines = ['command = "node"', 'startup_timeout_sec = 20.5', 'tool_timeout_sec = 90'];
    const hosted = ['url = "https://x.example/mcp"', 'scopes = ["a", "b"]', 'oauth_resource = "r"'];
    home.write(
      '.codex/config.toml',
      ['[mcp_servers.slow]', ...lines, '[mcp_servers.hosted]', ...hosted].join('\n'),
    );
    const { code, stdout } = await home.run(['import', 'codex']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hosted .* not imported: oauth_resource$/m);
    expect(JSON.parse(read(CONFIG))).toMatchObject({
      mcpServers: { slow: { command: 'node' }, hosted: { url: 'https://x.example/mcp' } },
      callsign: {
        servers: {
          slow: { startTimeoutMs: 20_500, callTimeoutMs: 90_000 },
          hosted: { oauth: { scope: 'a b' } },
        },
      },
    });
    expect(await home.run(['validate'])).toMatchObject({ code: 0 });
  });
});

describe('the server lists of Gemini CLI', () => {
  const place = '.gemini/settings.json';
  const servers = { a: { command: 'node' }, b: { command: 'y' }, c: { command: 'z' } };
  const text = JSON.stringify({
    mcp: { allowed: ['a', 'b'], excluded: ['b'] },
    mcpServers: servers,
  });
  const enabledIn = async (file: string) => {
    const { stdout } = await home.run(['list', '--json', '--config', file]);
    const listed = JSON.parse(stdout) as { servers: { key: string; enabled: boolean }[] };
    return listed.servers.filter(({ enabled }) => enabled).map(({ key }) => key);
  };

  it('count in an import and in the file itself', async () => {
    const file = home.write(place, text);
    const { stdout } = await home.run(['import', 'gemini-cli']);
    expect(stdout).toMatch(/^b .* left out: it is switched off there$/m);
    expect(stdout).toMatch(/^c .* left out: it is switched off there$/m);
    expect(JSON.parse(read(CONFIG))).toMatchObject({ mcpServers: { a: { command: 'node' } } });
    expect(read(CONFIG)).not.toMatch(/"[bc]"/);
    expect(await enabledIn(file)).toEqual(['a']);
    expect(await home.run(['enable', 'c', '--config', file])).toMatchObject({ code: 0 });
    expect(await enabledIn(file)).toEqual(['a', 'c']);
  });

  it('do not keep Callsign from being started', async () => {
    home.configure({ a: { command: 'node' } });
    const file = home.write(place, text);
    await home.run(['install', '--client', 'gemini-cli', '--move']);
    expect(await enabledIn(file)).toEqual(['callsign']);
    home.write(place, read(place).replace('"z"', '"later"'));
    expect(await home.run(['uninstall', '--client', 'gemini-cli'])).toMatchObject({ code: 0 });
    expect(JSON.parse(read(place))).toMatchObject({ mcp: { allowed: ['a', 'b'] } });
    expect(await enabledIn(file)).toEqual(['a']);
  });
});

describe.each([...PLACES])('Callsign in %s', (client, place) => {
  it('is added once, changes nothing else, and is removed without a trace', async () => {
    furnish();
    home.configure({ a: { command: 'x' } });
    const before = read(place);
    const installed = await home.run(['install', '--client', client, '--json']);
    expect(JSON.parse(installed.stdout)).toMatchObject({
      clients: [{ client, key: 'callsign', changed: true }],
    });
    const after = read(place);
    for (const line of before.split('\n')) expect(after).toContain(line.trim().replace(/,$/, ''));
    expect(after).toContain(join(home.work, 'callsign.json'));
    const again = await home.run(['install', '--client', client, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ clients: [{ changed: false }] });
    expect(read(place)).toBe(after);
    expect(await home.run(['uninstall', '--client', client])).toMatchObject({ code: 0 });
    expect(read(place)).toBe(before);
    expect(existsSync(`${join(home.folder, place)}.callsign-backup`)).toBe(false);
  });
});

describe('Callsign in a client', () => {
  beforeEach(() => {
    home.configure({ a: { command: 'x' } }, { clientKey: 'hub' });
  });

  it('creates the file if there is none, and removes it again', async () => {
    await home.run(['install', '--client', 'codex']);
    expect(read('.codex/config.toml')).toContain('[mcp_servers.hub]');
    await home.run(['uninstall', '--client', 'codex']);
    expect(existsSync(join(home.folder, '.codex/config.toml'))).toBe(false);
  });

  it('keeps later changes', async () => {
    const place = PLACES.get('cursor')!;
    home.write(place, '{\n  // mine\n  "mcpServers": {}\n}\n');
    await home.run(['install', '--client', 'cursor']);
    home.write(place, read(place).replace('// mine', '// mine, later'));
    expect(await home.run(['uninstall', '--client', 'cursor'])).toMatchObject({ code: 0 });
    expect(read(place)).toContain('// mine, later');
    expect(read(place)).not.toContain('hub');
    expect(read(`${place}.callsign-backup`)).toContain('// mine\n');
  });

  it('writes nothing in a dry run, nor into a file that it cannot read', async () => {
    const place = PLACES.get('zed')!;
    expect(await home.run(['install', '--client', 'zed', '--dry-run'])).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(home.folder, place))).toBe(false);
    home.write(place, '{ "context_servers": ');
    const ended = await home.run(['install', '--client', 'zed']);
    expect(ended).toMatchObject({ code: 6, stderr: expect.stringMatching(/was not changed/) });
    expect(read(place)).toBe('{ "context_servers": ');
  });
});
