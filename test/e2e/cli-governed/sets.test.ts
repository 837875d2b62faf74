/** `callsign sets`, and the flag `--set` of commands. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { Home } from '../cli/callsign.js';
import { plain } from '../gateway-process.js';

const SETTINGS = {
  annotations: {
    'kid:add': { preset: 'READ_ONLY_DEFAULT' },
    'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
  },
  aliases: { plus: 'kid:add' },
  tools: { deny: ['kid:env'] },
  sets: {
    adding: { tools: ['kid:add', 'kid:echo'], labels: ['read'], description: 'To add.' },
    all: {},
  },
};

let home: Home;
beforeEach(() => {
  home = new Home();
  home.configure(
    { kid: plain(), five: plain() },
    { ...SETTINGS, servers: { five: { view: 'crude' } } },
  );
});

async function json<T>(...args: string[]): Promise<T> {
  const { stdout } = await home.run([...args, '--json']);
  return JSON.parse(stdout) as T;
}

describe('callsign sets', () => {
  it('lists the sets with the number of their tools', async () => {
    const { sets, allTools, allTokens } = await json<{
      sets: { name: string; tools: number; tokens: number; servers: string[] }[];
      allTools: number;
      allTokens: number;
    }>('sets', 'list');
    const { tokens } = sets[0]!;
    expect(sets).toEqual([
      { name: 'adding', tools: 1, tokens, servers: ['kid'], description: 'To add.' },
      { name: 'all', tools: allTools, tokens: allTokens, servers: ['kid', 'five'] },
    ]);
    expect(allTools).toBeGreaterThan(10);
    const { stdout } = await home.run(['sets', 'list']);
    const row = `adding +1 of ${allTools} +${tokens} +9\\d % +kid +To add.`;
    expect(stdout).toMatch(new RegExp(row));
    expect(stdout).toMatch(/all .* 0 % +kid, five/);
  });

  it('says what a set costs a model, as callsign tools does', async () => {
    const { tools, tokens: flat } = await json<{
      tools: { canonical: string; tokens: number }[];
      tokens: { total: { flat: number } };
    }>('tools', '--tokens');
    const { tokens } = tools.find(({ canonical }) => canonical === 'kid:add')!;
    expect(tokens).toBeGreaterThan(10);
    expect(await json('sets', 'show', 'adding')).toMatchObject({
      tokens,
      allTokens: flat.total.flat,
      tools: [{ canonical: 'kid:add', tokens }],
    });
    const shown = await home.run(['sets', 'show', 'adding']);
    expect(shown.stderr).toMatch(
      new RegExp(`About ${tokens} tokens for a model in place of [\\d,]+: saves 9\\d %\\.`),
    );
    expect(await json('sets', 'test', 'adding', 'kid:add')).toMatchObject({ tokens });
    const { stdout } = await home.run(['sets', 'test', 'adding', 'kid:add']);
    expect(stdout).toContain(`kid:add (read), about ${tokens} tokens`);
  });

  it('shows what is in a set, and with --all what is not', async () => {
    const shown = await json<{ tools: object[]; outside: { canonical: string }[] }>(
      'sets',
      'show',
      'adding',
    );
    expect(shown.tools).toMatchObject([
      { canonical: 'kid:add', risk: 'read', because: '"tools" has kid:add, and its label is read' },
    ]);
    const outside = shown.outside.map(({ canonical }) => canonical);
    expect(outside).toContain('five:add');
    expect(outside).not.toContain('kid:env');
    const { stdout } = await home.run(['sets', 'show', 'adding']);
    expect(stdout).not.toContain('kid:pid');
    const { stdout: all } = await home.run(['sets', 'show', 'adding', '--all']);
    expect(all).toMatch(/kid:pid .* no /);
  });

  it('says whether a tool is in a set, and why', async () => {
    const test = async (...args: string[]) => {
      const { code, stdout } = await home.run(['sets', 'test', ...args, '--json']);
      return { code, ...(JSON.parse(stdout) as object) };
    };
    expect(await test('adding', 'plus')).toMatchObject({ code: 0, tool: 'kid:add', isIn: true });
    expect(await test('adding', 'kid:pid')).toMatchObject({
      code: 7,
      isIn: false,
      because: 'neither "servers" nor "tools" selects it',
    });
    expect(await test('all', 'kid:env')).toMatchObject({
      code: 7,
      because: 'callsign.tools does not offer it',
    });
    expect(await home.run(['sets', 'test', 'adding', 'kid:nothing'])).toMatchObject({ code: 1 });
  });

  it('names the sets if there is none with this name', async () => {
    const unknown = 'There is no set "addin". Did you mean "adding"? Sets: adding, all.';
    for (const args of [
      ['sets', 'show', 'addin'],
      ['sets', 'test', 'addin', 'kid:add'],
      ['key', 'add', 'ann', '--set', 'addin'],
      ['key', 'new', 'ann', '--set', 'addin'],
      ['install', 'cursor', '--set', 'addin'],
    ]) {
      const { code, stderr } = await home.run(args);
      expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining(unknown)]);
    }
    const served = await home.spawn(['serve', '--stdio', '--set', 'addin']);
    expect([served.code, served.stderr]).toEqual([6, expect.stringContaining(unknown)]);
    home.configure({ kid: plain() });
    expect(await home.run(['sets', 'list'])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('--set', () => {
  it('binds a key, and is listed', async () => {
    await home.run(['key', 'add', 'ann', '--set', 'adding']);
    const { keys } = await json<{ keys: object[] }>('key', 'list');
    expect(keys).toMatchObject([{ name: 'ann', set: 'adding' }]);
    const made = await json<{ entry: object }>('key', 'new', 'bob', '--set', 'all');
    expect(made.entry).toMatchObject({ name: 'bob', set: 'all' });
  });

  it('is in the entry that install writes', async () => {
    const cursor = (): string => readFileSync(join(home.folder, '.cursor', 'mcp.json'), 'utf8');
    await home.run(['install', 'cursor', '--set', 'adding']);
    expect(cursor()).toMatch(/"--set",\s+"adding"/);
    await home.run(['install', 'cursor', '--set', 'adding', '--http', '4000']);
    expect(cursor()).toContain('http://127.0.0.1:4000/mcp/set/adding');
    const address = 'https://gw.example.com/mcp';
    const args = ['install', 'cursor', '--set', 'adding', '--http', address];
    const { code, stderr } = await home.run(args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('name the set in it: https://gw.example.com/mcp/set/adding'),
    ]);
  });

  it('is completed', async () => {
    const complete = async (...words: string[]): Promise<string> =>
      (await home.run(['__complete', '--', ...words])).stdout;
    expect(await complete('connect', '--set', '')).toBe('adding\nall\n');
    expect(await complete('sets', 'show', 'ad')).toBe('adding\n');
  });
});
