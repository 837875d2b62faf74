/** Where operators see and decide waiting calls: one instance alone, and several with a store. */

import { fakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryApprovals } from '../../../../test/memory/memory-approvals.js';
import { posted } from '../../../../test/contracts/approval-store.js';
import { type ApprovalStore, NotPosted } from './approval-store.js';
import { type ApprovalRequest, Approvals } from './approvals.js';
import { localQueue, SharedApprovals } from './shared-approvals.js';

const REQUEST: ApprovalRequest = {
  summary: { tool: 's:t', title: 'T', effect: 'e', arguments: '{}', hidden: [], rule: 'r' },
  caller: { name: 'ann', client: 'c' },
  timeoutMs: 60_000,
  furthest: 'call',
  wholeArguments: () => ({ arguments: '{"whole":true}', hidden: [] }),
};

describe('the queue of one instance alone', () => {
  it('lists, shows and decides the calls that wait here', async () => {
    const approvals = new Approvals({ clock: fakeClock() });
    const queue = localQueue(approvals);
    let news = 0;
    const stop = queue.watch(() => news++);
    const { id, answer } = approvals.request(REQUEST);
    expect(await queue.list()).toMatchObject([{ id, arguments: '{}', remainingMs: 60_000 }]);
    expect(await queue.find(id!)).toMatchObject({ id, arguments: '{"whole":true}' });
    const decided = { approval: { id }, decision: { approve: true }, outcome: 'approved' };
    expect(await queue.decide(id!, { approve: true })).toMatchObject(decided);
    expect(await queue.decide(id!, { approve: false })).toMatchObject(decided);
    expect(await queue.decide('none', { approve: true })).toBeUndefined();
    expect(await answer).toEqual({ scope: 'once' });
    expect(news).toBe(2);
    stop();
    approvals.request(REQUEST);
    expect(news).toBe(2);
  });
});

describe('a store in memory', () => {
  it('shows how long a call has waited, until its time is over', async () => {
    const clock = fakeClock();
    const store = memoryApprovals(clock);
    await store.post(posted('one', { forMs: 1_000 }));
    await clock.pass(400);
    const [shown] = await store.list();
    expect(shown).toMatchObject({ waitedMs: 400, remainingMs: 600 });
    expect(shown).not.toHaveProperty('whole');
    expect(shown).not.toHaveProperty('forMs');
    await clock.pass(599);
    expect(await store.list()).toHaveLength(1);
    await clock.pass(1);
    expect(await store.list()).toEqual([]);
    expect(await store.decide('one', { approve: true })).toBe(false);
  });

  it('has decisions about the calls that were asked for only', async () => {
    const store = memoryApprovals(fakeClock());
    for (const id of ['one', 'two', 'three']) await store.post(posted(id));
    await store.decide('one', { approve: true });
    await store.decide('two', { approve: false });
    expect([...(await store.decisions(['two', 'three', 'none'])).keys()]).toEqual(['two']);
  });
});

interface StoredState {
  isAway: boolean;
  /** The store answers a look for decisions when this resolves. */
  delay: Promise<void> | undefined;
  /** How often it was asked for decisions. */
  asked: number;
  /** The calls that were decided through it. */
  readonly decided: string[];
  readonly logged: string[];
}

/** The queue of an instance whose store can be away or slow. */
function shared() {
  const clock = fakeClock();
  const inner = memoryApprovals(clock);
  const state: StoredState = { isAway: false, delay: undefined, asked: 0, decided: [], logged: [] };
  const reach = (): ApprovalStore => {
    if (state.isAway) throw new NotPosted('the store is away');
    return inner;
  };
  const store: ApprovalStore = {
    post: async (approval) => reach().post(approval),
    list: async () => inner.list(),
    find: async (id) => reach().find(id),
    async decide(id, decision) {
      const isDecided = await reach().decide(id, decision);
      if (isDecided) state.decided.push(id);
      return isDecided;
    },
    async decisions(ids) {
      state.asked++;
      const found = await reach().decisions(ids);
      await state.delay;
      return found;
    },
    state: async (id) => reach().state(id),
    end: async (instance, outcomes) => reach().end(instance, outcomes),
    watch: (run) => inner.watch(run),
  };
  const approvals = new Approvals({ clock });
  const log = (level: string, text: string): void => void state.logged.push(`${level} ${text}`);
  const queue = new SharedApprovals({ approvals, store, instance: 'a', clock, log });
  return { clock, store: inner, state, approvals, queue };
}

describe('the queue of an instance with a board', () => {
  it('posts a call with everything that another instance shows', async () => {
    const { clock, store, approvals } = shared();
    const { id } = approvals.request(REQUEST);
    await clock.pass(0);
    expect(await store.find(id!)).toEqual({
      ...REQUEST.summary,
      ...REQUEST.wholeArguments(),
      id,
      instance: 'a',
      caller: REQUEST.caller,
      furthest: 'call',
      waitedMs: 0,
      remainingMs: 60_000,
    });
  });

  it('lists each call once, in the store or not', async () => {
    const { clock, state, approvals, queue } = shared();
    const first = approvals.request(REQUEST);
    await clock.pass(0);
    state.isAway = true;
    const second = approvals.request(REQUEST);
    await clock.pass(0);
    expect((await queue.list()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await queue.find(second.id!)).toMatchObject({ arguments: '{"whole":true}' });
    expect(state.logged).toEqual([
      `debug Call ${second.id} can only be decided on this instance: the store is away`,
    ]);
  });

  it('decides a call in the store if it can be posted by then', async () => {
    const { clock, state, approvals, queue } = shared();
    state.isAway = true;
    const { id, answer } = approvals.request(REQUEST);
    await clock.pass(0);
    state.isAway = false;
    const decided = await queue.decide(id!, { approve: false, reason: 'no' });
    expect(decided).toMatchObject({ outcome: 'denied' });
    expect(await answer).toEqual({ refusal: 'the operator denied it: no' });
    expect(state.decided).toEqual([id]);
  });

  it('has applied a decision when it says so', async () => {
    const { clock, state, approvals, queue } = shared();
    const { id } = approvals.request(REQUEST);
    await clock.pass(0);
    await queue.decide(id!, { approve: true });
    expect(approvals.pending).toEqual([]);
    // It was in the store already, so it was neither posted again nor decided here.
    expect([state.decided, state.logged]).toEqual([[id], []]);
  });

  it('tells about its own calls and those of others, until the watcher leaves', async () => {
    const { clock, store, approvals, queue } = shared();
    let news = 0;
    const leave = queue.watch(() => news++);
    await store.post(posted('other', { instance: 'b' }));
    expect(news).toBe(1);
    const { withdraw } = approvals.request(REQUEST);
    expect(news).toBeGreaterThan(1);
    leave();
    const before = news;
    withdraw();
    await store.end('b', new Map([['other', 'denied']]));
    await clock.pass(0);
    expect(news).toBe(before);
  });

  it('looks for decisions only while calls wait', async () => {
    const { clock, state, approvals } = shared();
    await clock.pass(10_000);
    expect(state.asked).toBe(0);
    const { withdraw } = approvals.request(REQUEST);
    await clock.pass(0);
    const before = state.asked;
    await clock.pass(4_500);
    expect(state.asked - before).toBe(3);
    withdraw();
    await clock.pass(1_500);
    const after = state.asked;
    await clock.pass(10_000);
    expect(state.asked).toBe(after);
  });

  it('looks again for later calls after it stopped', async () => {
    const { clock, state, approvals } = shared();
    approvals.request(REQUEST).withdraw();
    await clock.pass(5_000);
    approvals.request(REQUEST);
    await clock.pass(0);
    const before = state.asked;
    await clock.pass(1_500);
    expect(state.asked - before).toBe(1);
  });

  it('goes on looking after the store was away', async () => {
    const { clock, store, state, approvals } = shared();
    const { id, answer } = approvals.request(REQUEST);
    await clock.pass(0);
    state.isAway = true;
    await store.decide(id!, { approve: true });
    await clock.pass(3_000);
    expect(approvals.pending).toHaveLength(1);
    state.isAway = false;
    await clock.pass(1_500);
    expect(await answer).toEqual({ scope: 'once' });
  });

  it('finds a decision that comes during a look, with another look', async () => {
    const { clock, store, state, approvals } = shared();
    const { id } = approvals.request(REQUEST);
    await clock.pass(0);
    let answer!: () => void;
    state.delay = new Promise((resolve) => (answer = resolve));
    await clock.pass(1_500);
    await store.decide(id!, { approve: true });
    const before = state.asked;
    answer();
    await clock.pass(0);
    expect(approvals.pending).toEqual([]);
    expect(state.asked).toBe(before + 1);
  });

  it('neither posts nor looks after it is closed', async () => {
    const { clock, store, state, approvals, queue } = shared();
    approvals.request(REQUEST);
    await clock.pass(0);
    queue.close();
    const before = state.asked;
    approvals.request(REQUEST);
    await store.post(posted('other'));
    await clock.pass(5_000);
    expect(state.asked).toBe(before);
    expect(await store.list()).toHaveLength(2);
  });
});
