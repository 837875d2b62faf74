import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import type { Sight } from '../call/sight.js';
import type { SourceEvent } from '../source/source.js';
import { fakeCall, listed, sendTo } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer } from '../testing/fake-source.js';
import { Hub, hub } from './hub.js';
import { view } from './view.js';
import type { ViewOptions } from './view-options.js';

const profile = profileById('canonical');

function viewOf(offers: Record<string, FakeOffer>, given: Partial<ViewOptions> = {}) {
  const servers = Object.fromEntries(
    Object.entries(offers).map(([key, offer]) => [key, fakeSource(offer)]),
  );
  const all = new Hub();
  for (const [key, { source }] of Object.entries(servers)) all.set(key, source);
  const seen = view(all, { profile, ...given });
  const heard: SourceEvent[] = [];
  seen.subscribe((event) => heard.push(event));
  return { all, servers, seen, heard };
}
const hides =
  (...hidden: readonly string[]): Sight =>
  ({ canonical }) =>
    !hidden.includes(canonical);

describe('a change', () => {
  const offers = { a: { tools: ['x', 'y'], prompts: ['p'] }, b: { tools: ['z'] } };

  it('of items that a client may not see is not announced to it', () => {
    const { servers, heard } = viewOf(offers, { sees: hides('a:y', 'a:w') });
    servers['a']!.offers({ tools: ['x', 'y', 'w'] });
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool'] }]);
    heard.length = 0;
    // The hub makes new entries for a server that announces a change.
    servers['b']!.offers({ prompts: ['q'] });
    expect(heard).toEqual([{ type: 'changed', kinds: ['prompt'] }]);
  });

  it('of a hidden server is not announced', () => {
    const { servers, heard } = viewOf(offers, { sees: ({ ref }) => ref.server !== 'b' });
    servers['b']!.offers({ tools: ['z', 'zz'] });
    servers['b']!.offers({ tools: [] });
    expect(heard).toEqual([]);
  });

  it('of capabilities alone is announced to every client', () => {
    const { servers, heard } = viewOf(offers, { sees: ({ ref }) => ref.server !== 'b' });
    servers['b']!.offers({ abilities: ['logging'] });
    expect(heard).toEqual([{ type: 'changed', kinds: [] }]);
  });

  it('names only the kinds in which something changed for the client', () => {
    const { servers, heard } = viewOf(offers, { sees: ({ kind }) => kind !== 'prompt' });
    servers['a']!.offers({ tools: ['x'], prompts: ['q'] });
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool'] }]);
  });

  it('that removes the last visible item is announced', () => {
    const { servers, heard } = viewOf(offers, { sees: hides('b:z') });
    servers['a']!.offers({ tools: [] });
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool'] }]);
  });

  it('of the rules is compared with what the client was told before', () => {
    const { all, seen, heard } = viewOf(offers, { sees: hides('b:z') });
    seen.reconfigure({ profile, sees: hides('a:x', 'a:y', 'b:z') });
    all.set('c', fakeSource({ prompts: ['r'] }).source);
    expect(heard).toEqual([{ type: 'changed', kinds: ['prompt'] }]);
    heard.length = 0;
    all.arrange(['c', 'b', 'a']);
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool', 'prompt'] }]);
  });

  it('after the client may see everything is announced as it is', () => {
    const { servers, seen, heard } = viewOf(offers, { sees: hides('b:z') });
    seen.reconfigure({ profile });
    servers['a']!.emit({ type: 'changed', kinds: ['prompt'] });
    servers['a']!.emit({ type: 'changed', kinds: ['prompt'] });
    expect(heard).toEqual([
      { type: 'changed', kinds: ['prompt'] },
      { type: 'changed', kinds: ['prompt'] },
    ]);
  });

  it('comes from the new source after the source was replaced, and no longer from the old', () => {
    const { servers, seen, heard } = viewOf(offers);
    const other = fakeSource({ tools: ['n'] });
    seen.reconfigure({ profile }, hub({ n: other.source }));
    expect(listed(seen)).toEqual(['n:n']);
    servers['a']!.offers({ tools: ['x'] });
    expect(heard).toEqual([]);
    other.offers({ tools: ['m'] });
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool'] }]);
  });
});

describe('an event of a server', () => {
  const offers = { a: { tools: ['x'] }, b: { resources: ['x://1'], templates: ['y://{id}'] } };

  it.each(['log', 'task', 'elicitation'] as const)(
    'of type %s reaches clients that may see the server, and no others',
    (type) => {
      const { servers, heard } = viewOf(offers, { sees: ({ ref }) => ref.server !== 'b' });
      servers['a']!.emit({ type, params: '{}' });
      servers['b']!.emit({ type, params: '{}' });
      expect(heard).toEqual([{ type, params: '{}', server: 'a' }]);
    },
  );

  it('about a resource reaches clients that may see the resource', () => {
    const { servers, heard } = viewOf(offers, { sees: hides('b:x://1', 'b:y://secret') });
    const uris = ['x://1', 'y://1', 'y://secret', 'z://1'];
    for (const uri of uris)
      servers['b']!.emit({ type: 'resource-updated', uri, params: `{"uri":"${uri}"}` });
    expect(heard.map((event) => 'uri' in event && event.uri)).toEqual(['y://1']);
  });

  it('about a resource that a hidden template leads to reaches clients that may see it', () => {
    const { servers, heard } = viewOf(offers, { sees: hides('b:y://{id}') });
    servers['b']!.emit({ type: 'resource-updated', uri: 'y://1', params: '{"uri":"y://1"}' });
    expect(heard).toHaveLength(1);
  });

  it('without a key reaches clients that may see the single server', () => {
    const fake = fakeSource({ tools: ['x'] });
    const [open, closed] = [true, false].map((isSeen) => {
      const heard: SourceEvent[] = [];
      view(fake.source, { profile, sees: () => isSeen }).subscribe((event) => heard.push(event));
      return heard;
    });
    fake.emit({ type: 'log', params: '{}' });
    expect([open!.length, closed!.length]).toEqual([1, 0]);
  });
});

describe('a hidden template', () => {
  const offers = { b: { templates: ['y://{id}'] } };

  it('is not listed and not completed, and resources behind it can be read', () => {
    const { seen } = viewOf(offers, { sees: hides('b:y://{id}', 'b:y://secret') });
    expect(listed(seen, 'template')).toEqual([]);
    expect(seen.route('template', 'y://{id}')).toBeUndefined();
    expect(seen.route('resource', 'y://1')).toBeDefined();
    expect(seen.route('resource', 'y://secret')).toBeUndefined();
  });

  it('takes no URI from a visible one', () => {
    const twin = { a: { templates: ['y://{id}'] }, ...offers };
    const { seen } = viewOf(twin, { sees: hides('a:y://{id}') });
    expect(listed(seen, 'template')).toEqual(['y://{id}']);
    expect(seen.route('template', 'y://{id}')?.target?.canonical).toBe('b:y://{id}');
  });
});

describe('a resource behind a template', () => {
  it('is the subject of the call, with the label of the template', async () => {
    const { seen, servers } = viewOf({ a: { templates: ['y://{id}'] } });
    servers['a']!.answerAll({});
    const route = seen.route('resource', 'y://1')!;
    expect(route.target).toMatchObject({
      kind: 'resource',
      canonical: 'a:y://1',
      ref: { server: 'a', tool: 'y://1' },
      risk: 'read',
      template: { canonical: 'a:y://{id}' },
    });
    await sendTo(seen, 'y://1', 'resource');
    const { call } = servers['a']!.calls[0]!;
    expect(call.subject?.canonical).toBe('a:y://1');
    expect(call.nameForServer).toBeUndefined();
  });

  it('has completions without values that lead to hidden resources', async () => {
    const { seen, servers } = viewOf(
      { a: { templates: ['y://{id}'] }, b: { templates: ['y://{id}'] } },
      { sees: hides('b:y://secret') },
    );
    const values = ['1', 'secret'];
    for (const server of Object.values(servers)) server.answerAll({ completion: { values } });
    const params = '{"uri":"b:y://{id}","argument":{"name":"id","value":""}}';
    const call = fakeCall(params, 'completion/complete');
    const reply = await seen.route('template', 'b:y://{id}')!.send(call);
    // The client’s name of the template differs from the server’s.
    expect(JSON.parse(servers['b']!.calls[0]!.params)).toMatchObject({ uri: 'y://{id}' });
    expect(JSON.parse(reply.json)).toEqual({ completion: { values: ['1'] } });
    const own = await seen
      .route('template', 'y://{id}')!
      .send(fakeCall('{"uri":"y://{id}","argument":{"name":"id"}}'));
    expect(JSON.parse(own.json)).toEqual({ completion: { values } });
  });

  it('has all completions for a client that may see everything', async () => {
    const offer = { templates: ['y://{id}'] };
    const { seen, servers } = viewOf({ a: offer, b: offer });
    servers['b']!.answerAll({ completion: { values: ['1'], total: 1 } });
    const reply = await sendTo(seen, 'b:y://{id}', 'template');
    expect(reply).toEqual({ ok: true, json: '{"completion":{"values":["1"],"total":1}}' });
  });
});
