import { describe, expect, it, vi } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import type { Target } from '../call/target.js';
import type { HubOptions } from './entry-maker.js';
import { Hub } from './hub.js';
import type { Interceptor } from '../source/interceptor.js';
import { KINDS } from '../call/kind.js';
import type { SourceEvent } from '../source/source.js';
import { fakeCall, sendTo } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer, type FakeSource } from '../testing/fake-source.js';

const hubOf = (offers: Record<string, FakeOffer>, options: HubOptions = {}) => {
  const hub = new Hub(options);
  const servers: Record<string, FakeSource> = {};
  for (const [key, offer] of Object.entries(offers)) {
    const server = fakeSource(offer);
    server.answerAll({ from: key });
    servers[key] = server;
    hub.set(key, server.source);
  }
  const events: SourceEvent[] = [];
  hub.subscribe((event) => events.push(event));
  return { hub, servers, events };
};
const names = (hub: Hub, kind: (typeof KINDS)[number] = 'tool') =>
  hub.offer[kind].map(({ name }) => name);
const FS = { tools: ['read_file', 'write_file'] };

describe('the catalog', () => {
  it(
    'is one list of the tools of all servers, each under its server’s key',
    shows('AGG-33', 'FR-004', 'FR-005', () => {
      const { hub } = hubOf({ fs: FS, db: { tools: ['query'] }, empty: {} });
      expect(names(hub)).toEqual(['fs:read_file', 'fs:write_file', 'db:query']);
      expect([...hub.entries('tool').keys()]).toEqual(names(hub));
    }),
  );

  it(
    'knows the server, the original name, the definition and the route of every full name',
    shows('AGG-31', async () => {
      const { hub, servers } = hubOf({ fs: FS, db: { tools: ['query'] } });
      const entry = hub.entries('tool').get('fs:write_file')!;
      expect(entry.ref).toEqual({ server: 'fs', tool: 'write_file' });
      expect(entry.item).toBe(servers['fs']!.source.offer.tool[1]);
      await entry.route.send(fakeCall('{"name":"fs:write_file"}'));
      expect(servers['fs']!.calls).toHaveLength(1);
      expect(hub.entry('tool', 'fs:write_file')).toBe(entry);
    }),
  );

  it(
    'keeps original names unchanged',
    shows('AGG-10', async () => {
      const odd = ['Read_File', 'read_file', 'läs fil', 'a:b:c', '  ', '..', '__proto__', '😀'];
      const { hub, servers } = hubOf({ fs: { tools: odd } });
      expect(names(hub)).toEqual(odd.map((name) => `fs:${name}`));
      for (const name of odd) await sendTo(hub, `fs:${name}`);
      const received = servers['fs']!.calls.map(({ params }) => JSON.parse(params) as unknown);
      expect(received).toEqual(odd.map((name) => ({ name })));
    }),
  );

  it('holds prompts, resources and templates in the same way', () => {
    const everything = {
      tools: ['t'],
      prompts: ['p'],
      resources: ['a://r'],
      templates: ['a://{x}'],
    };
    const { hub } = hubOf({ one: everything, two: everything });
    expect(KINDS.map((kind) => names(hub, kind))).toEqual([
      ['one:t', 'two:t'],
      ['one:p', 'two:p'],
      ['one:a://r', 'two:a://r'],
      ['one:a://{x}', 'two:a://{x}'],
    ]);
  });

  it('has the capabilities of all servers', () => {
    const { hub, servers } = hubOf({ a: { abilities: ['logging'] }, b: {} });
    expect(hub.offer.abilities).toEqual(new Set(['logging']));
    servers['b']!.offers({ abilities: ['subscribe', 'logging'] });
    expect(hub.offer.abilities).toEqual(new Set(['logging', 'subscribe']));
  });

  it('lists a name once, even if its server lists it twice or does not answer to it', () => {
    const first = { name: 'a', json: '{"name":"a","n":1}' };
    const { hub } = hubOf({ s: { tools: [first, { name: 'a', json: '{"name":"a","n":2}' }] } });
    expect(hub.offer.tool).toEqual([{ name: 's:a', json: first.json }]);
    const { source } = fakeSource({ tools: ['a', 'ghost'] });
    const route: typeof source.route = (kind, name) =>
      name === 'ghost' ? undefined : source.route(kind, name);
    hub.set('s', { ...source, offer: source.offer, route });
    expect(names(hub)).toEqual(['s:a']);
  });

  it.each(['', 'a:b', 'tab\t'])('refuses the key %j, which no identity can have', (key) => {
    const { source, listeners } = fakeSource(FS);
    expect(() => new Hub().set(key, source)).toThrow(RangeError);
    expect(listeners()).toBe(0);
  });
});

describe('routing', () => {
  it(
    'sends a call to the server in its name, and to no other',
    shows('FR-006', async () => {
      const { hub, servers } = hubOf({ fs: FS, 'fs-home': FS, FS });
      expect((await sendTo(hub, 'fs-home:read_file')).json).toBe('{"from":"fs-home"}');
      expect(Object.values(servers).map(({ calls }) => calls.length)).toEqual([0, 1, 0]);
      expect(hub.route('tool', 'read_file')).toBeUndefined();
      expect(hub.route('tool', 'Fs:read_file')).toBeUndefined();
      expect(hub.route('prompt', 'fs:read_file')).toBeUndefined();
    }),
  );

  it(
    'gives the server its own name for the tool',
    shows('AGG-12', async () => {
      const { hub, servers } = hubOf({ filesystem: FS });
      await sendTo(hub, 'filesystem:read_file');
      expect(servers['filesystem']!.calls[0]!.params).toBe('{"name":"read_file"}');
    }),
  );

  it(
    'passes the arguments on unchanged',
    shows('AGG-20', async () => {
      const { hub, servers } = hubOf({ fs: FS });
      const rest = '"x": 1.0,"arguments" : {"id":12345678901234567890,"b":null,"a":[ ]}, "x":2}';
      await hub.route('tool', 'fs:read_file')!.send(fakeCall(`{"name":"fs:read_file",${rest}`));
      expect(servers['fs']!.calls[0]!.params).toBe(`{"name":"read_file",${rest}`);
    }),
  );

  it('returns the server’s reply, and its failure as a failure', async () => {
    const { source, next } = fakeSource(FS);
    const hub = new Hub();
    hub.set('fs', source);
    const sent = [1, 2].map(() => sendTo(hub, 'fs:read_file'));
    const reply = { ok: false, json: '{"code": -1, "big":12345678901234567890}' };
    (await next()).reply(reply);
    (await next()).fail(new Error('broken pipe'));
    expect(await sent[0]).toBe(reply);
    await expect(sent[1]).rejects.toThrow('broken pipe');
  });

  it('sends a message for all servers to every server', () => {
    const { hub, servers } = hubOf({ a: FS, b: {} });
    hub.tell('logging/setLevel', '{"level":"info"}');
    for (const { told } of Object.values(servers)) {
      expect(told).toEqual(['logging/setLevel {"level":"info"}']);
    }
  });
});

describe('servers that come and go', () => {
  it(
    'take their own tools with them, and no others',
    shows('AGG-34', () => {
      const { hub, servers, events } = hubOf({ fs: FS, 'fs-home': FS, f: FS });
      hub.remove('fs');
      expect(names(hub)).toEqual([
        'fs-home:read_file',
        'fs-home:write_file',
        'f:read_file',
        'f:write_file',
      ]);
      expect(hub.route('tool', 'fs:read_file')).toBeUndefined();
      expect(hub.route('tool', 'fs-home:read_file')).toBeDefined();
      expect(events).toEqual([{ type: 'changed', kinds: ['tool'] }]);
      expect(servers['fs']!.listeners()).toBe(0);
      hub.remove('fs');
      expect(events).toHaveLength(1);
    }),
  );

  it(
    'replace their old tools with new ones, and leave the others unchanged',
    shows('AGG-36', () => {
      const { hub, servers, events } = hubOf({ a: FS, b: FS });
      const untouched = hub.entries('tool').get('b:read_file');
      servers['a']!.offers({ tools: ['read_file', 'append'] });
      expect(names(hub)).toEqual(['a:read_file', 'a:append', 'b:read_file', 'b:write_file']);
      expect(hub.route('tool', 'a:write_file')).toBeUndefined();
      expect(hub.entries('tool').get('b:read_file')).toBe(untouched);
      expect(events).toEqual([{ type: 'changed', kinds: ['tool'] }]);
    }),
  );

  it('leave key and position to a successor, and their events are ignored', async () => {
    const { hub, servers, events } = hubOf({ a: FS, b: FS });
    const successor = fakeSource({ tools: ['read_file'], prompts: ['p'] });
    successor.answerAll({ from: 'successor' });
    hub.set('a', successor.source);
    expect(names(hub)).toEqual(['a:read_file', 'b:read_file', 'b:write_file']);
    expect((await sendTo(hub, 'a:read_file')).json).toBe('{"from":"successor"}');
    expect(events).toEqual([
      { type: 'changed', kinds: ['tool', 'prompt'] },
      { type: 'started', server: 'a' },
    ]);
    expect(servers['a']!.listeners()).toBe(0);
  });

  it('are ignored after they have left, even if they still send events', () => {
    const { source, offers } = fakeSource(FS);
    const listeners: ((event: SourceEvent) => void)[] = [];
    const hub = new Hub();
    hub.set('a', {
      ...source,
      offer: source.offer,
      subscribe: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    });
    hub.remove('a');
    const heard = vi.fn<(event: SourceEvent) => void>();
    hub.subscribe(heard);
    offers({ tools: ['new'] });
    listeners[0]!({ type: 'changed', kinds: ['tool'] });
    listeners[0]!({ type: 'log', params: '{}' });
    expect(heard).not.toHaveBeenCalled();
    expect(names(hub)).toEqual([]);
  });

  it('finish the calls that they have started', async () => {
    const before = fakeSource(FS);
    const hub = new Hub();
    hub.set('fs', before.source);
    const sent = sendTo(hub, 'fs:read_file');
    hub.set('fs', fakeSource(FS).source);
    (await before.next()).answer({ from: 'before' });
    expect((await sent).json).toBe('{"from":"before"}');
  });
});

describe('a notification to servers', () => {
  it('is repeated to servers that join later, if it sets a lasting state', () => {
    const { hub, servers } = hubOf({ a: FS });
    hub.tell('logging/setLevel', '{"level":"debug"}');
    hub.tell('notifications/roots/list_changed', '{}');
    hub.tell('logging/setLevel', '{"level":"info"}');
    const late = fakeSource(FS);
    hub.set('a', late.source);
    expect(servers['a']!.told).toHaveLength(3);
    expect(late.told).toEqual(['logging/setLevel {"level":"info"}']);
  });
});

describe('the order of lists', () => {
  it('is the order in which servers were added, until they are arranged', () => {
    const { hub, events } = hubOf({ c: FS, a: { tools: ['x'] }, b: { tools: ['y'] } });
    const keys = () => [...new Set([...hub.entries('tool').values()].map(({ ref }) => ref.server))];
    expect(keys()).toEqual(['c', 'a', 'b']);
    hub.arrange(['b', 'later', 'c']);
    expect(keys()).toEqual(['b', 'c', 'a']);
    hub.set('later', fakeSource({ tools: ['z'] }).source);
    expect(keys()).toEqual(['b', 'later', 'c', 'a']);
    expect(names(hub)).toEqual(['b:y', 'later:z', 'c:read_file', 'c:write_file', 'a:x']);
    expect(events).toHaveLength(2);
  });

  it('is not announced if nothing has changed', () => {
    const { hub, events } = hubOf({ a: FS, b: FS });
    const { offer } = hub;
    hub.arrange(['a', 'b', 'c']);
    hub.arrange(['a']);
    expect(events).toEqual([]);
    expect(hub.offer).toBe(offer);
  });
});

describe('an announced change', () => {
  it('names the kinds that a server has or had, and comes after the change', () => {
    const { hub, servers, events } = hubOf({ a: FS });
    const seen: string[][] = [];
    hub.subscribe(() => seen.push(names(hub)));
    servers['a']!.emit({ type: 'changed', kinds: KINDS });
    servers['a']!.offers({ tools: [], prompts: ['p'], resources: [] });
    servers['a']!.offers({ abilities: ['logging'] });
    expect(events).toEqual([
      { type: 'changed', kinds: ['tool'] },
      { type: 'changed', kinds: ['tool', 'prompt'] },
      { type: 'changed', kinds: [] },
    ]);
    expect(seen).toEqual([['a:read_file', 'a:write_file'], [], []]);
  });

  it('comes with a new offer, in which unchanged lists are the same objects', () => {
    const { hub, servers } = hubOf({ a: { ...FS, prompts: ['p'] }, b: FS });
    const before = hub.offer;
    expect(hub.offer).toBe(before);
    servers['a']!.offers({ prompts: ['q'] });
    expect(hub.offer).not.toBe(before);
    expect(before.prompt.map(({ name }) => name)).toEqual(['a:p']);
    expect(names(hub, 'prompt')).toEqual(['a:q']);
    expect(hub.offer.tool).toBe(before.tool);
    expect(hub.byServer('tool')).toBe(hub.byServer('tool'));
  });

  it('of a resource names the right one of several, and a log message names its server', () => {
    const { servers, events } = hubOf({ a: {}, b: {} });
    servers['b']!.emit({ type: 'resource-updated', uri: 'x://1', params: '{"uri":"x://1"}' });
    servers['a']!.emit({ type: 'log', params: '{"level":"info"}' });
    expect(events).toEqual([
      { type: 'resource-updated', uri: 'x://1', params: '{"uri":"x://1"}', name: 'b:x://1' },
      { type: 'log', params: '{"level":"info"}', server: 'a' },
    ]);
  });

  it('is not sent after the last listener has gone', () => {
    const hub = new Hub();
    const heard = vi.fn<(event: SourceEvent) => void>();
    hub.subscribe(heard)();
    hub.set('a', fakeSource(FS).source);
    expect(heard).not.toHaveBeenCalled();
  });
});

describe('the operator', () => {
  const tool = (annotations: object) => ({
    name: 't',
    json: JSON.stringify({ name: 't', title: 'Own', annotations }),
  });

  it('admits items: others are neither listed nor callable', () => {
    let denied = 'fs:write_file';
    const admits: HubOptions['admits'] = (kind, { server, tool: name }) =>
      kind !== 'tool' || `${server}:${name}` !== denied;
    const prompts = ['write_file'];
    const { hub, events } = hubOf({ fs: { ...FS, prompts } }, { admits });
    expect(names(hub)).toEqual(['fs:read_file']);
    expect(names(hub, 'prompt')).toEqual(['fs:write_file']);
    expect(hub.route('tool', 'fs:write_file')).toBeUndefined();
    denied = 'fs:read_file';
    hub.refresh();
    expect(names(hub)).toEqual(['fs:write_file']);
    expect(hub.route('tool', 'fs:read_file')).toBeUndefined();
    expect(events).toEqual([{ type: 'changed', kinds: ['tool', 'prompt'] }]);
  });

  it('can withhold an item because of its label until the label changes', () => {
    let readOnlyHint = false;
    const { hub } = hubOf(
      { fs: FS },
      {
        label: ({ tool: name }) => (name === 'write_file' ? { override: { readOnlyHint } } : {}),
        withholds: ({ kind, canonical, risk }) =>
          kind === 'tool' && canonical === 'fs:write_file' && risk !== 'read'
            ? 'hidden'
            : undefined,
      },
    );
    expect(names(hub)).toEqual(['fs:read_file']);
    expect(hub.route('tool', 'fs:write_file')).toBeUndefined();
    readOnlyHint = true;
    hub.refresh();
    expect(names(hub)).toEqual(['fs:read_file', 'fs:write_file']);
  });

  it('decides labels: override, then a trusted claim, then an assumption', () => {
    const label: HubOptions['label'] = ({ server }) => ({
      override: { openWorldHint: false },
      assumed: { idempotentHint: true },
      trust: server === 'good' ? 'full' : 'none',
    });
    const claim = { readOnlyHint: true, openWorldHint: true };
    const { hub } = hubOf(
      { good: { tools: [tool(claim)] }, bad: { tools: [tool(claim)] } },
      { label },
    );
    const entry = (key: string) => hub.entries('tool').get(`${key}:t`)!;
    expect(entry('good').hints).toMatchObject({
      readOnlyHint: { value: true, evidence: { by: 'server' } },
      openWorldHint: { value: false, evidence: { by: 'you', how: 'override' } },
      idempotentHint: { value: true, evidence: { by: 'assumed' } },
      destructiveHint: { value: true, evidence: { by: 'default' } },
    });
    expect(entry('bad').hints.readOnlyHint).toEqual({
      value: false,
      evidence: {
        by: 'default',
        disbelieved: { claim: true, because: 'it is not trusted' },
      },
    });
    expect([entry('good').risk, entry('bad').risk]).toEqual(['read', 'destructive']);
    expect(entry('good').claim).toEqual(claim);
  });

  it('gives titles and display names; otherwise the key is made readable', () => {
    const label: HubOptions['label'] = ({ server }) => (server === 'b' ? { title: 'Ours' } : {});
    const displayName: HubOptions['displayName'] = (key) => (key === 'b' ? 'Bee' : undefined);
    const offer = { tools: [tool({})] };
    const { hub } = hubOf({ 'apple-mail': offer, b: offer }, { label, displayName });
    const of = (name: string) => {
      const { title, displayName: shown } = hub.entries('tool').get(name)!;
      return [shown, title];
    };
    expect(of('apple-mail:t')).toEqual(['Apple Mail', 'Own']);
    expect(of('b:t')).toEqual(['Bee', 'Ours']);
  });

  it('labels tools only: prompts and resources always read', () => {
    const label: HubOptions['label'] = () => ({ override: { destructiveHint: true } });
    const everything = { tools: ['x'], prompts: ['x'], resources: ['x'], templates: ['x'] };
    const { hub } = hubOf({ s: everything }, { label });
    const risks = KINDS.map((kind) => hub.entries(kind).get('s:x')!.risk);
    expect(risks).toEqual(['destructive', 'read', 'read', 'read']);
  });

  it('can have overrides read again', () => {
    let title = 'One';
    const { hub } = hubOf({ s: FS }, { label: () => ({ title }) });
    title = 'Two';
    expect(hub.entries('tool').get('s:read_file')!.title).toBe('One');
    hub.refresh();
    expect(hub.entries('tool').get('s:read_file')!.title).toBe('Two');
  });
});

describe('interceptors', () => {
  it('see each call with its target, and its reply', async () => {
    const seen: unknown[] = [];
    const audit: Interceptor = async (call, next) => {
      const reply = await next();
      seen.push([call.method, call.target?.canonical, call.target?.risk, reply.json]);
      return reply;
    };
    const { hub } = hubOf({ fs: FS }, { interceptors: [audit] });
    await sendTo(hub, 'fs:read_file');
    expect(seen).toEqual([['tools/call', 'fs:read_file', 'read', '{"from":"fs"}']]);
  });

  it('may answer without sending the call to the server', async () => {
    const refused = { ok: false, json: '{"code":-32000}' };
    const { hub, servers } = hubOf({ fs: FS }, { interceptors: [() => Promise.resolve(refused)] });
    expect(await sendTo(hub, 'fs:read_file')).toBe(refused);
    expect(servers['fs']!.calls).toEqual([]);
  });
});

describe('a hub in a hub', () => {
  const nested = (options: HubOptions = {}) => {
    const inner = hubOf({ github: { tools: ['create_issue'], resources: ['x://1'] } }, options);
    const hub = new Hub(options);
    hub.set('team', inner.hub);
    return { inner, hub, github: inner.servers['github']! };
  };

  it(
    'passes a call through both',
    shows('AGG-49', async () => {
      const { hub, github } = nested();
      expect(names(hub)).toEqual(['team:github:create_issue']);
      expect((await sendTo(hub, 'team:github:create_issue')).json).toBe('{"from":"github"}');
      expect(github.calls[0]!.params).toBe('{"name":"create_issue"}');
    }),
  );

  it('gives each layer its own target, before and after the call', async () => {
    const seen: unknown[] = [];
    const watch: Interceptor = async (call, next) => {
      const { canonical } = call.target as Target;
      const reply = await next();
      seen.push([canonical, call.target?.canonical]);
      return reply;
    };
    const { hub } = nested({ interceptors: [watch] });
    await sendTo(hub, 'team:github:create_issue');
    expect(seen).toEqual([
      ['github:create_issue', 'github:create_issue'],
      ['team:github:create_issue', 'team:github:create_issue'],
    ]);
  });

  it('passes changes and messages on', () => {
    const { hub, inner, github } = nested();
    const events: SourceEvent[] = [];
    hub.subscribe((event) => events.push(event));
    github.offers({ tools: ['close_issue'] });
    github.emit({ type: 'resource-updated', uri: 'x://1', params: '{}' });
    inner.hub.remove('github');
    expect(events).toEqual([
      { type: 'changed', kinds: ['tool'] },
      { type: 'resource-updated', uri: 'x://1', params: '{}', name: 'team:github:x://1' },
      { type: 'changed', kinds: ['tool', 'resource'] },
    ]);
    expect(names(hub)).toEqual([]);
    hub.tell('x', '{}');
    expect(github.told).toEqual([]);
  });
});
