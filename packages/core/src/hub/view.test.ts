import { finished, profileById, type NameTableOptions } from '@callsign/naming';
import { describe, expect, it, vi } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import type { HubOptions } from './entry-maker.js';
import { Hub } from './hub.js';
import type { SourceEvent } from '../source/source.js';
import { fakeCall, listed, sendTo } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer, type FakeSource } from '../testing/fake-source.js';
import { View } from './view.js';
import type { ViewOptions } from './view-options.js';

type Options = Partial<ViewOptions> & { id?: string; hub?: HubOptions };

const options = (given: Options): ViewOptions => ({
  profile: profileById(given.id ?? 'canonical'),
  ...given,
});
const viewOf = (offers: Record<string, FakeOffer>, given: Options = {}) => {
  const hub = new Hub(given.hub);
  const servers: Record<string, FakeSource> = {};
  for (const [key, offer] of Object.entries(offers)) {
    const server = fakeSource(offer);
    server.answerAll({ from: key });
    servers[key] = server;
    hub.set(key, server.source);
  }
  return { hub, servers, view: new View(hub, options(given)) };
};
const FS = { tools: ['read_file', 'write_file'] };
const from = (key: string) => ({ ok: true, json: `{"from":"${key}"}` });

describe('names', () => {
  it.each([
    ['canonical', ['fs:read_file', 'my-db:query']],
    ['claude-desktop', ['fs__read_file', 'my-db__query']],
    ['identity', ['read_file', 'query']],
  ])('under %s are %j', async (id, names) => {
    const { view } = viewOf(
      { fs: { tools: ['read_file'] }, 'my-db': { tools: ['query'] } },
      { id },
    );
    expect(listed(view)).toEqual(names);
    expect(view.offer.tool.map(({ name }) => name)).toEqual(names);
    expect(await sendTo(view, names[1]!)).toEqual(from('my-db'));
  });

  it('that a client does not accept are hashed, and find the same tool', async () => {
    const { view } = viewOf({ 'my-db': { tools: ['läs'] } }, { id: 'cursor' });
    const [name] = listed(view) as string[];
    expect(name).toMatch(/^my_db__l_s_\w{10}$/);
    expect(await sendTo(view, name!)).toEqual(from('my-db'));
  });

  it('in the canonical form work under every profile', async () => {
    for (const id of ['canonical', 'cursor', 'identity', 'portable']) {
      const { view } = viewOf({ fs: FS }, { id });
      expect(await sendTo(view, 'fs:read_file')).toEqual(from('fs'));
    }
  });

  it(
    'keep equal tools of two servers apart',
    shows('AGG-15', async () => {
      const { view } = viewOf({
        github: { tools: ['create_issue', 'list_repos', 'get_user'] },
        gitlab: { tools: ['create_issue', 'list_projects', 'get_user'] },
      });
      expect(listed(view)).toHaveLength(6);
      for (const name of listed(view) as string[]) {
        expect(await sendTo(view, name)).toEqual(from(name.split(':')[0]!));
      }
    }),
  );

  it(
    'are looked up as a whole and never parsed',
    shows('AGG-19', async () => {
      const { view, servers } = viewOf({ a: { tools: ['b:c', 'b'] }, 'a-b': { tools: ['c'] } });
      expect(listed(view)).toEqual(['a:b:c', 'a:b', 'a-b:c']);
      const get = vi.spyOn(Map.prototype, 'get');
      const route = view.route('tool', 'a:b:c')!;
      const lookUps = get.mock.calls.map(([key]) => key as unknown);
      get.mockRestore();
      expect(lookUps).toEqual(['a:b:c']);
      await route.send(fakeCall('{"name":"a:b:c"}'));
      expect(servers['a']!.calls[0]!.params).toBe('{"name":"b:c"}');
    }),
  );

  it('of prompts follow the same rules', async () => {
    const { view } = viewOf({ a: { prompts: ['p'] }, b: { prompts: ['p'] } }, { id: 'openai' });
    expect(listed(view, 'prompt')).toEqual(['a__p', 'b__p']);
    expect(await sendTo(view, 'b__p', 'prompt')).toEqual(from('b'));
    expect(view.route('tool', 'b__p')).toBeUndefined();
  });

  it(
    'that no tool has call nothing',
    shows('AGG-43', () => {
      const { view } = viewOf({ fs: FS });
      for (const name of ['read_file', 'FS:read_file', 'fs__read_file', ':read_file', 'fs:', '']) {
        expect(view.route('tool', name)).toBeUndefined();
      }
    }),
  );

  it('do not exist for tools without a name', () => {
    for (const id of ['canonical', 'identity']) {
      const { view } = viewOf({ fs: { tools: ['', 'x'] } }, { id });
      expect(listed(view)).toHaveLength(1);
      expect(view.route('tool', 'fs:')).toBeUndefined();
      expect(view.route('tool', '')).toBeUndefined();
    }
  });
});

describe('other names', () => {
  it(
    'are aliases, which do not change the full name',
    shows('AGG-47', async () => {
      const aliases = { rf: 'fs:read_file', gone: 'fs:gone' };
      const { view } = viewOf({ fs: FS }, { aliases });
      expect(await sendTo(view, 'rf')).toEqual(from('fs'));
      expect(await sendTo(view, 'fs:read_file')).toEqual(from('fs'));
      expect(listed(view)).toEqual(['fs:read_file', 'fs:write_file']);
      expect(view.route('tool', 'gone')).toBeUndefined();
    }),
  );

  it(
    'under a renamed key are callable, not listed, and come with a warning',
    shows('AGG-45', async () => {
      for (const [id, now] of [
        ['canonical', 'filesystem:read_file'],
        ['cursor', 'filesystem__read_file'],
      ] as const) {
        const { view, servers } = viewOf({ filesystem: FS }, { id, renamed: { fs: 'filesystem' } });
        expect(listed(view)).not.toContain('fs:read_file');
        for (const old of id === 'cursor' ? ['fs:read_file', 'fs__read_file'] : ['fs:read_file']) {
          const { ok, json } = await sendTo(view, old);
          expect(ok).toBe(true);
          expect(JSON.parse(json)).toEqual({
            from: 'filesystem',
            _meta: {
              'callsign/deprecated': `"${old}" is an old name of filesystem:read_file; call it ${now}.`,
            },
          });
          expect(servers['filesystem']!.calls.at(-1)!.params).toBe('{"name":"read_file"}');
          expect(view.route('tool', old)!.item).toBe(view.route('tool', now)!.item);
        }
        expect(JSON.parse((await sendTo(view, now)).json)).toEqual({ from: 'filesystem' });
      }
    }),
  );

  it('leave errors and unusual results unchanged', async () => {
    const { view, hub } = viewOf({}, { renamed: { fs: 'filesystem' } });
    const { source, next } = fakeSource(FS);
    hub.set('filesystem', source);
    for (const reply of [
      { ok: false, json: '{"code":-32000,"message":"no"}' },
      { ok: true, json: '"odd"' },
    ]) {
      const sent = sendTo(view, 'fs:read_file');
      (await next()).reply(reply);
      expect(await sent).toEqual(reply);
    }
  });

  it('give way to a server that has the old key again', async () => {
    const { view } = viewOf({ filesystem: FS, fs: FS }, { renamed: { fs: 'filesystem' } });
    expect(await sendTo(view, 'fs:read_file')).toEqual(from('fs'));
  });

  it('are reported as listed, even where two tools share the name', async () => {
    const given = { id: 'identity', renamed: { old: 'a' } };
    const { view } = viewOf({ a: FS, b: FS }, given);
    const { json } = await sendTo(view, 'old:read_file');
    expect(json).toContain('is an old name of a:read_file; call it a:read_file.');
  });
});

describe('a name that two tools would share', () => {
  it('belongs to neither: both are listed and called by their canonical names', async () => {
    const { view } = viewOf({ a: { tools: ['x', 'y'] }, b: { tools: ['x'] } }, { id: 'identity' });
    expect(listed(view)).toEqual(['a:x', 'y', 'b:x']);
    expect(view.route('tool', 'x')).toBeUndefined();
    for (const key of ['a', 'b']) expect(await sendTo(view, `${key}:x`)).toEqual(from(key));
    expect(view.table('tool').problems.map(({ code }) => code)).toContain('collision');
  });

  it('is free again when one of them leaves', async () => {
    const { view, hub } = viewOf({ a: { tools: ['x'] }, b: { tools: ['x'] } }, { id: 'identity' });
    expect(view.route('tool', 'x')).toBeUndefined();
    hub.remove('a');
    expect(listed(view)).toEqual(['x']);
    expect(await sendTo(view, 'x')).toEqual(from('b'));
  });

  it('never finds a tool whose name looks like the canonical name of another', async () => {
    const offers = { a: { tools: ['x'] }, b: { tools: ['x'] }, evil: { tools: ['a:x'] } };
    const { view } = viewOf(offers, { id: 'identity' });
    const names = listed(view);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(['b:x', 'a:x']);
    expect(await sendTo(view, 'a:x')).toEqual(from('evil'));
    expect(view.table('tool').problems.map(({ code }) => code)).toContain('shadowed-name');
  });
});

describe('unknown names', () => {
  it(
    'are checked for their form before their existence',
    shows('AGG-25', () => {
      const { view } = viewOf({ fs: FS });
      const message = (name: string) => finished(view.explainUnknown('tool', name)).message;
      expect(message('zzz')).toBe('Tool name must be prefixed with server key: zzz');
      expect(message(':zzz')).toBe('Invalid tool name format: :zzz');
      expect(message('zzz:')).toBe('Invalid tool name format: zzz:');
      expect(message(':')).toBe('Invalid tool name format: :');
      expect(message('zzz:qqq')).toBe('Tool not found: zzz:qqq');
    }),
  );

  it('get suggestions in the client’s own spelling, from the current tools', () => {
    const { view, servers } = viewOf({ fs: FS }, { id: 'cursor' });
    expect(finished(view.explainUnknown('tool', 'fs__raed_file'))).toMatchObject({
      kind: 'not-found',
      suggestions: ['fs__read_file'],
      message: 'Tool not found: fs__raed_file\nDid you mean: fs__read_file?',
    });
    servers['fs']!.offers({ tools: ['read_line'] });
    expect(finished(view.explainUnknown('tool', 'fs__raed_file')).suggestions).not.toContain(
      'fs__read_file',
    );
  });

  it('never get a suggestion that does not work', () => {
    const { view } = viewOf({ a: FS, b: FS, c: FS, d: FS }, { id: 'identity' });
    const { message, suggestions } = finished(view.explainUnknown('tool', 'read_file'));
    expect(suggestions).toEqual(['a:read_file', 'b:read_file', 'c:read_file']);
    expect(message).toBe(
      'Tool not found: read_file\nDid you mean: a:read_file or b:read_file or c:read_file?',
    );
    for (const name of suggestions) expect(view.route('tool', name)).toBeDefined();
  });

  it('of prompts are reported as prompts', () => {
    const { view } = viewOf({ fs: { prompts: ['tool'] } });
    const message = (name: string) => finished(view.explainUnknown('prompt', name)).message;
    expect(message('zzz')).toBe('Prompt name must be prefixed with server key: zzz');
    expect(message('tool:')).toMatch(/^Invalid prompt name format: tool:/);
    expect(message('fs:tol')).toBe('Prompt not found: fs:tol\nDid you mean: fs:tool?');
  });
});

describe('a definition that clients would refuse', () => {
  it('F4: says that its arguments are an object, so that the list of all tools is not refused', () => {
    const tools = [
      { name: 't', json: '{"name":"t","inputSchema":{"$schema":"x"}}' },
      { name: 'u', json: '{"name":"u"}' },
    ];
    const { view } = viewOf({ s: { tools } }, { titles: false });
    expect(view.offer.tool.map(({ json }) => json)).toEqual([
      '{"name":"s:t","inputSchema":{"$schema":"x","type":"object"}}',
      '{"name":"s:u","inputSchema":{"type":"object"}}',
    ]);
  });
});

describe('definitions', () => {
  const tool = (json: string) => ({ name: 't', json });
  const shown = (json: string, given: Options = {}) =>
    viewOf({ 'apple-mail': { tools: [tool(json)] } }, given).view.offer.tool[0]!.json;

  it(
    'have the full name, and the rest unchanged',
    shows('AGG-32', () => {
      const rest =
        ' "x-new" :[1.0,12345678901234567890],"annotations":{"readOnlyHint":false ,"x":1e400},' +
        '"inputSchema":{"type":"object","properties":{"name":{"type":"string"}}}, "é":"\\u00e9" }';
      expect(shown(`{"name":"t",${rest}`, { titles: false })).toBe(
        `{"name":"apple-mail:t",${rest}`,
      );
    }),
  );

  it('keep explicit false, unknown fields and big numbers beside our title', () => {
    const json =
      '{"name":"t", "title" : "T","inputSchema":{"type":"object"},"big":12345678901234567890,' +
      '"annotations":{"destructiveHint":false,"x-risk":1.0},"_meta":{"a":[ ]}}';
    expect(shown(json)).toBe(
      '{"name":"apple-mail:t", "title" : "Apple Mail — T","inputSchema":{"type":"object"},"big":12345678901234567890,' +
        '"annotations":{"destructiveHint":false,"x-risk":1.0,"title":"Apple Mail — T"},"_meta":{"a":[ ]}}',
    );
  });

  it.each([
    ['{"name":"t","title":"Send"}', 'Apple Mail — Send'],
    ['{"name":"t","annotations":{"title":"Old place"}}', 'Apple Mail — Old place'],
    ['{"name":"t","title":"New","annotations":{"title":"Old"}}', 'Apple Mail — New'],
    ['{"name":"t","title":"Apple Mail: send"}', 'Apple Mail: send'],
    ['{"name":"t"}', 'Apple Mail — T'],
    ['{"name":"t","title":7,"annotations":null}', 'Apple Mail — T'],
    ['{"name":"t","annotations":[]}', 'Apple Mail — T'],
  ])('of %s have the title %s in both places', (json, title) => {
    const read = JSON.parse(shown(json)) as { annotations: unknown };
    expect(read).toMatchObject({ title, annotations: { title } });
    expect(Array.isArray(read.annotations)).toBe(false);
  });

  it('have a title only where one can be made', () => {
    const { view } = viewOf({ ' ': { tools: ['!!'] } });
    expect(JSON.parse(view.offer.tool[0]!.json)).toEqual({
      name: ' :!!',
      inputSchema: { type: 'object' },
    });
  });

  it('show the operator’s overrides, and not the operator’s assumptions', () => {
    const label: HubOptions['label'] = () => ({
      override: { readOnlyHint: true, openWorldHint: undefined },
      assumed: { idempotentHint: true },
      trust: 'none',
      title: 'Ours',
    });
    const json = '{"name":"t","annotations":{"readOnlyHint":false,"destructiveHint":false}}';
    expect(JSON.parse(shown(json, { hub: { label } }))).toEqual({
      inputSchema: { type: 'object' },
      name: 'apple-mail:t',
      title: 'Apple Mail — Ours',
      annotations: { readOnlyHint: true, destructiveHint: false, title: 'Apple Mail — Ours' },
    });
    expect(JSON.parse(shown(json, { hub: { label }, titles: false }))).toEqual({
      inputSchema: { type: 'object' },
      name: 'apple-mail:t',
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  it('show inferred hints where the server is silent, if configured', () => {
    const tools = [
      { name: 'list_users', annotations: { openWorldHint: false } },
      { name: 'create_user' },
      { name: 'delete_all', annotations: { readOnlyHint: true } },
      { name: 'thing' },
    ];
    const items = tools.map((each) => ({ name: each.name, json: JSON.stringify(each) }));
    const annotationsUnder = (annotate: boolean): unknown[] => {
      const { view } = viewOf({ s: { tools: items } }, { titles: false, annotate });
      return view.offer.tool.map(
        ({ json }) => (JSON.parse(json) as { annotations?: unknown }).annotations,
      );
    };
    expect(annotationsUnder(false)).toEqual(tools.map(({ annotations }) => annotations));
    expect(annotationsUnder(true)).toEqual([
      { openWorldHint: false, readOnlyHint: true, destructiveHint: false },
      { readOnlyHint: false, destructiveHint: false },
      { readOnlyHint: true },
      undefined,
    ]);
  });

  it('of prompts change in their names only', () => {
    const json = '{"title":"T","name":"p" ,"x":1.0}';
    const { view } = viewOf({ s: { prompts: [{ name: 'p', json }] } });
    expect(view.offer.prompt).toEqual([
      { name: 's:p', json: '{"title":"T","name":"s:p" ,"x":1.0}' },
    ]);
  });
});

describe('an item that a client may not see', () => {
  const hidden = (given: Options = {}) =>
    viewOf(
      {
        fs: { ...FS, prompts: ['write_poem'], resources: ['file:///secret'] },
        vault: { tools: ['open'], templates: ['vault://{key}'] },
      },
      {
        sees: ({ canonical }) => !/write|secret|vault/.test(canonical),
        aliases: { w: 'fs:write_file', r: 'fs:read_file' },
        renamed: { files: 'fs' },
        ...given,
      },
    );

  it('is in no list, and callable under no spelling', async () => {
    for (const id of ['canonical', 'claude-desktop']) {
      const { view } = hidden({ id });
      expect(listed(view)).toEqual([id === 'canonical' ? 'fs:read_file' : 'fs__read_file']);
      expect(listed(view, 'prompt')).toEqual([]);
      expect(listed(view, 'resource')).toEqual([]);
      expect(listed(view, 'template')).toEqual([]);
      const spellings = ['fs:write_file', 'fs__write_file', 'w', 'files:write_file', 'vault:open'];
      for (const name of spellings) expect(view.route('tool', name)).toBeUndefined();
      for (const uri of ['file:///secret', 'fs:file:///secret', 'vault://a', 'vault:vault://a'])
        expect(view.route('resource', uri)).toBeUndefined();
      expect(await sendTo(view, 'r')).toEqual(from('fs'));
    }
  });

  it('is not suggested either', () => {
    const { view } = hidden();
    expect(finished(view.explainUnknown('tool', 'fs:write_fil')).suggestions).not.toContain(
      'fs:write_file',
    );
    expect(finished(view.explainUnknown('tool', 'vault:opn')).suggestions).toEqual([]);
  });

  it('becomes visible with other rules, and unchanged items stay the same objects', () => {
    const { view, servers } = hidden();
    const [before] = view.offer.tool;
    servers['vault']!.offers({ tools: ['open', 'close'] });
    expect(view.offer.tool[0]).toBe(before);
    view.reconfigure(options({}));
    expect(listed(view)).toEqual(['fs:read_file', 'fs:write_file', 'vault:open', 'vault:close']);
    expect(listed(view, 'resource')).toEqual(['file:///secret']);
  });
});

describe('changes', () => {
  const names: NameTableOptions = { profile: profileById('cursor') };

  it('are visible at the next read, and unchanged items are the same objects', async () => {
    const { view, servers, hub } = viewOf({ a: { ...FS, prompts: ['p'] }, b: FS });
    const before = view.offer;
    expect(view.offer).toBe(before);
    servers['a']!.offers({ tools: ['append'] });
    expect(view.route('tool', 'a:read_file')).toBeUndefined();
    expect(await sendTo(view, 'a:append')).toEqual(from('a'));
    expect(view.offer).not.toBe(before);
    expect(listed(view)).toEqual(['a:append', 'b:read_file', 'b:write_file']);
    expect(view.offer.tool[1]).toBe(before.tool[2]);
    expect(view.offer.prompt).toBe(before.prompt);
    hub.arrange(['b', 'a']);
    expect(listed(view)).toEqual(['b:read_file', 'b:write_file', 'a:append']);
  });

  it('are in the offer when they are announced, for every listener', () => {
    const { hub, servers } = viewOf({ a: FS });
    const seen: unknown[] = [];
    const views: View[] = [];
    const look = () => seen.push(...views.map((view) => listed(view)));
    hub.subscribe(look);
    views.push(new View(hub, names));
    views[0]!.subscribe(look);
    servers['a']!.offers({ tools: ['x'] });
    expect(seen).toEqual([['a__x'], ['a__x']]);
  });

  it('of capabilities are announced too', () => {
    const { view, servers } = viewOf({ a: FS });
    const before = view.offer;
    servers['a']!.offers({ abilities: ['completions'] });
    expect(view.offer.abilities).toEqual(new Set(['completions']));
    expect(view.offer.tool).toBe(before.tool);
  });

  it('of the rules apply to every holder of the view', async () => {
    const label = { override: { readOnlyHint: true } };
    const { view } = viewOf({ a: FS }, { hub: { label: () => label } });
    expect(listed(view)).toEqual(['a:read_file', 'a:write_file']);
    view.reconfigure({ ...names, titles: false, aliases: { rf: 'a:read_file' } });
    expect(listed(view)).toEqual(['a__read_file', 'a__write_file']);
    expect(view.offer.tool[0]!.json).not.toContain('title');
    expect(await sendTo(view, 'rf')).toEqual(from('a'));
    expect(view.table('tool').tools.map(({ name }) => name)).toEqual(listed(view));
    view.reconfigure({ ...names, titles: true });
    expect(view.offer.tool[0]!.json).toContain('A — Read File');
    expect(view.route('tool', 'rf')).toBeUndefined();
  });

  it('of labels are seen', () => {
    let title = 'One';
    const { view, hub } = viewOf({ a: FS }, { hub: { label: () => ({ title }) } });
    expect(view.offer.tool[0]!.json).toContain('A — One');
    title = 'Two';
    hub.refresh();
    expect(view.offer.tool[0]!.json).toContain('A — Two');
  });

  it('are not announced after the view is closed or the listener has gone', () => {
    const { view, servers } = viewOf({ a: FS });
    const heard = vi.fn<(event: SourceEvent) => void>();
    const stop = view.subscribe(heard);
    view.subscribe((event) => heard(event))();
    servers['a']!.offers({ tools: ['x'] });
    stop();
    view.subscribe(heard);
    view.close();
    servers['a']!.offers({ tools: ['y'] });
    expect(heard).toHaveBeenCalledTimes(1);
    expect(listed(view)).toEqual(['a:y']);
    view.tell('m', '{}');
    expect(servers['a']!.told).toEqual(['m {}']);
  });
});

describe('resources', () => {
  it('keep their URIs, and two with equal URIs can both be read', async () => {
    const { view, servers } = viewOf({
      a: { resources: ['memo://x', 'a://1'] },
      b: { resources: ['memo://x'] },
    });
    expect(listed(view, 'resource')).toEqual(['memo://x', 'a://1', 'b:memo://x']);
    expect(await sendTo(view, 'memo://x', 'resource')).toEqual(from('a'));
    expect(await sendTo(view, 'a:memo://x', 'resource')).toEqual(from('a'));
    expect(await sendTo(view, 'b:memo://x', 'resource')).toEqual(from('b'));
    expect(servers['b']!.calls[0]!.params).toBe('{"uri":"memo://x"}');
    expect(view.route('resource', 'memo://y')).toBeUndefined();
  });

  it('announce updates by the URI that the client sees', () => {
    const offer = { resources: ['x://1'] };
    const { view, servers } = viewOf({ a: offer, b: offer });
    const heard: unknown[] = [];
    view.subscribe((event) => heard.push('uri' in event && [event.uri, event.params]));
    const update = (uri: string, params: string) =>
      ({ type: 'resource-updated', uri, params }) as const;
    servers['a']!.emit(update('x://1', '{"uri":"x://1"}'));
    servers['b']!.emit(update('x://1', '{"n":1.0,"uri":"x://1"}'));
    servers['b']!.emit(update('x://unlisted', '{"uri":"x://unlisted"}'));
    expect(heard).toEqual([
      ['x://1', '{"uri":"x://1"}'],
      ['b:x://1', '{"n":1.0,"uri":"b:x://1"}'],
      ['x://unlisted', '{"uri":"x://unlisted"}'],
    ]);
  });

  it('announce updates of resources behind templates to the right client only', () => {
    const offer = { templates: ['x://{id}'] };
    const { view, servers } = viewOf({ a: offer, b: offer, c: {} });
    const heard: unknown[] = [];
    view.subscribe((event) => heard.push('uri' in event && event.uri));
    const update = { type: 'resource-updated', uri: 'x://1', params: '{"uri":"x://1"}' } as const;
    for (const server of ['a', 'b', 'c']) servers[server]!.emit(update);
    expect(heard).toEqual(['x://1', 'b:x://1']);
  });

  it('are found and completed by template, at each server that has it', async () => {
    const offer = { templates: ['x://{id}'] };
    const { view, servers } = viewOf({ a: offer, b: offer });
    expect(listed(view, 'template')).toEqual(['x://{id}', 'b:x://{id}']);
    await sendTo(view, 'x://1', 'resource');
    await sendTo(view, 'b:x://2', 'resource');
    await sendTo(view, 'b:x://{id}', 'template');
    await sendTo(view, 'x://{id}', 'template');
    const received = (key: string) => servers[key]!.calls.map(({ params }) => params);
    expect(received('a')).toEqual(['{"uri":"x://1"}', '{"uri":"x://{id}"}']);
    expect(received('b')).toEqual(['{"uri":"x://2"}', '{"uri":"x://{id}"}']);
  });

  it('that are not admitted cannot be read through a template either', () => {
    const admits: HubOptions['admits'] = (_, { tool }) => !tool.includes('secret');
    const { view } = viewOf({ a: { templates: ['x://{id}'] } }, { hub: { admits } });
    expect(view.route('resource', 'x://1')).toBeDefined();
    expect(view.route('resource', 'x://secret')).toBeUndefined();
  });

  it('of a hub within a hub keep their URIs too', async () => {
    const { hub: inner, servers } = viewOf({
      a: { resources: ['x://1'], templates: ['y://{id}'] },
      b: { resources: ['x://1'], templates: ['y://{id}'] },
    });
    const hub = new Hub();
    hub.set('team', inner);
    const view = new View(hub, options({}));
    expect(listed(view, 'resource')).toEqual(['x://1', 'team:b:x://1']);
    expect(listed(view, 'template')).toEqual(['y://{id}', 'team:b:y://{id}']);
    await sendTo(view, 'x://1', 'resource');
    await sendTo(view, 'y://1', 'resource');
    await sendTo(view, 'team:b:x://1', 'resource');
    await sendTo(view, 'team:b:y://2', 'resource');
    const received = (key: string) => servers[key]!.calls.map(({ params }) => params);
    expect(received('a')).toEqual(['{"uri":"x://1"}', '{"uri":"y://1"}']);
    expect(received('b')).toEqual(['{"uri":"x://1"}', '{"uri":"y://2"}']);
  });
});
