/** What operators decide about people who wait, and which decisions count. */

import { type CallerSignInStore, emptyState, operatorHash, operatorQuestion } from '@callsign/auth';
import { fakeClock } from '@callsign/core/testing';
import {
  type ApprovalQueue,
  Approvals,
  localQueue,
  type PendingApproval,
} from '@callsign/governance';
import { describe, expect, it } from 'vitest';

import { operatorQueue, withSignIns } from './sign-in-approvals.js';

function start(queueOf: (approvals: Approvals) => ApprovalQueue = localQueue) {
  const approvals = new Approvals({ clock: fakeClock(), maxPending: 3 });
  const state = emptyState();
  const store: CallerSignInStore = {
    pageKey: new Uint8Array(32),
    get: () => state,
    change: async (change) => change(state),
  };
  const queue = withSignIns(queueOf(approvals), store);
  const ask = (name: string) => {
    const people = operatorQueue(approvals);
    const { code, ...question } = operatorQuestion(store.pageKey, {
      id: people.newId(),
      name,
      client: 'client.example',
      effect: 'Lets a person in.',
    });
    const { id, shown } = question;
    return { ...people.ask(question, 1_000)!, id, code, hash: operatorHash(id, shown) };
  };
  const answers = () =>
    state.operatorAnswers.map((each) => ({ hash: each.hash, isYes: each.isYes }));
  return { approvals, queue, ask, asked: ask('ann'), answers };
}

describe('a person who waits', () => {
  it('is shown among the calls, with the name, the client and the code', async () => {
    const { queue, asked } = start();
    const [waiting] = await queue.list();
    expect(waiting).toMatchObject({
      id: asked.id,
      tool: 'callsign:sign_in',
      arguments: `{"name":"ann","client":"client.example","code":"${asked.code}"}`,
      hidden: [],
      furthest: 'once',
      caller: { client: 'client.example' },
    });
    expect((await queue.find(asked.id))!.arguments).toContain(asked.code);
  });

  it('gets the first of two answers', async () => {
    const { queue, asked, answers } = start();
    const { id, hash } = asked;
    await Promise.all([queue.decide(id, { approve: false }), queue.decide(id, { approve: true })]);
    expect(answers()).toEqual([{ hash, isYes: false }]);
    await asked.ended;
    await queue.decide(id, { approve: true });
    expect(answers()).toEqual([{ hash, isYes: false }]);
  });

  it('gets no answer after the question ended', async () => {
    const { approvals, queue, asked, answers } = start();
    asked.withdraw();
    await queue.decide(asked.id, { approve: true });
    expect(approvals.pending).toEqual([]);
    expect(answers()).toEqual([]);
  });

  it('is not let in by a decision that no operator of this gateway made', async () => {
    // As if another program had written into the database.
    const { approvals, queue, asked, answers } = start();
    approvals.decide(asked.id, { approve: true });
    expect(answers()).toEqual([]);
    await queue.decide(asked.id, { approve: false });
    expect(answers()).toEqual([]);
  });

  it('is not let in by the yes to a call', async () => {
    const { approvals, queue, asked, answers } = start();
    const [{ arguments: shown }] = approvals.pending as [PendingApproval];
    const whole = { arguments: shown, hidden: [] };
    const { id } = approvals.request({
      summary: { tool: 'notes:sign_in', title: '', effect: '', rule: '', ...whole },
      caller: { name: 'key:evil', client: 'evil' },
      timeoutMs: 1_000,
      furthest: 'once',
      wholeArguments: () => whole,
    });
    await queue.decide(id!, { approve: true });
    expect(answers()).toEqual([]);
    expect((await queue.list()).map((each) => each.id)).toContain(asked.id);
  });
});

describe('a question that was changed in a database', () => {
  type Change = (shown: PendingApproval, other: PendingApproval) => object;

  it.each<[string, Change]>([
    ['the code of another person', (_, { arguments: other }) => ({ arguments: other })],
    ['all of another person', (_, { id: _id, ...other }) => other],
    ['another title', () => ({ title: 'Sign-in of someone else' })],
    ['another effect', () => ({ effect: 'Lets no one in.' })],
    ['another rule', () => ({ rule: 'approve it' })],
    ['another client', ({ caller }) => ({ caller: { ...caller, client: 'other.example' } })],
    ['a caller', ({ caller }) => ({ caller: { ...caller, name: 'key:boss' } })],
    ['calls', () => ({ calls: [] })],
    ['the form of a call', () => ({ tool: 'notes:read' })],
    ['the id of a call', () => ({ id: '00ff00' })],
    ['no JSON', () => ({ arguments: 'ann' })],
  ])('is not shown, with %s', async (_, change) => {
    let isChanged = true;
    const { queue, ask, asked } = start((approvals) => {
      const as = (shown: PendingApproval): PendingApproval => {
        const other = approvals.pending.find(({ id }) => id !== shown.id)!;
        return isChanged ? { ...shown, ...change(shown, other) } : shown;
      };
      const own = localQueue(approvals);
      return {
        ...own,
        list: async () => (await own.list()).map(as),
        find: async (id) => (await own.find(id)) && as((await own.find(id))!),
      };
    });
    ask('boss');
    expect(await queue.list()).toEqual([]);
    expect(await queue.find(asked.id)).toBeUndefined();
    isChanged = false;
    expect(await queue.list()).toHaveLength(2);
    expect(await queue.find(asked.id)).toBeDefined();
  });

  it('lets no one in', async () => {
    const { queue, asked, answers } = start((approvals) => ({
      ...localQueue(approvals),
      decide: async (id, decision) => {
        approvals.decide(id, decision);
        const { approval, ...how } = approvals.settled(id)!;
        return { ...how, approval: { ...approval, arguments: '{"name":"boss"}' } };
      },
    }));
    await queue.decide(asked.id, { approve: true });
    expect(answers()).toEqual([]);
  });
});
