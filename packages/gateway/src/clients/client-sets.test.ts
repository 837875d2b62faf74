/** Tool sets in a gateway: what a client of a set sees, and what it is told about the rest. */

import type { Call, Caller, Module, Principal, SourceEvent, View } from '@callsign/core';
import { CALLER, fakeCall, fakeSource, listed } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import {
  linesOf,
  fileWithSettings,
  problemsOf,
  warningsOf,
} from '../config/testing/problems-of.js';
import type { Gateway } from '../gateway/gateway.js';
import { configured, plain, serveAll } from '../testing/served.js';

const [READ, DESTROY] = [{ preset: 'READ_ONLY_DEFAULT' }, { preset: 'WRITE_DESTRUCTIVE' }];
const SETS = {
  reading: { labels: ['read'], exclude: ['b:*'] },
  onlyB: { servers: ['b'] },
};
const annotations = { 'a:get': READ, 'a:drop': DESTROY, 'b:get': READ };

/** Two servers with a tool of each kind, and what modules saw. */
async function opened(callsign: object = {}) {
  const seen: Call[] = [];
  const module: Module<never> = {
    name: 'noting',
    create: () => ({ observe: { end: ({ call }) => void seen.push(call) } }),
  };
  const settings = {
    annotations,
    sets: SETS,
    quarantine: 'off',
    audit: { mode: 'off' },
    ...callsign,
  };
  const { gateway } = await serveAll({}, settings, { modules: [{ module }] });
  for (const key of ['a', 'b']) {
    const server = fakeSource({
      tools: ['get', 'drop'],
      prompts: ['greet'],
      resources: [`x://${key}`],
      instructions: `Words of ${key}.`,
    });
    server.answerAll({ content: [] });
    gateway.hub.set(key, server.source);
  }
  return { gateway, seen, settings };
}

const inSet = (gateway: Gateway, name: string, principal?: Principal): View =>
  gateway.servedSet(name)!.viewFor(undefined, principal) as View;

/** Calls as the wire does: a name that is not visible may still be answered as denied. */
function send(view: View, name: string, caller: Partial<Caller>) {
  const route = view.route('tool', name) ?? view.denied('tool', name);
  const call = fakeCall(JSON.stringify({ name })).with({ caller: { ...CALLER, ...caller } });
  return route?.send(call.with({ target: route.target! }));
}

describe('a client of a set', () => {
  it('sees the items of the set, under the same names, and no instructions of other servers', async () => {
    const { gateway } = await opened();
    const [whole, view] = [gateway.viewFor(undefined), inSet(gateway, 'reading')];
    const names = (each: View): string[] => each.offer.tool.map(({ name }) => name);
    expect(names(whole)).toEqual(['a:get', 'a:drop', 'b:get', 'b:drop']);
    expect(names(view)).toEqual(['a:get']);
    expect(listed(view, 'prompt')).toHaveLength(1);
    expect(listed(view, 'resource')).toHaveLength(1);
    expect(view.instructions).toContain('Words of a.');
    expect(view.instructions).not.toContain('Words of b.');
    expect(view.seesServer('b')).toBe(false);
    expect(gateway.servedSet('nothing')).toBeUndefined();
    expect(gateway.servedSet('__proto__')).toBeUndefined();
  });

  it('is told the set of what is not in it, which is observed as denied', async () => {
    const { gateway, seen } = await opened();
    const sets = ['reading'];
    const view = inSet(gateway, 'reading');
    await expect(send(view, 'a:drop', { sets })).rejects.toMatchObject({
      code: 'policy-denied',
      details: { tool: 'a:drop', rule: 'it is not in the set "reading"' },
    });
    expect(seen.map(({ target, context }) => [target?.risk, context.verdict])).toEqual([
      ['destructive', { decision: 'deny', rule: 'it is not in the set "reading"' }],
    ]);
    expect(view.denied('prompt', 'b:greet')).toBeDefined();
    expect(view.denied('resource', 'x://b')).toBeDefined();
    expect(view.denied('tool', 'b:nothing')).toBeUndefined();
    await expect(send(view, 'a:get', { sets })).resolves.toMatchObject({ ok: true });
  });

  it('learns nothing of what roles hide', async () => {
    const roles = { staff: { allow: ['a:*'] } };
    const { gateway } = await opened({ roles, access: { anonymous: ['staff'] } });
    const view = inSet(gateway, 'reading');
    expect(view.denied('tool', 'a:drop')).toBeDefined();
    expect(view.denied('tool', 'b:get')).toBeUndefined();
    expect(inSet(gateway, 'onlyB').offer.tool).toEqual([]);
  });

  it.each([
    [['fs:add', 'fs:pid'], true],
    [['fs:add'], false],
  ])(
    'is told the set by a view of the outside, if its roles allow %j: %s',
    async (allow, isTold) => {
      const all = await serveAll(
        { fs: plain() },
        {
          annotations: { 'fs:add': READ, 'fs:pid': DESTROY },
          servers: { fs: { view: 'crude' } },
          sets: { reading: { labels: ['read'] } },
          roles: { staff: { allow } },
          access: { anonymous: ['staff'] },
        },
      );
      await (await all.connect()).tools();
      const view = inSet(all.gateway, 'reading');
      expect(view.offer.tool.map(({ name }) => name)).toEqual(['fs:mcpaql_read']);
      expect(view.denied('tool', 'fs:mcpaql_execute') !== undefined).toBe(isTold);
    },
  );

  it('gets what is in all sets that count: of the address, and of its key', async () => {
    const { gateway } = await opened();
    const principal = { name: 'key:x', roles: [], set: 'reading' };
    const names = (view: View | undefined) => view?.offer.tool.map(({ name }) => name);
    expect(names(gateway.viewFor(undefined, principal))).toEqual(['a:get']);
    expect(names(gateway.viewOf('canonical', principal))).toEqual(['a:get']);
    expect(names(inSet(gateway, 'onlyB', principal))).toEqual([]);
    const unknown = { ...principal, set: 'removed' };
    const view = gateway.viewFor(undefined, unknown);
    expect(names(view)).toEqual([]);
    expect(view.denied('tool', 'a:get')).toBeUndefined();
  });

  it('follows labels and the set itself, and hears of it', async () => {
    const { gateway, settings } = await opened();
    const [view, other] = [inSet(gateway, 'reading'), inSet(gateway, 'onlyB')];
    const heard: SourceEvent[] = [];
    view.subscribe((event) => heard.push(event));
    const names = (): string[] => view.offer.tool.map(({ name }) => name);
    const applied = (callsign: object): Promise<void> =>
      gateway.apply(configured({}, { ...settings, ...callsign }));
    await applied({ annotations: { ...annotations, 'a:drop': READ } });
    expect(names()).toEqual(['a:get', 'a:drop']);
    expect(heard.some((event) => event.type === 'changed' && event.kinds.includes('tool'))).toBe(
      true,
    );
    await applied({ sets: { reading: { tools: ['b:drop'] } } });
    expect(names()).toEqual(['b:drop']);
    expect(other.offer.tool).toEqual([]);
    // A set that was removed while it is used has nothing, and lets nothing through.
    const { sets: _, ...without } = settings;
    await gateway.apply(configured({}, without));
    expect(names()).toEqual([]);
    expect(view.route('tool', 'b:drop') ?? view.denied('tool', 'b:drop')).toBeUndefined();
    const route = gateway.viewFor(undefined).route('tool', 'b:drop')!;
    const call = fakeCall('{"name":"b:drop"}').with({
      target: route.target!,
      caller: { ...CALLER, sets: ['reading'] },
    });
    await expect(route.send(call)).rejects.toMatchObject({ code: 'policy-denied' });
  });

  it('gets the set of the flag, and that of its address besides', async () => {
    const { gateway } = await serveAll({}, { annotations, sets: SETS }, { set: 'reading' });
    const server = fakeSource({ tools: ['get', 'drop'] });
    gateway.hub.set('a', server.source);
    const { sets, viewFor } = gateway.served();
    expect(sets).toEqual(['reading']);
    expect((viewFor(undefined) as View).offer.tool).toHaveLength(1);
    expect(gateway.viewOf('canonical')!.offer.tool).toHaveLength(1);
    expect(gateway.servedSet('onlyB')!.sets).toEqual(['reading', 'onlyB']);
    expect(inSet(gateway, 'onlyB').offer.tool).toEqual([]);
  });
});

describe('the setting "sets"', () => {
  const problems = (callsign: object): string[] =>
    linesOf(problemsOf(fileWithSettings(JSON.stringify(callsign))));

  it.each([
    [{ sets: { s: { servers: ['githb'] } } }, 'did you mean "github"?'],
    [{ sets: { 'a b': {} } }, 'is not a name that a set can have'],
    [{ sets: { '..': {} } }, 'is not a name that a set can have'],
    [{ sets: { ['x'.repeat(400)]: {} } }, 'is not a name that a set can have'],
    [{ sets: { s: { labels: ['reads'] } } }, 'labels'],
    [{ sets: { s: { labels: [] } } }, 'labels'],
    [{ sets: { s: { tool: ['github:x'] } } }, 'did you mean "tools"?'],
    [{ sets: { s: 1 } }, 'sets.s'],
    [{ sets: [] }, 'sets'],
    [
      {
        sets: { reading: {} },
        auth: { keys: [{ name: 'a', hash: `sha256:${'0'.repeat(64)}`, set: 'readin' }] },
      },
      'is not a set in this file → did you mean "reading"?',
    ],
    [
      { sets: { reading: {} }, roles: { support: { allow: ['*'], set: 'readin' } } },
      'roles.support.set: is not a set in this file → did you mean "reading"?',
    ],
  ])('reports %j', (callsign, words) => {
    expect(problems(callsign).join('\n')).toContain(words);
  });

  it('takes sets as they are meant', () => {
    const sets = {
      all: {},
      'to-read.1': { servers: ['github'], tools: ['*:get_*'], labels: ['read', 'sends'] },
    };
    expect(warningsOf(fileWithSettings(JSON.stringify({ sets })))).toEqual([]);
    const warned = fileWithSettings(
      '{"sets": {"s": {"tools": ["githb:x"], "exclude": ["gitub:*"]}}}',
    );
    expect(linesOf(warningsOf(warned)).filter((line) => line.includes('github'))).toHaveLength(2);
  });
});
