import { describe, expect, it } from 'vitest';

import { plain, serveAll } from '../testing/served.js';

const byName = <T extends { name: string }>(tools: readonly T[], name: string) =>
  tools.find((tool) => tool.name === name);

describe('tools that are denied', () => {
  it('are in no list, and cannot be called under any spelling', async () => {
    const served = await serveAll(
      { fs: plain() },
      {
        tools: { deny: ['*:crash*'] },
        aliases: { boom: 'fs:crash', e: 'fs:echo' },
        renamed: { files: 'fs' },
      },
    );
    for (const name of ['some-client', 'claude-ai']) {
      const client = await served.connect(name);
      const names = await client.toolNames();
      expect(names.filter((each) => each.includes('crash'))).toEqual([]);
      expect(names.filter((each) => each.includes('echo'))).toHaveLength(1);
      for (const spelling of ['fs:crash', 'fs__crash', 'boom', 'files:crash', 'files__crash']) {
        const { error } = await client.call(spelling);
        expect(error?.code).toBe(-32602);
        expect(error?.message).toMatch(/^Tool n/);
      }
      expect((await client.call('e')).result).toBeDefined();
    }
    // None of those calls reached the server: one would have ended it.
    expect(served.logged).toEqual([]);
  });

  it.each([
    [{ disabledTools: ['crash'] }, false],
    [{ excludeTools: ['crash'] }, false],
    [{ includeTools: ['echo', 'add'] }, false],
    [{ tools: ['*'] }, true],
  ])('are the tools that the entry of a client switches off: %j', async (fields, isThere) => {
    const served = await serveAll({ fs: { ...plain(), ...fields }, other: plain() });
    const client = await served.connect();
    const names = await client.toolNames();
    expect(names).toEqual(expect.arrayContaining(['fs:echo', 'fs:add', 'other:crash']));
    expect(names.includes('fs:crash')).toBe(isThere);
    if (!isThere) expect((await client.call('fs:crash')).error?.message).toMatch(/^Tool n/);
  });

  it('are all tools that are not allowed, and deny wins over allow', async () => {
    const served = await serveAll(
      { a: plain(), b: plain() },
      { tools: { allow: ['a:e*', 'b:?dd', '*:crash'], deny: ['b:crash', 'a:en?'] } },
    );
    const client = await served.connect();
    expect(await client.toolNames()).toEqual(['a:echo', 'a:crash', 'b:add']);
    expect((await client.call('a:add')).error?.message).toMatch(/^Tool not found: a:add/);
  });

  it('do not affect prompts and resources', async () => {
    const served = await serveAll({ s: plain() }, { tools: { allow: [] } });
    const client = await served.connect();
    expect(await client.toolNames()).toEqual([]);
    const { result } = await client.request<{ prompts: object[] }>('prompts/list');
    expect(result?.prompts).toMatchObject([{ name: 's:greet' }]);
  });
});

describe('the operator’s label', () => {
  it('is in the list: hints and titles, where the last matching glob wins', async () => {
    const served = await serveAll(
      { s: plain() },
      {
        annotations: {
          '*:*': { openWorldHint: true },
          's:add': { preset: 'WRITE_ADDITIVE', idempotentHint: true, title: 'Sum' },
          's:a??': { title: 'Total' },
        },
      },
    );
    const tools = await (await served.connect()).tools();
    expect(byName(tools, 's:add')).toMatchObject({
      title: 'S — Total',
      annotations: {
        title: 'S — Total',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
    expect(byName(tools, 's:echo')?.annotations).toEqual({
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: true,
      title: 'S — Echo',
    });
    expect(byName(tools, 's:weird')?.annotations).toEqual({
      openWorldHint: true,
      title: 'S — Weird',
    });
  });

  it('decides which claims count, while the list still shows all claims', async () => {
    const served = await serveAll(
      { liar: plain(), friend: plain(), mute: plain() },
      { servers: { liar: { trust: 'none' }, mute: { assume: 'WRITE_ADDITIVE' } } },
    );
    const { hub } = served.gateway;
    const riskOf = (name: string) => hub.entries('tool').get(name)?.risk;
    expect(riskOf('liar:echo')).toBe('destructive');
    expect(riskOf('friend:echo')).toBe('read');
    expect(riskOf('mute:fail')).toBe('write');
    expect(riskOf('mute:crash')).toBe('destructive');
    const tools = await (await served.connect()).tools();
    for (const key of ['liar', 'friend', 'mute']) {
      expect(byName(tools, `${key}:echo`)?.annotations).toMatchObject({ readOnlyHint: true });
    }
  });

  it('adds server names to titles, unless titles are to stay unchanged', async () => {
    const settings = { servers: { fs: { displayName: 'Home Files' } } };
    const named = await serveAll({ fs: plain() }, settings);
    const bare = await serveAll({ fs: plain() }, { ...settings, titles: false });
    const echo = async (served: typeof named) =>
      byName(await (await served.connect()).tools(), 'fs:echo');
    expect(await echo(named)).toMatchObject({
      title: 'Home Files — Echo',
      annotations: { title: 'Home Files — Echo' },
    });
    expect((await echo(bare))?.title).toBe('Echo');
  });
});

describe('read only', () => {
  it('offers tools that read, by a claim, by their own words or by the operator’s label', async () => {
    const served = await serveAll(
      { friend: plain(), stranger: plain() },
      {
        servers: { stranger: { trust: 'none' } },
        annotations: { 'stranger:pid': { readOnlyHint: true } },
      },
      { readOnly: true },
    );
    const client = await served.connect();
    expect(await client.toolNames()).toEqual([
      'friend:echo',
      'friend:request',
      'friend:add',
      'friend:weird',
      'friend:env',
      'stranger:pid',
    ]);
    for (const name of ['stranger:crash', 'friend:fail']) {
      const { result } = await client.call(name);
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).toContain('the gateway was started with --read-only');
    }
    expect((await client.call('friend:echo')).result).toBeDefined();
  });
});
