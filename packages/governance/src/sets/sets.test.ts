import type { Caller, ModuleContext, Target } from '@callsign/core';
import { CALLER, fakeCall, REPLIES } from '@callsign/core/testing';
import { labelTool } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { HandClock } from '../../../../test/testing/hand-clock.js';
import { setsModule } from './sets-module.js';
import { createSets, judgeSet, labelWords, toolsIn } from './sets.js';
import { SETS, type SetsSettings, type ToolSet } from './sets-settings.js';

const setOf = (written: object): ToolSet => SETS.parse({ s: written })['s']!;

function item(server: string, name: string, more: Partial<Target> = {}): Target {
  return {
    kind: 'tool',
    ref: { server, tool: name },
    canonical: `${server}:${name}`,
    displayName: server,
    item: { name, json: '{}' },
    ...labelTool({ name }),
    ...more,
  };
}

const isIn = (written: object, target: Target): boolean => judgeSet(setOf(written), target).isIn;
const [list, send, drop] = [
  item('git', 'list_issues'),
  item('mail', 'send_message'),
  item('git', 'delete_repo'),
];
const resource = item('git', 'file:///a', { kind: 'resource', risk: 'read' });

describe('a set', () => {
  it('without servers and tools takes everything', () => {
    for (const target of [list, send, drop, resource]) expect(isIn({}, target)).toBe(true);
  });

  it('takes all of its servers, and single tools of others', () => {
    const written = { servers: ['git'], tools: ['mail:send_*'] };
    expect([list, send, item('mail', 'list_mails')].map((each) => isIn(written, each))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isIn({ servers: [] }, list)).toBe(false);
  });

  it.each([
    [['git:list_*'], true],
    [['g*:x'], true],
    [['*'], true],
    [['gi*'], true],
    [['mail:*'], false],
    [['git'], false],
  ])('with the tools %j takes other items of git: %s', (tools, expected) => {
    expect(isIn({ tools }, resource)).toBe(expected);
  });

  it('leaves out what "exclude" names, in every spelling of a URI', () => {
    const written = { servers: ['git'], exclude: ['*:delete_*', 'git:file:///secret/*'] };
    const uri = (text: string): Target => item('git', text, { kind: 'resource', risk: 'read' });
    expect(isIn(written, list)).toBe(true);
    expect(isIn(written, drop)).toBe(false);
    expect(isIn(written, resource)).toBe(true);
    for (const text of ['file:///secret/a', 'file:///x/../secret/a', 'FILE:///%73ecret/a'])
      expect(isIn(written, uri(text)), text).toBe(false);
  });

  it('selects by the words of the label, which narrow what it names', () => {
    expect(labelWords(send)).toEqual(['destructive', 'sends']);
    expect(labelWords(drop)).toEqual(['destructive']);
    const chosen = (labels: string[]): string[] =>
      toolsIn(setOf({ labels }), [list, send, drop]).map(({ canonical }) => canonical);
    expect(chosen(['read'])).toEqual(['git:list_issues']);
    expect(chosen(['sends'])).toEqual(['mail:send_message']);
    expect(chosen(['read', 'destructive'])).toHaveLength(3);
    expect(isIn({ tools: ['git:delete_repo'], labels: ['read'] }, drop)).toBe(false);
    expect(isIn({ labels: ['read'] }, resource)).toBe(true);
    expect(isIn({ labels: ['write'] }, resource)).toBe(false);
  });

  it('has the tools of the gateway itself, unless it leaves them out or their label does not fit', () => {
    const read = item('callsign', 'read_result', { risk: 'read' });
    const run = item('callsign', 'run', { risk: 'destructive' });
    expect([read, run].map((each) => isIn({ servers: ['git'] }, each))).toEqual([true, true]);
    expect([read, run].map((each) => isIn({ labels: ['read'] }, each))).toEqual([true, false]);
    expect(isIn({ labels: ['sends'] }, read)).toBe(true);
    expect(isIn({ exclude: ['callsign:*'] }, read)).toBe(false);
  });

  it('shows the tools that show others, which are selected one by one', () => {
    expect(isIn({ servers: [] }, item('git', 'mcpaql_read', { isView: true }))).toBe(true);
  });

  it.each([
    [{ servers: ['git'] }, list, '"servers" has git'],
    [
      { tools: ['git:list_*'], labels: ['read'] },
      list,
      '"tools" has git:list_*, and its label is read',
    ],
    [{ servers: ['mail'] }, list, 'neither "servers" nor "tools" selects it'],
    [{ exclude: ['*:list_*'] }, list, '"exclude" has *:list_*'],
    [{ labels: ['read'] }, send, 'its label is destructive, sends, and "labels" has read'],
  ])('%j says why', (written, target, because) => {
    expect(judgeSet(setOf(written), target).because).toBe(because);
  });

  it('can have the name of a member of objects', () => {
    const sets = createSets(
      SETS.parse(JSON.parse('{"__proto__":{},"constructor":{"servers":[]}}')),
    );
    expect(sets.contains('constructor', list)).toBe(false);
    expect(sets.has('toString')).toBe(false);
    expect(sets.without(['toString'], list)).toBe('toString');
  });
});

describe('the module for sets', () => {
  const context = (settings: object | undefined): ModuleContext<SetsSettings | undefined> => ({
    settings: settings && SETS.parse(settings),
    servers: [],
    clock: new HandClock(),
    log: () => undefined,
    refresh: () => undefined,
    ...REPLIES,
  });
  const callBy = (caller: Partial<Caller>, target: Target) =>
    fakeCall('{"name":"x"}').with({ target, caller: { ...CALLER, ...caller } });

  it('is not there without sets', () => {
    expect(setsModule.create(context(undefined))).toBeUndefined();
  });

  it('refuses what is not in every set of the caller: its connection and its credential', () => {
    const parts = setsModule.create(context({ a: { servers: ['git'] }, b: { labels: ['read'] } }))!;
    const principal = { name: 'key:x', roles: [], set: 'b' };
    expect(parts.decide!(callBy({}, send))).toBeUndefined();
    expect(parts.decide!(callBy({ sets: ['a'] }, send))).toEqual({
      decision: 'deny',
      rule: 'it is not in the set "a"',
    });
    expect(parts.decide!(callBy({ sets: ['a'] }, drop))).toBeUndefined();
    expect(parts.decide!(callBy({ sets: ['a'], principal }, drop))).toMatchObject({
      rule: 'it is not in the set "b"',
    });
    expect(parts.decide!(callBy({ sets: ['a'], principal }, list))).toBeUndefined();
  });

  it('judges the resource that a template leads to', () => {
    const parts = setsModule.create(context({ a: { exclude: ['git:file:///a'] } }))!;
    const template = item('git', 'file:///{path}', { kind: 'template', risk: 'read' });
    const call = callBy({ sets: ['a'] }, template);
    expect(parts.decide!(call)).toBeUndefined();
    expect(parts.decide!(call.with({ subject: { ...resource, template } }))).toMatchObject({
      decision: 'deny',
    });
  });

  it('refuses everything of a set that was removed while a client uses it', () => {
    const parts = setsModule.create(context({ a: {} }))!;
    expect(parts.decide!(callBy({ sets: ['a'] }, list))).toBeUndefined();
    expect(parts.reload!(context(undefined))).toBe(true);
    expect(parts.decide!(callBy({ sets: ['a'] }, list))).toMatchObject({ decision: 'deny' });
    expect(parts.decide!(callBy({}, list))).toBeUndefined();
  });
});
