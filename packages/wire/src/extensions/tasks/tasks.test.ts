import {
  Call,
  CallContext,
  type Caller,
  NOTHING,
  type Reply,
  type Source,
  type Target,
} from '@callsign/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { scratch } from '../../../../../test/testing/scratch.js';
import { ownTaskFiles } from './own-task-files.js';
import type { OwnTaskStore } from './own-task-store.js';
import type { TaskEnd } from './task-ends.js';
import { TaskTable } from './task-table.js';
import { Tasks } from './tasks.js';

const MINUTE = 60_000;
const CALLER: Caller = {
  id: 's',
  era: 'session',
  client: { name: 'c', version: '1' },
  capabilities: '{}',
  can: () => false,
};
const TARGET = {
  kind: 'tool',
  ref: { server: 'a', tool: 'slow' },
  canonical: 'a:slow',
  item: { name: 'slow', json: '{"name":"slow","execution":{"taskSupport":"optional"}}' },
} as unknown as Target;

/** A server that never reports the state of its tasks. */
const SILENT: Source = {
  offer: NOTHING,
  route: () => ({ target: TARGET, send: () => Promise.reject(new Error('not called')) }),
  subscribe: () => () => undefined,
  tell: () => undefined,
};

function callOf(): Call {
  const params = '{"name":"slow","arguments":{},"task":{"ttl":1000}}';
  const spans = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  const context = new CallContext();
  const options = { method: 'tools/call', params, name: 'slow', caller: CALLER, context };
  return new Call({ ...options, target: TARGET, ...spans });
}

const created = (ttl: number): Reply => ({
  ok: true,
  json: `{"task":{"taskId":"1","status":"working","ttl":${ttl}}}`,
});

const STARTED = { isSettled: () => true, whenSettled: () => Promise.resolve() };

describe('a task whose server never reports its end', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it('D13: is recorded as unknown once, after its time to live', async () => {
    const ends: TaskEnd[] = [];
    const tasks = new Tasks({ table: new TaskTable(), onEnd: (end) => ends.push(end) });
    tasks.watch(SILENT);
    const call = callOf();
    expect(Tasks.isFor(call)).toBe(true);
    await tasks.send(call, { send: () => Promise.resolve(created(5 * MINUTE)) });
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(ends.map(({ reply }) => reply.fault?.code)).toEqual(['task-end-unknown']);
    expect(ends[0]!.call.target).toBe(TARGET);
    await vi.advanceTimersByTimeAsync(30 * MINUTE);
    expect(ends).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the result of a server’s task', () => {
  it.each([
    ['tasks/result', '{"content":[]}', '{"changed":true}'],
    [
      'tasks/get',
      '{"status":"completed","result":{"content":[]}}',
      '{"status":"completed","result":{"changed":true}}',
    ],
    ['tasks/get', '{"status":"working"}', '{"status":"working"}'],
  ])('is changed as other results are (%s: %s)', async (method, given, expected) => {
    const passed = vi.fn(() => Promise.resolve({ ok: true, json: '{"changed":true}' }));
    const tasks = new Tasks({ passed });
    const begun = await tasks.send(callOf(), { send: () => Promise.resolve(created(MINUTE)) });
    const { taskId } = (JSON.parse(begun.json) as { task: { taskId: string } }).task;
    const view: Source = { ...SILENT, relay: () => Promise.resolve({ ok: true, json: given }) };
    const params = JSON.stringify({ taskId });
    const asked = tasks.prepare({ method, params, view, caller: CALLER, starting: STARTED });
    if ('reply' in asked) throw new Error(asked.reply.json);
    expect((await asked.route.send(asked.call)).json).toBe(expected);
    expect(passed.mock.calls.flat().filter((each) => 'params' in (each as object))).toMatchObject(
      given === expected ? [] : [{ target: TARGET }],
    );
  });
});

describe('a call that waits for an operator', () => {
  it('D13: continues as its server’s task under the same id, if its server creates one', async () => {
    const tasks = new Tasks({ mayWait: () => () => true });
    let yes: (reply: Reply) => void = () => undefined;
    const reply = await tasks.send(callOf(), {
      send: (sent) => {
        sent.context.onWaiting!('a1');
        return new Promise((resolve) => void (yes = resolve));
      },
    });
    const { taskId } = (JSON.parse(reply.json) as { task: { taskId: string } }).task;
    const view: Source = {
      ...SILENT,
      relay: (_, asked) => Promise.resolve({ ok: true, json: asked.params }),
    };
    const ask = async (): Promise<string> => {
      const params = JSON.stringify({ taskId });
      const asked = tasks.prepare({
        method: 'tasks/get',
        params,
        view,
        caller: CALLER,
        starting: STARTED,
      });
      if ('reply' in asked) return asked.reply.json;
      return (await asked.route.send(asked.call)).json;
    };
    expect(JSON.parse(await ask())).toMatchObject({ taskId, status: 'working' });
    yes(created(MINUTE));
    // The server gets its own id, and the client sees ours.
    await vi.waitFor(async () => expect(await ask()).toBe(JSON.stringify({ taskId })));
  });

  it('D13: is a task only for a client that asked for one', async () => {
    const plain = callOf().with({ params: '{"name":"slow","arguments":{"task":{}}}' });
    expect(Tasks.isFor(plain)).toBe(false);
  });
});

describe('a call that waits for an operator, with a store', () => {
  /** A gateway process, and a way to ask it about a task. */
  function gateway(store: OwnTaskStore) {
    const tasks = new Tasks({ mayWait: () => () => true, store: () => store });
    const ask = async (taskId: string, method = 'tasks/get'): Promise<string> => {
      const params = JSON.stringify({ taskId });
      const view: Source = {
        ...SILENT,
        relay: (_, asked) => Promise.resolve({ ok: true, json: asked.params }),
      };
      const asked = tasks.prepare({ method, params, view, caller: CALLER, starting: STARTED });
      return ('reply' in asked ? asked.reply : await asked.route.send(asked.call)).json;
    };
    return { tasks, ask };
  }

  async function waiting(tasks: Tasks) {
    let end: (reply: Reply) => void = () => undefined;
    const call = callOf();
    const reply = await tasks.send(call, {
      send: (sent) => {
        void sent.context.onWaiting!('a1');
        return new Promise((resolve) => void (end = resolve));
      },
    });
    const { taskId } = (JSON.parse(reply.json) as { task: { taskId: string } }).task;
    return { taskId, end, approve: async () => call.context.onWaiting!(undefined) };
  }

  it('D13: is found by another process, even after its server has continued it', async () => {
    const folder = scratch();
    const [a, b] = [gateway(ownTaskFiles(folder)), gateway(ownTaskFiles(folder))];
    const { taskId, end, approve } = await waiting(a.tasks);
    expect(JSON.parse(await b.ask(taskId))).toMatchObject({ taskId, status: 'working' });
    const result = b.ask(taskId, 'tasks/result');
    await approve();
    end(created(MINUTE));
    // The server gets its own id, and the client sees ours.
    await vi.waitFor(async () => expect(await b.ask(taskId)).toBe(JSON.stringify({ taskId })));
    expect(await result).toBe(JSON.stringify({ taskId }));
  });

  it('D13: is not sent if other processes could not know that', async () => {
    const store: OwnTaskStore = {
      ...ownTaskFiles(scratch()),
      save: ({ phase }) =>
        phase === 'waiting' ? Promise.resolve() : Promise.reject(new Error('closed')),
    };
    const { approve } = await waiting(gateway(store).tasks);
    await expect(approve()).rejects.toMatchObject({ code: 'not-recorded' });
  });

  it('D13: is sent if no other process knows it, because it could not be saved', async () => {
    const store: OwnTaskStore = {
      ...ownTaskFiles(scratch()),
      save: () => Promise.reject(new Error('the disk is full')),
    };
    const here = gateway(store);
    const { taskId, approve, end } = await waiting(here.tasks);
    await approve();
    end({ ok: true, json: '{"content":[]}' });
    await vi.waitFor(async () =>
      expect(JSON.parse(await here.ask(taskId))).toMatchObject({ status: 'completed' }),
    );
  });
});
