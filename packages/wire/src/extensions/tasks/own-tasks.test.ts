import { Call } from '@callsign/core';
import type { Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { OwnTasks } from './own-tasks.js';
import type { OwnTask } from './own-task.js';

const MIB = 1024 * 1024;

function callOf(name: string): Call {
  const principal = { name, roles: [] };
  const caller = { id: name, era: 'stateless', principal } as never as Caller;
  const spans = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  const target = { ref: { server: 's', tool: 't' } } as never;
  return new Call({ method: 'tools/call', params: '{}', name: 't', caller, target, ...spans });
}

/** Adds tasks of a caller. With a result, they have ended. */
function add(tasks: OwnTasks, name: string, count: number, result?: string): OwnTask[] {
  return Array.from({ length: count }, () => {
    const task = tasks.add(callOf(name), { params: '{}', isWaiting: true });
    if (result !== undefined) task?.end({ ok: true, json: result });
    return task;
  }).filter((task) => task !== undefined);
}

const isKept = (tasks: OwnTasks, { id, owner }: OwnTask): boolean =>
  tasks.find(id, owner) !== undefined;

describe('the own tasks of several callers', () => {
  it('are dropped for the tasks of the same caller only', () => {
    const tasks = new OwnTasks({ onChange: () => undefined });
    const [bobs] = add(tasks, 'bob', 1, '{}');
    const anns = add(tasks, 'ann', 1_001, '{}');
    expect(isKept(tasks, bobs!)).toBe(true);
    expect(anns.filter((task) => !isKept(tasks, task))).toEqual([anns[0]]);
  });

  it('are refused for the open tasks of the same caller only', () => {
    const tasks = new OwnTasks({ onChange: () => undefined });
    expect(add(tasks, 'ann', 1_001)).toHaveLength(1_000);
    expect(add(tasks, 'bob', 1)).toHaveLength(1);
  });

  it('have a limit in total, at which the caller with the most ended tasks loses one', () => {
    const tasks = new OwnTasks({ onChange: () => undefined });
    const [bobs] = add(tasks, 'bob', 1, '{}');
    const [carols] = add(tasks, 'carol', 999, '{}');
    for (const name of ['a', 'b', 'c', 'd']) add(tasks, name, 1_000);
    // Those with more tasks have none that has ended.
    expect(add(tasks, 'eve', 1)).toHaveLength(1);
    expect([isKept(tasks, bobs!), isKept(tasks, carols!)]).toEqual([true, false]);
  });

  it('have limits for the length of their results', () => {
    const tasks = new OwnTasks({ onChange: () => undefined });
    const [bobs] = add(tasks, 'bob', 1, '{}');
    const long = 'x'.repeat(10 * MIB);
    const anns = add(tasks, 'ann', 4, long);
    expect(anns.map((task) => isKept(tasks, task))).toEqual([false, true, true, true]);
    for (const name of ['a', 'b', 'c', 'd']) add(tasks, name, 3, long);
    expect(isKept(tasks, bobs!)).toBe(true);
    expect(tasks.of('d')).toHaveLength(3);
    const kept = ['ann', 'a', 'b', 'c', 'd'].flatMap((name) => tasks.of(name));
    expect(kept).toHaveLength(12);
  });
});
