/** What operators decide about people who wait, and which decisions count. */

import { emptyState, operatorHash } from '@callsign/auth';
import type { CallerSignInStore } from '@callsign/auth';
import { fakeClock } from '@callsign/core/testing';
import { Approvals, type ApprovalQueue, localQueue } from '@callsign/governance';
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
  const asked = operatorQueue(approvals).ask({
    title: 'Sign-in of ann',
    effect: 'Lets a person in.',
    rule: 'a person asks',
    shown: '{"name":"ann","code":"AAAA-BBBB"}',
    client: 'client.example',
    timeoutMs: 1_000,
  })!;
  const hash = operatorHash(asked.id, '{"name":"ann","code":"AAAA-BBBB"}');
  const answers = () =>
    state.operatorAnswers.map((each) => ({ hash: each.hash, isYes: each.isYes }));
  return { approvals, queue, asked, hash, answers };
}

describe('a person who waits', () => {
  it('is shown among the calls, with the name, the client and the code', async () => {
    const { queue, asked } = start();
    const [waiting] = await queue.list();
    expect(waiting).toMatchObject({
      id: asked.id,
      tool: 'callsign:sign_in',
      arguments: '{"name":"ann","code":"AAAA-BBBB"}',
      hidden: [],
      furthest: 'once',
      caller: { client: 'client.example' },
    });
    expect((await queue.find(asked.id))!.arguments).toContain('AAAA-BBBB');
  });

  it('gets the first of two answers', async () => {
    const { queue, asked, hash, answers } = start();
    await Promise.all([
      queue.decide(asked.id, { approve: false }),
      queue.decide(asked.id, { approve: true }),
    ]);
    expect(answers()).toEqual([{ hash, isYes: false }]);
    await asked.ended;
    await queue.decide(asked.id, { approve: true });
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
    const { approvals, queue, answers } = start();
    const whole = { arguments: '{"name":"ann","code":"AAAA-BBBB"}', hidden: [] };
    const { id } = approvals.request({
      summary: { tool: 'notes:sign_in', title: '', effect: '', rule: '', ...whole },
      caller: { name: 'key:evil', client: 'evil' },
      timeoutMs: 1_000,
      furthest: 'once',
      wholeArguments: () => whole,
    });
    await queue.decide(id!, { approve: true });
    expect(answers()).toEqual([]);
  });
});
