import { describe, expect, it, vi } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { configured, plain, serveAll } from '../testing/served.js';

const ITEMS = Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}` }));
const IMAGE = { type: 'image', data: 'x'.repeat(5_000), mimeType: 'image/png' };
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

/** A gateway over a server that echoes, and a client of it. */
async function served(results: object = { previewAbove: 2_000 }, settings: object = {}) {
  const env = { ...process.env, XDG_STATE_HOME: scratch() };
  const all = await serveAll({ fs: plain() }, { results, ...settings }, { env });
  return { ...all, gateway: all.gateway, logged: all.logged, all, client: await all.connect() };
}

interface Preview {
  readonly id: string;
  readonly uri: string;
  readonly shape: string;
  readonly begins: string;
}

type Client = Awaited<ReturnType<typeof served>>['client'];

async function preview(client: Client, args: object = { items: ITEMS }): Promise<Preview> {
  const { result } = await client.call('fs:echo', args);
  return result!.structuredContent!['callsignPreview'] as Preview;
}

const read = async (client: Client, args: object) => {
  const { result } = await client.call('callsign:read_result', args);
  const { content, isError } = result as unknown as { content: { text: string }[]; isError?: true };
  return { text: content[0]!.text, note: content[1]?.text, isError };
};

describe('a long result', () => {
  it('is a preview for both ways to show a result, with a link', async () => {
    const { client } = await served();
    const { result } = await client.call('fs:echo', { items: ITEMS });
    const { id, uri, shape } = result!.structuredContent!['callsignPreview'] as Preview;
    expect(shape).toBe('{ "items": array of 500: { "id": number, "name": string } }');
    const [text, link] = result!.content as unknown as { text: string; uri: string }[];
    expect(text!.text).toContain(`with the id "${id}"`);
    expect(text!.text).toContain(shape);
    expect(text!.text).toContain('{"items":[{"id":0');
    expect(text!.text).toContain('item 499"}]}');
    expect(link).toMatchObject({ type: 'resource_link', uri, mimeType: 'application/json' });
    expect(text!.text.length).toBeLessThan(2_500);
  });

  it('is read on by JMESPath, characters and lines', async () => {
    const { client } = await served();
    const { id } = await preview(client, { items: ITEMS, text: 'x' });
    expect(
      JSON.parse((await read(client, { id, jmespath: 'items[?id == `7`].name' })).text),
    ).toEqual(['item 7']);
    expect(await read(client, { id, jmespath: 'items' })).toMatchObject({
      text: expect.stringMatching(/^.{2000}$/s) as string,
      note: expect.stringContaining('narrow the expression') as string,
    });
    expect(await read(client, { id, range: [0, 9] })).toMatchObject({
      text: '{"items":',
      note: expect.stringContaining('Characters 0 to 9 of') as string,
    });
    expect((await read(client, { id, lines: [1, 5] })).note).toContain('Lines 1 to 1 of 1.');
    for (const wrong of [
      { id },
      { id, range: [5, 1] },
      { id, range: [0, 1], lines: [1, 2] },
      { id, lines: ['1', 2] },
      { id, jmespath: 'items[' },
      { id: 'none', range: [0, 1] },
      { range: [0, 1] },
    ])
      expect(await read(client, wrong), JSON.stringify(wrong)).toMatchObject({ isError: true });
  });

  it('that is no JSON is read by characters and lines', async () => {
    const { client } = await served();
    const { result } = await client.call('fs:big', { bytes: 9_000 });
    expect(result!.structuredContent).toBeUndefined();
    const id = /with the id "([^"]+)"/.exec(result!.content[0]!.text)![1]!;
    expect((await read(client, { id, range: [8_990, 9_999] })).text).toBe('x'.repeat(10));
    expect(await read(client, { id, jmespath: '@' })).toMatchObject({ isError: true });
  });

  it.each(['crude', 'search'])('is a preview behind the view "%s" too', async (view) => {
    const { client } = await served({ previewAbove: 2_000 }, { servers: { fs: { view } } });
    const outer = view === 'crude' ? 'fs:mcpaql_read' : 'fs:call';
    const names = await client.toolNames();
    expect(names).toContain(outer);
    const { result } = await client.call(outer, { operation: 'echo', params: { items: ITEMS } });
    const json = JSON.stringify(result);
    expect(json.length).toBeLessThan(12_000);
    const id = /with the id [^\w-]*([\w-]+)/.exec(json)![1]!;
    expect((await read(client, { id, jmespath: 'length(items)' })).text).toBe('500');
  });

  it('is read whole as a resource', async () => {
    const { client } = await served();
    const { uri } = await preview(client);
    const { result } = await client.request<{ contents: { text: string }[] }>('resources/read', {
      uri,
    });
    expect(JSON.parse(result!.contents[0]!.text)).toEqual({ items: ITEMS });
    const other = await client.request('resources/read', { uri: 'callsign://results/none' });
    expect(other.error).toMatchObject({ code: -32602 });
  });

  it('belongs to its caller: another session does not know its id', async () => {
    const { client, all } = await served();
    const { id, uri } = await preview(client);
    const other = await all.connect();
    expect(await read(other, { id, range: [0, 9] })).toMatchObject({ isError: true });
    expect((await other.request('resources/read', { uri })).error).toBeDefined();
  });

  it('comes whole to clients that shorten results themselves, unless they are named', async () => {
    const { all } = await served({ previewAbove: { '*': 2_000 } });
    const claude = await all.connect('claude-code');
    expect(await claude.toolNames()).not.toContain('callsign__read_result');
    const whole = await claude.call('fs__echo', { items: ITEMS });
    expect(whole.result?.structuredContent).toEqual({ items: ITEMS });
    const named = await served({ previewAbove: { 'claude-code': 2_000 } });
    const { result } = await (
      await named.all.connect('claude-code')
    ).call('fs__echo', { items: ITEMS });
    expect(result?.structuredContent).toHaveProperty('callsignPreview');
    expect(await named.client.toolNames()).not.toContain('callsign:read_result');
  });

  it('comes whole to callers who may not read on', async () => {
    const access = { access: { anonymous: ['reader'] }, roles: { reader: { allow: ['fs:*'] } } };
    const { client } = await served({ previewAbove: 2_000 }, access);
    const { result } = await client.call('fs:echo', { items: ITEMS });
    expect(result?.structuredContent).toEqual({ items: ITEMS });
  });

  it('comes whole in a set that leaves out the tool which reads on, and in no other set', async () => {
    const sets = { small: { tools: ['fs:echo'] }, alone: { exclude: ['callsign:*'] } };
    const settings = { results: { previewAbove: 2_000 }, sets };
    const asked = async (set: string) => {
      const env = { ...process.env, XDG_STATE_HOME: scratch() };
      const client = await (await serveAll({ fs: plain() }, settings, { env, set })).connect();
      return { client, result: (await client.call('fs:echo', { items: ITEMS })).result };
    };
    const [small, alone] = [await asked('small'), await asked('alone')];
    expect(alone.result?.structuredContent).toEqual({ items: ITEMS });
    const { id } = small.result!.structuredContent!['callsignPreview'] as Preview;
    expect((await read(small.client, { id, jmespath: 'length(items)' })).text).toBe('500');
  });

  it('never stands behind a schema for results that it does not match', async () => {
    const { client, gateway } = await served();
    const add = async () =>
      (await client.tools()).find(({ name }) => name === 'fs:add') as { outputSchema?: object };
    expect((await add()).outputSchema).toBeUndefined();
    await gateway.apply(configured({ fs: plain() }));
    expect((await add()).outputSchema).toBeDefined();
    expect(await client.toolNames()).not.toContain('callsign:read_result');
  });
});

describe('secrets in results', () => {
  const ask = async (secrets: string) => {
    const { client, logged } = await served({ secrets });
    const { result } = await client.call('fs:echo', { password: TOKEN, n: 1 });
    return { result, logged: logged.filter((line) => line.includes('secret')) };
  };

  it('are passed on by default, and with a warning in mode "log"', async () => {
    const [off, log] = [await ask('off'), await ask('log')];
    for (const { result } of [off, log])
      expect(result!.structuredContent).toEqual({ password: TOKEN, n: 1 });
    expect(off.logged).toEqual([]);
    expect(log.logged).toEqual([
      'warning: The result of fs:echo contains 2 values that look like a secret.',
    ]);
  });

  it('are masked, and the result stays JSON', async () => {
    const { result } = await ask('mask');
    expect(result!.structuredContent).toEqual({ password: '[redacted]', n: 1 });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it('block a result, in words that a model understands', async () => {
    const { result } = await ask('block');
    expect(result).toMatchObject({ isError: true });
    expect(result!.content[0]!.text).toContain('The result of fs:echo was not passed on');
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it('are masked before a long result is stored', async () => {
    const { client } = await served({ secrets: 'mask', previewAbove: 2_000 });
    const { id } = await preview(client, { items: ITEMS, password: TOKEN });
    expect((await read(client, { id, jmespath: 'password' })).text).toBe('"[redacted]"');
  });
});

it('errors, images and short results are never held back', async () => {
  const { Results } = await import('./results.js');
  const { fakeCall } = await import('@callsign/core/testing');
  const { RESULTS } = await import('../config/result-settings.js');
  const log = vi.fn();
  const results = new Results({
    settings: () => RESULTS.parse({ previewAbove: 2_000 }),
    folder: scratch(),
    log,
    profileOf: () => 'canonical',
    mayRead: () => true,
  });
  const target = { kind: 'tool', ref: { server: 's', tool: 't' }, canonical: 's:t' } as never;
  const call = fakeCall('{"name":"s:t"}').with({ target });
  const passed = async (result: object) => {
    const json = JSON.stringify(result);
    return JSON.parse((await results.passed(call, { ok: true, json })).json) as typeof result;
  };
  const text = { type: 'text', text: 'y'.repeat(5_000) };
  for (const same of [
    { content: [text], isError: true },
    { content: [IMAGE] },
    { resultType: 'input_required', requestState: 'z'.repeat(5_000) },
    { task: { taskId: 'z'.repeat(5_000) } },
  ])
    expect(await passed(same)).toEqual(same);
  const both = (await passed({ content: [text, IMAGE], _meta: { a: 1 } })) as unknown as {
    content: object[];
  };
  expect(both).toMatchObject({ _meta: { a: 1 } });
  expect(both.content.slice(1)).toMatchObject([{ type: 'resource_link' }, IMAGE]);
  results.close();
});
