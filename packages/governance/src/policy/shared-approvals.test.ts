import { fakeClock, type FakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryBoard } from '../../../../test/memory/memory-board.js';
import { boardContract } from '../../../../test/contracts/approval-board.js';
import { REAL_CLOCK } from '../../../../test/testing/real-clock.js';
import { type ApprovalBoard, NotPosted } from './approval-board.js';
import { type ApprovalRequest, Approvals } from './approvals.js';
import { SharedApprovals } from './shared-approvals.js';

boardContract('a board in memory', async () => {
  const board = memoryBoard(REAL_CLOCK);
  return [board, board];
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
  readonly desk: SharedApprovals;
}

function instance(clock: FakeClock, board: ApprovalBoard, name: string): Instance {
  const approvals = new Approvals({ clock, idLength: 12 });
  const log = (): void => undefined;
  return { approvals, desk: new SharedApprovals({ approvals, board, instance: name, clock, log }) };
}

/** A board whose news gets lost, or that is away. */
function faulty(inner: ApprovalBoard): { board: ApprovalBoard; fault: { isAway: boolean } } {
  const fault = { isAway: false };
  const pass = async <T>(run: () => Promise<T>): Promise<T> => {
    if (fault.isAway) throw new NotPosted('the board is away');
    return await run();
  };
  const board: ApprovalBoard = {
    post: (approval) => pass(() => inner.post(approval)),
    list: () => pass(() => inner.list()),
    find: (id) => pass(() => inner.find(id)),
    decide: (id, decision) => pass(() => inner.decide(id, decision)),
    decisions: (ids) => pass(() => inner.decisions(ids)),
    state: (id) => pass(() => inner.state(id)),
    end: (of, outcomes) => pass(() => inner.end(of, outcomes)),
    watch: () => () => undefined,
  };
  return { board, fault };
}

describe('approvals that instances share', () => {
  it('are seen and decided from any instance', async () => {
    const clock = fakeClock();
    const board = memoryBoard(clock);
    const [a, b] = [instance(clock, board, 'a'), instance(clock, board, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    expect(await b.desk.list()).toMatchObject([{ id: ticket.id, tool: 's:t', instance: 'a' }]);
    expect(await b.desk.find(ticket.id!)).toMatchObject({ arguments: '{"whole":true}' });
    const decision = { approve: true, scope: 'call' } as const;
    const decided = { decision, outcome: 'approved' };
    expect(await b.desk.decide(ticket.id!, decision)).toMatchObject(decided);
    expect(await ticket.answer).toEqual({ scope: 'call' });
    // All later decisions, on any instance, are answered with the decision that counts.
    for (const { desk } of [a, b]) {
      expect(await desk.decide(ticket.id!, { approve: false })).toMatchObject(decided);
      expect(await desk.decide(ticket.id!, decision)).toMatchObject(decided);
    }
    expect(await b.desk.list()).toEqual([]);
  });

  it('are decided once if two operators decide at the same time', async () => {
    const clock = fakeClock();
    const board = memoryBoard(clock);
    const [a, b] = [instance(clock, board, 'a'), instance(clock, board, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    const decided = await Promise.all([
      a.desk.decide(ticket.id!, { approve: false, reason: 'no' }),
      b.desk.decide(ticket.id!, { approve: true }),
    ]);
    await clock.pass(2_000);
    const answer = await ticket.answer;
    const outcome = 'scope' in answer ? 'approved' : 'denied';
    for (const each of decided) expect(each?.decision?.approve).toBe(outcome === 'approved');
  });

  it('are noticed within two seconds if news is lost', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    const { board } = faulty(inner);
    const a = instance(clock, board, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(30_000);
    expect(await inner.decide(ticket.id!, { approve: true })).toBe(true);
    await clock.pass(2_000);
    expect(a.approvals.pending).toEqual([]);
    expect(await ticket.answer).toEqual({ scope: 'once' });
  });

  it('can be decided on their own instance if the board cannot be reached, and are posted later', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    const { board, fault } = faulty(inner);
    fault.isAway = true;
    const a = instance(clock, board, 'a');
    const first = a.approvals.request(REQUEST);
    const second = a.approvals.request(REQUEST);
    await clock.pass(5_000);
    expect(await a.desk.decide(first.id!, { approve: true })).toMatchObject({
      outcome: 'approved',
    });
    expect(await first.answer).toEqual({ scope: 'once' });
    fault.isAway = false;
    await clock.pass(2_000);
    expect((await inner.list()).map(({ id }) => id)).toEqual([second.id]);
  });

  it('cannot be decided on their own instance if the board has them but cannot be reached', async () => {
    const clock = fakeClock();
    const { board, fault } = faulty(memoryBoard(clock));
    const a = instance(clock, board, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    fault.isAway = true;
    await expect(a.desk.decide(ticket.id!, { approve: true })).rejects.toThrow('away');
    expect(a.approvals.pending).toHaveLength(1);
  });

  it('take a decision that came before the time limit, though it is read after it (L1)', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    const { board } = faulty(inner);
    const a = instance(clock, board, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(59_999);
    expect(await inner.decide(ticket.id!, { approve: true })).toBe(true);
    await clock.pass(1);
    expect(await ticket.answer).toEqual({ scope: 'once' });
  });

  it('expire if the board does not answer, and then no decision counts (L1)', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    const { board, fault } = faulty(inner);
    const [a, b] = [instance(clock, board, 'a'), instance(clock, inner, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(59_000);
    fault.isAway = true;
    const deciding = b.desk.decide(ticket.id!, { approve: true });
    await clock.pass(1_000);
    expect(await ticket.answer).toMatchObject({
      refusal: expect.stringContaining('did not answer'),
    });
    fault.isAway = false;
    await clock.pass(2_000);
    expect(await deciding).toMatchObject({ outcome: 'expired' });
    const later = await b.desk.decide(ticket.id!, { approve: true });
    expect(later).toMatchObject({ outcome: 'expired' });
  });

  it('are not called decided before their instance has taken the decision (L1, L12)', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    const { board, fault } = faulty(inner);
    const [a, b] = [instance(clock, board, 'a'), instance(clock, inner, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    fault.isAway = true;
    const deciding = b.desk.decide(ticket.id!, { approve: true });
    await clock.pass(5_000);
    const open = await deciding;
    expect(open).toMatchObject({ decision: { approve: true } });
    expect(open).not.toHaveProperty('outcome');
    // To decide otherwise is too late.
    const other = await b.desk.decide(ticket.id!, { approve: false });
    expect(other).toMatchObject({ decision: { approve: true } });
    fault.isAway = false;
    await clock.pass(2_000);
    expect(await ticket.answer).toEqual({ scope: 'once' });
    const again = await b.desk.decide(ticket.id!, { approve: true });
    expect(again).toMatchObject({ outcome: 'approved' });
  });

  it('are decided on the board only, if it may have them (L1)', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    let isLost = true;
    // The call is posted, and the answer gets lost.
    const board: ApprovalBoard = {
      ...inner,
      async post(approval) {
        await inner.post(approval);
        if (isLost) throw new Error('no answer');
      },
    };
    const [a, b] = [instance(clock, board, 'a'), instance(clock, inner, 'b')];
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    await expect(a.desk.decide(ticket.id!, { approve: true })).rejects.toThrow('no answer');
    expect(a.approvals.pending).toHaveLength(1);
    expect((await a.desk.list()).map(({ id }) => id)).toEqual([ticket.id]);
    const denied = { decision: { approve: false }, outcome: 'denied' };
    expect(await b.desk.decide(ticket.id!, { approve: false })).toMatchObject(denied);
    isLost = false;
    expect(await a.desk.decide(ticket.id!, { approve: true })).toMatchObject(denied);
    expect(await ticket.answer).toEqual({ refusal: 'the operator denied it' });
  });

  it('leave the board when the call is withdrawn', async () => {
    const clock = fakeClock();
    const board = memoryBoard(clock);
    const a = instance(clock, board, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(0);
    ticket.withdraw();
    await clock.pass(0);
    expect(await board.list()).toEqual([]);
    const decided = await a.desk.decide(ticket.id!, { approve: true });
    expect(decided).toMatchObject({ outcome: 'withdrawn' });
  });
});
