/** Secrets by name: stored by a command, used by a server, and shown nowhere. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Person } from '../connect/person.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import { Home } from './callsign.js';

const [FIRST, SECOND] = ['tok-7fQ2mZx91', 'tok-8gR3nYw02'];
const withToken = (text: string): object => ({ ...plain(), env: { TOKEN: text } });
const set = (home: Home, name: string, input: string) =>
  home.run(['secrets', 'set', name], { input });

/** The content of all files below a folder. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    .join('\n');
}

describe('callsign secrets', () => {
  it('stores, lists and removes, and never shows a value', async () => {
    const home = new Home();
    home.configure({ kid: withToken('${keychain:kid.token}') });
    const stored = await set(home, 'kid.token', `${FIRST}\n`);
    expect(stored).toMatchObject({ code: 0 });
    expect(stored.stderr).toContain('in a sealed file, because there is no keychain here');
    expect(stored.stderr).toContain('kid uses it. A running gateway takes the new value with');
    const listed = await home.run(['secrets', 'list']);
    expect(listed.stdout).toMatch(/kid\.token +sealed file +kid/);
    const json = await home.run(['secrets', 'list', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      secrets: [{ name: 'kid.token', in: 'file', usedBy: ['kid'] }],
    });
    const called = await home.run(['call', 'kid:env', '--json']);
    expect(called.stdout).toContain(FIRST);
    const quiet = [
      await home.run(['list', '--json']),
      await home.run(['get', 'kid', '--json']),
      await home.run(['validate', '--json']),
      await home.run(['doctor', '--json']),
    ];
    for (const { stdout, stderr } of [stored, listed, json, ...quiet]) {
      expect(stdout + stderr).not.toContain(FIRST);
    }
    // Not even a file of the state has it.
    expect(everythingIn(join(home.folder, 'state'))).not.toContain(FIRST);
    const removed = await home.run(['secrets', 'remove', 'kid.token']);
    expect(removed).toMatchObject({ code: 0 });
    expect(removed.stderr).toContain('kid cannot start without it');
    expect(await home.run(['secrets', 'remove', 'kid.token'])).toMatchObject({ code: 1 });
    const missing = await home.run(['call', 'kid:env']);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain('callsign secrets set kid.token');
  });

  it.each([
    ['an empty value', 'a', '\n'],
    ['a name with a brace', 'a}', FIRST],
    ['control characters', 'a', 'x\x1b[31m'],
    ['a text that is too long', 'a', 'x'.repeat(3_000)],
  ])('refuses %s', async (_, name, input) => {
    const home = new Home();
    expect(await set(home, name, input)).toMatchObject({ code: 1 });
    expect(existsSync(join(home.folder, 'state', 'callsign', 'secrets.json'))).toBe(false);
  });

  it('says where a secret goes before a file of a project is accepted', async () => {
    const home = new Home();
    const file = home.configure({ kid: withToken('${keychain:mine}') });
    writeFileSync(file, readFileSync(file, 'utf8').replace('"kid"', '"other"'));
    const shown = await home.run(['config', 'accept', '--json']);
    expect(shown.stdout).toContain('keychain:mine');
    expect(shown.stdout).toContain('variable TOKEN of the process of other');
  });

  it('gives a running gateway the new value at a reload', async () => {
    const home = new Home();
    const config = home.configure(
      { kid: withToken('${keychain:kid}'), other: plain() },
      { audit: { mode: 'off' }, listWaitMs: 60_000 },
    );
    await set(home, 'kid', FIRST);
    const env = home.env();
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    const client = await gateway.connect();
    await client.tools();
    const tokenOf = async (): Promise<string> => JSON.stringify(await client.result('kid:env'));
    const pidOf = async (key: string): Promise<string> =>
      JSON.stringify(await client.result(`${key}:pid`));
    expect(await tokenOf()).toContain(FIRST);
    const [before, other] = [await pidOf('kid'), await pidOf('other')];
    await set(home, 'kid', SECOND);
    expect(await home.run(['reload'])).toMatchObject({ code: 0 });
    await eventually(async () => (await tokenOf()).includes(SECOND));
    // Only the server that uses it was restarted.
    expect(await pidOf('kid')).not.toBe(before);
    expect(await pidOf('other')).toBe(other);
    const status = await home.run(['status', '--json']);
    for (const said of [gateway.stderr, status.stdout]) {
      expect(said).not.toContain(FIRST);
      expect(said).not.toContain(SECOND);
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'reaches each process of a server in the background gateway',
    async () => {
      const entry = { ...plain(), env: { TOKEN: '${keychain:kid}', MINE: '${MINE}' } };
      const person = new Person({ kid: entry });
      await set(person, 'kid', FIRST);
      const one = await person.connect({ env: { MINE: 'one' } });
      const two = await person.connect({ env: { MINE: 'two' } });
      for (const [{ client }, mine] of [
        [one, 'one'],
        [two, 'two'],
      ] as const) {
        await client.tools();
        const { structuredContent } = (await client.result('kid:env')) as {
          structuredContent: Record<string, string>;
        };
        expect(structuredContent).toMatchObject({ TOKEN: FIRST, MINE: mine });
      }
      expect(person.log()).not.toContain(FIRST);
    },
  );
});

describe('tokens in the files of clients', () => {
  const CURSOR = '.cursor/mcp.json';
  const cursor = (home: Home): void => {
    const env = { API_TOKEN: FIRST, PORT: '8080', NAME: '${NAME:-x}' };
    const remote = {
      url: 'https://example.com/mcp',
      headers: { Authorization: `Bearer ${SECOND}` },
    };
    const mcpServers = { kid: { ...plain(), env }, remote };
    home.write(CURSOR, JSON.stringify({ mcpServers }));
  };
  const imported = (home: Home): string =>
    readFileSync(join(home.folder, 'work', 'callsign.json'), 'utf8');

  it('stay as they are without a yes', async () => {
    const home = new Home();
    home.configure({});
    cursor(home);
    expect(await home.run(['import', 'cursor'])).toMatchObject({ code: 0 });
    expect(imported(home)).toContain(FIRST);
    expect(JSON.parse((await home.run(['secrets', 'list', '--json'])).stdout)).toMatchObject({
      secrets: [],
    });
  });

  it('go into the store with --keychain, and are the same server at the next import', async () => {
    const home = new Home();
    home.configure({});
    cursor(home);
    const done = await home.run(['import', 'cursor', '--keychain']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const { mcpServers } = JSON.parse(imported(home));
    expect(mcpServers).toMatchObject({
      kid: { env: { API_TOKEN: '${keychain:kid.API_TOKEN}', PORT: '8080', NAME: '${NAME:-x}' } },
      remote: { headers: { Authorization: 'Bearer ${keychain:remote.Authorization}' } },
    });
    for (const text of [imported(home), done.stdout, done.stderr]) {
      expect(text).not.toContain(FIRST);
      expect(text).not.toContain(SECOND);
    }
    expect((await home.run(['call', 'kid:env'])).stdout).toContain(FIRST);
    const again = await home.run(['import', 'cursor', '--keychain']);
    expect(again.stderr).toContain('0 servers added');
  });

  it('are still in the copies of these files, and setup says so', async () => {
    const home = new Home();
    cursor(home);
    const done = await home.run(['setup', '--yes', '--keychain', '--no-start']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.folder, `${CURSOR}.callsign-backup`), 'utf8')).toContain(FIRST);
    expect(readFileSync(join(home.folder, CURSOR), 'utf8')).not.toContain(FIRST);
    expect(done.stderr).toContain('These files still have your tokens in plain text.');
    // The file itself has them no more.
    expect(done.stderr).toMatch(/delete them\.\n {2}.+mcp\.json\.callsign-backup\n$/);
  });
});
