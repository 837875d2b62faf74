/** Adds Callsign to the files of clients, with all options of `install`, and removes it again. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readJson } from '@callsign/config';
import { beforeEach, describe, expect, it } from 'vitest';

import { readAnyFile } from '../../../packages/cli/src/clients/files/client-file.js';
import { child, PLAIN } from '../serve/callsign-process.js';
import { LineClient } from '../serve/line-client.js';
import { Home } from './callsign.js';

const CURSOR = '.cursor/mcp.json';
const CODEX = '.codex/config.toml';
const CLAUDE = '.claude.json';
const CONFIG = '.config/callsign/callsign.json';

let home: Home;
const read = (path: string) => readFileSync(join(home.folder, path), 'utf8');
interface ClientFile {
  readonly mcpServers: Record<string, { command: string; args: string[] }>;
}
const serversIn = (path: string) => (readJson(read(path)) as ClientFile).mcpServers;
const keysIn = (path: string) => readAnyFile(path, home.folder).map(({ key }) => key);
const backup = (path: string) => `${path}.callsign-backup`;

const BOTH = { a: { command: 'node', args: ['a.js'] }, b: { command: 'node', args: ['b.js'] } };
const CURSOR_TEXT = `{
  // Mine.
  "mcpServers": {
    "a": { "command": "node", "args": ["a.js"] }, // first
    "own": { "command": "node", "args": ["own.js"] },
    "off": { "command": "node", "args": ["off.js"], "disabled": true },
    "b": { "command": "node", "args": ["b.js"] }
  }
}
`;
const CODEX_TEXT = `model = "gpt-5" # mine

[mcp_servers.a]
command = "node"
args = ["a.js"]

[mcp_servers.own]
command = "node"
args = ["own.js"]
`;

beforeEach(() => {
  home = new Home();
  home.write(CONFIG, JSON.stringify({ mcpServers: BOTH }));
  home.write(CURSOR, CURSOR_TEXT);
  home.write(CODEX, CODEX_TEXT);
});

describe('install --move', () => {
  it('N11: moves out exactly the servers that Callsign serves; uninstall restores every byte', async () => {
    const { code, stderr } = await home.run(['install', '--client', 'cursor', '--move']);
    expect(code, stderr).toBe(0);
    expect(keysIn(CURSOR)).toEqual(['own', 'off', 'callsign']);
    expect(read(CURSOR)).toContain('// Mine.');
    expect(stderr).toContain('moved out, because Callsign serves them: a, b');
    expect(stderr).toContain('1 server that Callsign does not serve: own');
    expect(stderr).not.toContain('off');
    expect(read(backup(CURSOR))).toBe(CURSOR_TEXT);
    expect(await home.run(['uninstall', '--client', 'cursor'])).toMatchObject({ code: 0 });
    expect(read(CURSOR)).toBe(CURSOR_TEXT);
    expect(existsSync(join(home.folder, backup(CURSOR)))).toBe(false);
  });

  it('N11: without it, names only the servers that both would start', async () => {
    const { stderr } = await home.run(['install', '--client', 'cursor']);
    expect(stderr).toContain('still started by the client too: a, b. To move them out: --move');
    expect(stderr).not.toMatch(/\boff\b/);
  });

  it('leaves servers that cannot be served: a program that is missing, an invalid setting', async () => {
    const gone = { command: 'no-such-program' };
    home.write(CONFIG, JSON.stringify({ mcpServers: { a: BOTH.a, gone } }));
    home.write(CURSOR, JSON.stringify({ mcpServers: { a: BOTH.a, gone } }));
    const { stderr } = await home.run(['install', '--client', 'cursor', '--move']);
    expect(keysIn(CURSOR)).toEqual(['gone', 'callsign']);
    expect(stderr).toContain('gone (no-such-program is not on the PATH)');
    home.write(CONFIG, JSON.stringify({ mcpServers: BOTH, callsign: { policy: 7 } }));
    home.write(CURSOR, CURSOR_TEXT);
    await home.run(['install', '--client', 'cursor', '--move']);
    expect(keysIn(CURSOR)).toEqual(['a', 'own', 'off', 'b', 'callsign']);
  });

  it('works on TOML too', async () => {
    await home.run(['install', '--client', 'codex', '--move']);
    expect(keysIn(CODEX)).toEqual(['own', 'callsign']);
    await home.run(['uninstall', '--client', 'codex']);
    expect(read(CODEX)).toBe(CODEX_TEXT);
  });

  it('moves servers out of TOML with quoted keys and inline tables', async () => {
    const text = `[mcp_servers]\nb = { command = "node", args = ["b.js"] } # mine\n\n[mcp_servers."my docs"]\ncommand = "node"\nargs = ["a.js"]\n`;
    home.write(CODEX, text);
    const { code, stderr } = await home.run(['install', '--client', 'codex', '--move']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('moved out, because Callsign serves them: b, my docs');
    expect(keysIn(CODEX)).toEqual(['callsign']);
    await home.run(['uninstall', '--client', 'codex']);
    expect(read(CODEX)).toBe(text);
  });

  it('names the line of TOML that it cannot change, and leaves the file', async () => {
    const text = '# mine\nmcp_servers = { a = { command = "node", args = ["a.js"] } }\n';
    home.write(CODEX, text);
    const { code, stderr } = await home.run(['install', '--client', 'codex', '--move']);
    expect(code).toBe(6);
    expect(stderr).toContain('in one inline table, on line 2,');
    expect(stderr).toContain('Write each server as a table, such as [mcp_servers.NAME]');
    expect(read(CODEX)).toBe(text);
  });

  it('can follow a plain install, and be repeated', async () => {
    await home.run(['install', '--client', 'cursor']);
    await home.run(['install', '--client', 'cursor', '--move']);
    const moved = read(CURSOR);
    expect(moved).not.toContain('a.js');
    for (const args of [['--move'], []]) {
      const { stdout } = await home.run(['install', '--client', 'cursor', '--json', ...args]);
      expect(JSON.parse(stdout)).toMatchObject({ clients: [{ changed: false }] });
      expect(read(CURSOR)).toBe(moved);
    }
    await home.run(['uninstall', '--client', 'cursor']);
    expect(read(CURSOR)).toBe(CURSOR_TEXT);
  });

  it('keeps a server that came between two installs', async () => {
    await home.run(['install', '--client', 'cursor']);
    const late = `"c": { "command": "node", "args": ["c.js"] },\n    "own"`;
    home.write(CURSOR, read(CURSOR).replace('"own"', late));
    home.write(
      CONFIG,
      JSON.stringify({ mcpServers: { ...BOTH, c: { command: 'node', args: ['c.js'] } } }),
    );
    await home.run(['install', '--client', 'cursor', '--move']);
    expect(read(CURSOR)).not.toContain('c.js');
    await home.run(['uninstall', '--client', 'cursor']);
    const servers = keysIn(CURSOR);
    expect(servers.toSorted()).toEqual(['a', 'b', 'c', 'off', 'own']);
  });

  it('puts moved servers back into a file that was changed since', async () => {
    await home.run(['install', '--client', 'cursor', '--move']);
    home.write(CURSOR, read(CURSOR).replace('// Mine.', '// Mine, later.'));
    await home.run(['uninstall', '--client', 'cursor']);
    expect(read(CURSOR)).toContain('// Mine, later.');
    expect(serversIn(CURSOR)).toMatchObject(BOTH);
    expect(keysIn(CURSOR).toSorted()).toEqual(['a', 'b', 'off', 'own']);
  });

  it('never loses the first text, if comments went when servers were put back', async () => {
    const first = CODEX_TEXT.replace('args = ["a.js"]', '# keep this\nargs = ["a.js"]');
    home.write(CODEX, first);
    const codex = ['--client', 'codex'];
    await home.run(['install', ...codex, '--move']);
    home.write(CODEX, read(CODEX).replace('gpt-5', 'gpt-6'));
    const removed = await home.run(['uninstall', ...codex]);
    expect(removed.stderr).toBe(
      `Removed Callsign from ${join(home.folder, CODEX)}.\n` +
        '  put back, without their comments: a\n' +
        `  the earlier file: ${join(home.folder, backup(CODEX))}\n`,
    );
    const later = read(CODEX);
    expect(later).not.toContain('# keep this');
    // What the user wrote is in no other file now.
    const again = await home.run(['install', ...codex, '--move']);
    const older = `${backup(CODEX)}.2`;
    expect(again.stderr).toContain(`  an older copy is kept too: ${join(home.folder, older)}\n`);
    expect([read(older), read(backup(CODEX))]).toEqual([first, later]);
    await home.run(['uninstall', ...codex]);
    expect([read(older), read(CODEX)]).toEqual([first, later]);
    expect(existsSync(join(home.folder, backup(CODEX)))).toBe(false);
  });

  it('gives each older backup a number of its own, and says nothing of one that is not there', async () => {
    const cursor = ['--client', 'cursor'];
    for (const name of ['one', 'two']) {
      home.write(CURSOR, CURSOR_TEXT.replace('// Mine.', `// ${name}`));
      await home.run(['install', ...cursor]);
      home.write(CURSOR, `${read(CURSOR)}// edited\n`);
      await home.run(['uninstall', ...cursor]);
    }
    await home.run(['install', ...cursor]);
    expect(read(`${backup(CURSOR)}.2`)).toContain('// one');
    expect(read(`${backup(CURSOR)}.3`)).toContain('// two');
    await home.run(['install', '--client', 'claude-code']);
    home.write(CLAUDE, JSON.stringify({ ...JSON.parse(read(CLAUDE)), theme: 'dark' }));
    const { stderr } = await home.run(['uninstall', '--client', 'claude-code']);
    expect(stderr).toBe(`Removed Callsign from ${join(home.folder, CLAUDE)}.\n`);
  });

  it('does not bring back a server that the user deleted', async () => {
    await home.run(['install', '--client', 'cursor', '--move']);
    home.write(CURSOR, read(CURSOR).replace(/ *"own": .*\n/, ''));
    expect(await home.run(['uninstall', '--client', 'cursor'])).toMatchObject({ code: 0 });
    expect(keysIn(CURSOR).toSorted()).toEqual(['a', 'b', 'off']);
    await home.run(['install', '--client', 'codex']);
    home.write(CODEX, read(CODEX).replace(/\[mcp_servers\.own\]\n.*\n.*\n/, ''));
    await home.run(['install', '--client', 'codex', '--move']);
    await home.run(['uninstall', '--client', 'codex']);
    expect(keysIn(CODEX)).toEqual(['a']);
  });

  it('moves what Claude Code keeps for this folder alone, and leaves other folders alone', async () => {
    const projects = {
      [home.work]: { mcpServers: { a: BOTH.a } },
      '/elsewhere': { mcpServers: { a: BOTH.a } },
    };
    const text = `${JSON.stringify({ mcpServers: {}, projects }, null, 2)}\n`;
    home.write(CLAUDE, text);
    await home.run(['install', '--client', 'claude-code', '--move']);
    expect(JSON.parse(read(CLAUDE))).toMatchObject({
      projects: { [home.work]: { mcpServers: {} }, '/elsewhere': { mcpServers: { a: BOTH.a } } },
    });
    await home.run(['uninstall', '--client', 'claude-code']);
    expect(read(CLAUDE)).toBe(text);
  });
});

describe('install', () => {
  it.each([['cursor'], ['Cursor'], ['--client', 'CURSOR']])(
    'takes the name of the client as a word, and in any case: %s %s (M11)',
    async (...words) => {
      expect(await home.run(['install', ...words])).toMatchObject({ code: 0 });
      expect(keysIn(CURSOR)).toContain('callsign');
      expect(await home.run(['uninstall', ...words])).toMatchObject({ code: 0 });
      expect(read(CURSOR)).toBe(CURSOR_TEXT);
    },
  );

  it('takes the name of a client once, and suggests one (M11)', async () => {
    const complaint = async (...words: string[]) => (await home.run(['install', ...words])).stderr;
    expect(await complaint('cursor', '--client', 'codex')).toContain('Name the client once');
    expect(await complaint('cursor', '--all')).toContain('not both');
    expect(await complaint('cursr')).toContain('Did you mean: cursor?');
    const { stdout } = await home.run(['import', 'Codex', '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ servers: [{ client: 'codex' }, { key: 'own' }] });
  });

  it('N10: shows TOML for a TOML file in a dry run', async () => {
    const { stdout } = await home.run(['install', '--client', 'codex', '--dry-run']);
    const shown = home.write('shown.toml', stdout);
    expect(readAnyFile(shown, '/')).toMatchObject([
      { key: 'callsign', entry: { args: expect.arrayContaining(['connect', '--config']) } },
    ]);
    expect(read(CODEX)).toBe(CODEX_TEXT);
  });

  it('says where a broken TOML file goes wrong', async () => {
    home.write(CODEX, 'model = "gpt"\n[mcp_servers.a\n');
    const { stderr } = await home.run(['install', '--client', 'codex']);
    expect(stderr).toContain('config.toml is not valid TOML (line 2, column ');
  });

  it('N11: is added to every client with --all, and a broken file does not affect the others', async () => {
    home.write(CLAUDE, '{ broken');
    const { code, stderr } = await home.run(['install', '--all', '--move']);
    expect(code).toBe(0);
    expect(stderr).toContain(`${join(home.folder, CLAUDE)} is not valid JSON`);
    expect(read(CURSOR)).toContain('callsign');
    expect(read(CODEX)).toContain('[mcp_servers.callsign]');
    expect(read(CLAUDE)).toBe('{ broken');
    home.write(CLAUDE, '{}');
    const { stdout } = await home.run(['uninstall', '--all', '--json']);
    const { clients } = JSON.parse(stdout) as { clients: { client: string; done: string }[] };
    expect(clients).toMatchObject([
      { client: 'cursor', done: 'restored' },
      { client: 'codex', done: 'restored' },
    ]);
    expect([read(CURSOR), read(CODEX)]).toEqual([CURSOR_TEXT, CODEX_TEXT]);
  });

  it('says at the end of uninstall --all what is still there', async () => {
    const said = async (...words: string[]) =>
      (await home.run(['uninstall', '--all', ...words])).stderr;
    expect(await said()).not.toMatch(/still/i);
    home.write('state/callsign/audit/note', '');
    const folder = join(home.folder, 'state', 'callsign');
    const stays = `Still there: ${folder}, where Callsign stores records and secrets.\n`;
    expect(await said()).toBe(`Callsign is not installed in any client.\n${stays}`);
    expect(await said('--dry-run')).not.toContain(stays);
  });

  it('N11: lets a person at a terminal choose the clients', async () => {
    const terminal = home.terminal(['install']);
    await terminal.shows(/Which clients should use Callsign\?/);
    // Cursor is the first in the list; it is deselected.
    terminal.type(' ');
    await terminal.shows(/◻.*Cursor/);
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    expect(read(CURSOR)).toBe(CURSOR_TEXT);
    expect(read(CODEX)).toContain('[mcp_servers.callsign]');
  });

  it('says that a gateway with keys needs one in the entry', async () => {
    const guarded = new Home();
    const hash = `sha256:${'0'.repeat(64)}`;
    guarded.configure({ kid: child(PLAIN) }, { auth: { keys: [{ name: 'ann', hash }] } });
    guarded.write(CURSOR, '{}');
    const { code, stderr } = await guarded.run(['install', '--client', 'cursor', '--http']);
    expect(code).toBe(0);
    expect(stderr).toContain('Add the header "Authorization: Bearer KEY" to the entry.');
  });

  it('N11: writes an address with --http, as each client wants it', async () => {
    for (const [client, path, shape] of [
      ['cursor', CURSOR, { url: 'http://127.0.0.1:3999/mcp' }],
      ['windsurf', '.codeium/windsurf/mcp_config.json', { serverUrl: 'http://127.0.0.1:3999/mcp' }],
      ['gemini-cli', '.gemini/settings.json', { httpUrl: 'http://127.0.0.1:3999/mcp' }],
      ['claude-code', CLAUDE, { type: 'http', url: 'http://127.0.0.1:3999/mcp' }],
    ] as const) {
      const { stderr } = await home.run(['install', '--client', client, '--http', '3999']);
      expect(stderr).toContain('callsign serve --config');
      expect(serversIn(path)['callsign']).toEqual(shape);
    }
    const ended = await home.run(['install', '--client', 'claude-desktop', '--http']);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Leave out --http') });
  });

  it('N11: writes into the file of a project with --project', async () => {
    await home.run(['install', '--client', 'claude-code', '--project']);
    expect(Object.keys(serversIn('work/.mcp.json'))).toEqual(['callsign']);
    expect(existsSync(join(home.folder, CLAUDE))).toBe(false);
    await home.run(['uninstall', '--client', 'claude-code', '--project']);
    expect(existsSync(join(home.work, '.mcp.json'))).toBe(false);
    expect(await home.run(['install', '--client', 'codex', '--project'])).toMatchObject({
      code: 1,
    });
  });

  it('V13: writes --config, so that a client never runs the file of a folder', async () => {
    home.write('work/callsign.json', JSON.stringify({ mcpServers: { plain: child(PLAIN) } }));
    await home.run(['install', '--client', 'claude-code']);
    const { callsign } = serversIn(CLAUDE);
    expect(callsign!.args.slice(-3)).toEqual([
      'connect',
      '--config',
      join(home.work, 'callsign.json'),
    ]);
    const started = spawn(callsign!.command, callsign!.args, { cwd: '/', env: home.env() });
    const client = new LineClient(started.stdout, started.stdin);
    await client.greet();
    started.stdin.end();
  });

  it('N1: warns of unset variables and missing commands before a client depends on them', async () => {
    home.write(
      CONFIG,
      JSON.stringify({
        mcpServers: {
          ...BOTH,
          sentry: { command: 'node', env: { TOKEN: '${env:SENTRY_TOKEN}' } },
          gone: { command: 'no-such-program' },
        },
      }),
    );
    const { code, stderr } = await home.run(['install', '--client', 'cursor', '--dry-run']);
    expect(code).toBe(0);
    expect(stderr).toContain('needs the environment variable SENTRY_TOKEN, which is not set');
    expect(stderr).toContain('gone: command: no-such-program is not on the PATH');
  });

  it('refuses a file that is not UTF-8, and leaves its bytes', async () => {
    const bytes = Buffer.from('{ "mcpServers": {}, "name": "caf\xe9" }', 'latin1');
    const file = join(home.folder, CURSOR);
    writeFileSync(file, bytes);
    const { code, stderr } = await home.run(['install', '--client', 'cursor']);
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('not UTF-8') });
    expect(readFileSync(file)).toEqual(bytes);
    expect(existsSync(join(home.folder, backup(CURSOR)))).toBe(false);
  });

  it('V15: refuses a link in the place of its backup', async () => {
    const target = home.write('precious', 'mine');
    const link = join(home.folder, backup(CURSOR));
    symlinkSync(target, link);
    const { code, stderr } = await home.run(['install', '--client', 'cursor']);
    expect(code).toBe(6);
    expect(stderr).toContain('is not a plain file');
    expect([read('precious'), read(CURSOR), readlinkSync(link)]).toEqual([
      'mine',
      CURSOR_TEXT,
      target,
    ]);
  });

  it('N15: lists a client once in the home folder, where both its files are one', async () => {
    const { stdout } = await home.run(['--json'], { cwd: home.folder });
    const { clients } = JSON.parse(stdout) as { clients: { client: string }[] };
    expect(clients.map(({ client }) => client)).toEqual(['cursor', 'codex']);
  });

  it('names a file that it cannot read in the overview', async () => {
    home.write(CURSOR, '{ broken');
    const { code, stdout, stderr } = await home.run([]);
    expect(code).toBe(0);
    expect(stdout).toContain('Codex');
    expect(stderr).toContain(`warning: ${join(home.folder, CURSOR)} is not valid JSON (line 1, `);
    const { clients } = JSON.parse((await home.run(['--json'])).stdout) as { clients: object[] };
    expect(clients).toMatchObject([{ client: 'codex' }]);
  });

  it('N16: shows no password of a URL', async () => {
    writeFileSync(
      join(home.folder, CURSOR),
      JSON.stringify({
        mcpServers: { db: { command: 'x', args: ['postgresql://ann:hunter2@localhost/db'] } },
      }),
    );
    for (const args of [['import', '--dry-run'], ['import', '--dry-run', '--json'], ['import']]) {
      const { stdout, stderr } = await home.run(args);
      expect(stdout).toContain('db');
      expect(stdout + stderr).not.toContain('hunter2');
    }
    expect(read(CONFIG)).toContain('hunter2');
  });
});
