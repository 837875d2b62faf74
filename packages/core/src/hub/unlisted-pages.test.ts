import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import type { Interceptor } from '../source/interceptor.js';
import type { Source } from '../source/source.js';
import { fakeCall, listed, sendTo } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer } from '../testing/fake-source.js';
import type { HubOptions } from './entry-maker.js';
import { Hub } from './hub.js';
import { view } from './view.js';
import type { ViewOptions } from './view-options.js';

const PAGE = 'ui://app';

/** A server that also reads pages which it does not list. */
function server(offer: FakeOffer = {}, unlisted: readonly string[] = [PAGE]) {
  const fake = fakeSource({ tools: [showing(PAGE)], ...offer });
  const read: string[] = [];
  const source: Source = {
    ...fake.source,
    get offer() {
      return fake.source.offer;
    },
    route(kind, name) {
      const own = fake.source.route(kind, name);
      if (own || kind !== 'resource' || !unlisted.includes(name)) return own;
      return {
        send: () => {
          read.push(name);
          return Promise.resolve({ ok: true, json: `{"contents":[{"uri":"${name}"}]}` });
        },
      };
    },
  };
  return { ...fake, source, read };
}
function showing(uri: string) {
  const inputSchema = { type: 'object' };
  const definition = { name: 'show', inputSchema, _meta: { ui: { resourceUri: uri } } };
  return { name: 'show', json: JSON.stringify(definition) };
}
function hubOf(servers: Record<string, Source>, options: HubOptions = {}) {
  const hub = new Hub(options);
  for (const [key, source] of Object.entries(servers)) hub.set(key, source);
  return hub;
}
const viewOf = (hub: Hub, given: Partial<ViewOptions> = {}) =>
  view(hub, { profile: profileById('canonical'), ...given });

describe('a page that a tool names and no list has', () => {
  it('is read by its URI, and still not listed', async () => {
    const a = server();
    const seen = viewOf(hubOf({ a: a.source }));
    expect(listed(seen, 'resource')).toEqual([]);
    expect(await sendTo(seen, PAGE, 'resource')).toMatchObject({ ok: true });
    expect(a.read).toEqual([PAGE]);
    expect(seen.route('resource', 'ui://other')).toBeUndefined();
  });

  it('is found in a hub by its full name', () => {
    const hub = hubOf({ a: server().source });
    expect(hub.route('resource', `a:${PAGE}`)?.target).toMatchObject({
      kind: 'resource',
      canonical: `a:${PAGE}`,
      displayName: 'A',
    });
    expect(hub.route('resource', PAGE)).toBeUndefined();
    expect(hub.route('resource', 'a:ui://none')).toBeUndefined();
    expect(hub.route('resource', `b:${PAGE}`)).toBeUndefined();
    expect(hub.page('b', PAGE)).toBeUndefined();
    expect(hub.route('tool', `a:${PAGE}`)).toBeUndefined();
  });

  it('is the same entry until its server changes', () => {
    const a = server();
    const hub = hubOf({ a: a.source });
    const page = hub.page('a', PAGE);
    expect(hub.page('a', PAGE)).toBe(page);
    a.offers({ tools: [] });
    expect(hub.page('a', PAGE)).not.toBe(page);
  });

  it('is the listed resource if its server lists it', () => {
    const hub = hubOf({ a: server({ resources: [PAGE] }).source });
    expect(hub.page('a', PAGE)).toBe(hub.entry('resource', `a:${PAGE}`));
  });

  it('cannot be read if the operator does not admit it or withholds it', () => {
    const { source } = server();
    const hides: HubOptions[] = [
      { admits: (kind) => kind !== 'resource' },
      { withholds: ({ kind }) => (kind === 'resource' ? 'hidden' : undefined) },
    ];
    for (const options of hides) {
      const hub = hubOf({ a: source }, options);
      expect(hub.page('a', PAGE)).toBeUndefined();
      expect(viewOf(hub).route('resource', PAGE)).toBeUndefined();
      expect(listed(viewOf(hub))).toEqual(['a:show']);
    }
  });

  it('cannot be read by a client that may not see it', () => {
    const hub = hubOf({ a: server().source });
    const blind = viewOf(hub, { sees: ({ kind }) => kind !== 'resource' });
    expect(blind.route('resource', PAGE)).toBeUndefined();
    const toolless = viewOf(hub, { sees: ({ kind }) => kind !== 'tool' });
    expect(toolless.route('resource', PAGE)).toBeUndefined();
  });

  it('passes the interceptors that are made for it', async () => {
    const made: string[] = [];
    const answer = { ok: true, json: '"ours"' };
    const interceptors = ({ tool }: { tool: string }): readonly Interceptor[] => {
      made.push(tool);
      return tool === PAGE ? [() => Promise.resolve(answer)] : [];
    };
    const hub = hubOf({ a: server().source }, { interceptors });
    expect(await sendTo(hub, `a:${PAGE}`, 'resource')).toBe(answer);
    expect(made).toEqual(['show', PAGE]);
  });

  it('of two servers keeps its URI for the first, and each is read from its own server', async () => {
    const [a, b] = [server(), server()];
    const seen = viewOf(hubOf({ a: a.source, b: b.source }));
    const read = async (uri: string) => (await sendTo(seen, uri, 'resource')).json;
    expect(await read(PAGE)).toBe(`{"contents":[{"uri":"${PAGE}"}]}`);
    expect(await read('ui://b+app')).toBe('{"contents":[{"uri":"ui://b+app"}]}');
    expect([a.read, b.read]).toEqual([[PAGE], [PAGE]]);
  });

  it('takes no URI from a listed one', () => {
    const seen = viewOf(hubOf({ a: server().source, b: server({ resources: [PAGE] }).source }));
    expect(listed(seen, 'resource')).toEqual([PAGE]);
    expect(seen.route('resource', PAGE)?.target?.canonical).toBe(`b:${PAGE}`);
    expect(seen.route('resource', 'ui://a+app')?.target?.canonical).toBe(`a:${PAGE}`);
  });

  it('of a single server without a key is read by its URI', async () => {
    const { source, read } = server();
    const seen = view(source, { profile: profileById('canonical') });
    await sendTo(seen, PAGE, 'resource');
    expect(read).toEqual([PAGE]);
    const both = server({ resources: [PAGE] });
    both.answerAll({});
    const own = view(both.source, { profile: profileById('canonical') });
    await sendTo(own, PAGE, 'resource');
    expect([both.calls.length, both.read]).toEqual([1, []]);
  });
});

describe('templates of pages and skills', () => {
  it.each([
    ['ui://{id}', 'ui://b+{id}', 'ui://b+1', 'ui://1'],
    ['skill://{id}', 'skill://b/{id}', 'skill://b/1', 'skill://1'],
  ])('%s of two servers stays in its scheme as %s', async (template, moved, uri, own) => {
    const [a, b] = [fakeSource({ templates: [template] }), fakeSource({ templates: [template] })];
    b.answerAll({ contents: [{ uri: own, text: own }, { uri: 'x://1' }] });
    const seen = viewOf(hubOf({ a: a.source, b: b.source }));
    expect(listed(seen, 'template')).toEqual([template, moved]);
    const reply = await sendTo(seen, uri, 'resource');
    expect(JSON.parse(b.calls[0]!.params)).toEqual({ uri: own });
    expect(JSON.parse(reply.json)).toEqual({ contents: [{ uri, text: own }, { uri: 'x://1' }] });
  });

  it('leave errors and the replies about other resources as they are', async () => {
    const [a, b] = [1, 2].map(() => fakeSource({ templates: ['ui://{id}', 'x://{id}'] }));
    const seen = viewOf(hubOf({ a: a!.source, b: b!.source }));
    const sent = seen.route('resource', 'ui://b+1')!.send(fakeCall('{"uri":"ui://b+1"}'));
    const error = { ok: false, json: '{"uri":"ui://1"}' };
    (await b!.next()).reply(error);
    expect(await sent).toBe(error);
    const other = sendTo(seen, 'b:x://1', 'resource');
    const result = { ok: true, json: '{"contents":[{"uri":"x://1"}]}' };
    (await b!.next()).reply(result);
    expect(await other).toBe(result);
  });
});
