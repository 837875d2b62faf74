import { fakeClock, type FakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryApprovals } from '../../../../test/memory/memory-approvals.js';
import { approvalStoreContract } from '../../../../test/contracts/approval-store.js';
import { REAL_CLOCK } from '../../../../test/testing/real-clock.js';
import { type ApprovalStore, NotPosted } from './approval-store.js';
import { type ApprovalRequest, Approvals } from './approvals.js';
import { SharedApprovals } from './shared-approvals.js';

approvalStoreContract('a store in memory', async () => {
  const store = memoryApprovals(REAL_CLOCK);
  return [store, store];
});

const REQUEST: ApprovalRequest = {
  summary: { tool: 's:t', title: 'T', effect: 'e', arguments: '{}', hidden: [], rule: 'r' },
  caller: { name: undefined, client: 'c' },
  timeoutMs: 60_000,
  furthest: 'tool',
  wholeArguments: () => ({ arguments: '{"whole":true}', hidden: [] }),
};

interface Instance {
  readonly approvals: Approvals;
  readonly queue: SharedApprovals;
}

function instance(clock: FakeClock, store: ApprovalStore, name: string): Instance {
  const approvals = new Approvals({ clock, idLength: 12 });
  const log = (): void => undefined;
  return {
    approvals,
    queue: new SharedApprovals({ approvals, store, instance: name, clock, log }),
  };
}

/** A store whose news gets lost, or that is away. */
function faulty(inner: ApprovalStore): { store: ApprovalStore; fault: { isAway: boolean } } {
  const fault = { isAway: false };
  const pass = async <T>(run: () => Promise<T>): Promise<T> => {
    if (fault.isAway) throw new NotPosted('the store is away');
    return await run();
  };
  const store: ApprovalStore = {
    post: (approval) => pass(() => inner.post(approval)),
    list: () => pass(() => inner.list()),
    find: (id) => pass(() => inner.find(id)),
    decide: (id, decision) => pass(() => inner.decide(id, decision)),
    decisions: (ids) => pass(() => inner.decisions(ids)),
    state: (id) => pass(() => inner.state(id)),
    end: (of, outcomes) => pass(() => inner.end(of, outcomes)),
    watch: () => () => undefined,
  };
  return { store, fault };
}

describe('approvals that instances share', () => {
  it('are seen and decided from any instance', async () => {
    const clock = fakeClock();
    const store = memoryApprovals(clock);
    const [a, b] = [instance(clock, store, 'a'), instance(clock, store, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    expect(await b.queue.list()).toMatchObject([{ id: ticket.id, tool: 's:t', instance: 'a' }]);
    expect(await b.queue.find(ticket.id!)).toMatchObject({ arguments: '{"whole":true}' });
    const decision = { approve: true, scope: 'call' } as const;
    const decided = { decision, outcome: 'approved' };
    expect(await b.queue.decide(ticket.id!, decision)).toMatchObject(decided);
    expect(await ticket.answer).toEqual({ scope: 'call' });
    // All later decisions, on any instance, are answered with the decision that counts.
    for (const { queue } of [a, b]) {
      expect(await queue.decide(ticket.id!, { approve: false })).toMatchObject(decided);
      expect(await queue.decide(ticket.id!, decision)).toMatchObject(decided);
    }
    expect(await b.queue.list()).toEqual([]);
  });

  it('are decided once if two operators decide at the same time', async () => {
    const clock = fakeClock();
    const store = memoryApprovals(clock);
    const [a, b] = [instance(clock, store, 'a'), instance(clock, store, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    const decided = await Promise.all([
      a.queue.decide(ticket.id!, { approve: false, reason: 'no' }),
      b.queue.decide(ticket.id!, { approve: true }),
    ]);
    await clock.pass(2_000);
    const answer = await ticket.answer;
    const outcome = 'scope' in answer ? 'approved' : 'denied';
    for (const each of decided) expect(each?.decision?.approve).toBe(outcome === 'approved');
  });

  it('are noticed within two seconds if news is lost', async () => {
    const clock = fakeClock();
    const inner = memoryApprovals(clock);
    const { store } = faulty(inner);
    const a = instance(clock, store, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(30_000);
    expect(await inner.decide(ticket.id!, { approve: true })).toBe(true);
    await clock.pass(2_000);
    expect(a.approvals.pending).toEqual([]);
    expect(await ticket.answer).toEqual({ scope: 'once' });
  });

  it('can be decided on their own instance if the store cannot be reached, and are posted later', async () => {
    const clock = fakeClock();
    const inner = memoryApprovals(clock);
    const { store, fault } = faulty(inner);
    fault.isAway = true;
    const a = instance(clock, store, 'a');
    const first = a.approvals.request(REQUEST);
    const second = a.approvals.request(REQUEST);
    await clock.pass(5_000);
    expect(await a.queue.decide(first.id!, { approve: true })).toMatchObject({
      outcome: 'approved',
    });
    expect(await first.answer).toEqual({ scope: 'once' });
    fault.isAway = false;
    await clock.pass(2_000);
    expect((await inner.list()).map(({ id }) => id)).toEqual([second.id]);
  });

  it('cannot be decided on their own instance if the store has them but cannot be reached', async () => {
    const clock = fakeClock();
    const { store, fault } = faulty(memoryApprovals(clock));
    const a = instance(clock, store, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    fault.isAway = true;
    await expect(a.queue.decide(ticket.id!, { approve: true })).rejects.toThrow('away');
    expect(a.approvals.pending).toHaveLength(1);
  });

  it('take a decision that came before the time limit, though it is read after it (L1)', async () => {
    const clock = fakeClock();
    const inner = memoryApprovals(clock);
    const { store } = faulty(inner);
    const a = instance(clock, store, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(59_999);
    expect(await inner.decide(ticket.id!, { approve: true })).toBe(true);
    await clock.pass(1);
    expect(await ticket.answer).toEqual({ scope: 'once' });
  });

  it('expire if the store does not answer, and then no decision counts (L1)', async () => {
    const clock = fakeClock();
    const inner = memoryApprovals(clock);
    const { store, fault } = faulty(inner);
    const [a, b] = [instance(clock, store, 'a'), instance(clock, inner, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(59_000);
    fault.isAway = true;
    const deciding = b.queue.decide(ticket.id!, { approve: true });
    await clock.pass(1_000);
    expect(await ticket.answer).toMatchObject({
      refusal: expect.stringContaining('did not answer'),
    });
    fault.isAway = false;
    await clock.pass(2_000);
    expect(await deciding).toMatchObject({ outcome: 'expired' });
    const later = await b.queue.decide(ticket.id!, { approve: true });
    expect(later).toMatchObject({ outcome: 'expired' });
  });

  it('are not called decided before their instance has taken the decision (L1, L12)', async () => {
    const clock = fakeClock();
    const inner = memoryApprovals(clock);
    const { store, fault } = faulty(inner);
    const [a, b] = [instance(clock, store, 'a'), instance(clock, inner, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    fault.isAway = true;
    const deciding = b.queue.decide(ticket.id!, { approve: true });
    await clock.pass(5_000);
    const open = await deciding;
    expect(open).toMatchObject({ decision: { approve: true } });
    expect(open).not.toHaveProperty('outcome');
    // To decide otherwise is too late.
    const other = await b.queue.decide(ticket.id!, { approve: false });
    expect(other).toMatchObject({ decision: { approve: true } });
    fault.isAway = false;
    await clock.pass(2_000);
    expect(await ticket.answer).toEqual({ scope: 'once' });
    const again = await b.queue.decide(ticket.id!, { approve: true });
    expect(again).toMatchObject({ outcome: 'approved' });
  });

  it('are decided in the store only, if it may have them (L1)', async () => {
    const clock = fakeClock();
    const inner = memoryApprovals(clock);
    let isLost = true;
    // The call is posted, and the answer gets lost.
    const store: ApprovalStore = {
      ...inner,
      async post(approval) {
        await inner.post(approval);
        if (isLost) throw new Error('no answer');
      },
    };
    const [a, b] = [instance(clock, store, 'a'), instance(clock, inner, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    await expect(a.queue.decide(ticket.id!, { approve: true })).rejects.toThrow('no answer');
    expect(a.approvals.pending).toHaveLength(1);
    expect((await a.queue.list()).map(({ id }) => id)).toEqual([ticket.id]);
    const denied = { decision: { approve: false }, outcome: 'denied' };
    expect(await b.queue.decide(ticket.id!, { approve: false })).toMatchObject(denied);
    isLost = false;
    expect(await a.queue.decide(ticket.id!, { approve: true })).toMatchObject(denied);
    expect(await ticket.answer).toEqual({ refusal: 'the operator denied it' });
  });

  it('leave the store when the call is withdrawn', async () => {
    const clock = fakeClock();
    const store = memoryApprovals(clock);
    const a = instance(clock, store, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    ticket.withdraw();
    await clock.pass(0);
    expect(await store.list()).toEqual([]);
    const decided = await a.queue.decide(ticket.id!, { approve: true });
    expect(decided).toMatchObject({ outcome: 'withdrawn' });
  });
});
