import { fakeClock, type FakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryBoard } from '../../../../test/memory/memory-board.js';
import { boardContract } from '../../../../test/contracts/approval-board.js';
import { REAL_CLOCK } from '../../../../test/testing/real-clock.js';
import type { ApprovalBoard } from './approval-board.js';
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
    if (fault.isAway) throw new Error('the board is away');
    return await run();
  };
  const board: ApprovalBoard = {
    post: (approval) => pass(() => inner.post(approval)),
    list: () => pass(() => inner.list()),
    find: (id) => pass(() => inner.find(id)),
    decide: (id, decision) => pass(() => inner.decide(id, decision)),
    decisions: (ids) => pass(() => inner.decisions(ids)),
    remove: (ids) => pass(() => inner.remove(ids)),
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
    expect(await b.desk.decide(ticket.id!, { approve: true, scope: 'call' })).toBe(true);
    await clock.pass(0);
    expect(await ticket.answer).toEqual({ scope: 'call' });
    expect(await b.desk.decide(ticket.id!, { approve: false })).toBe(false);
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
    expect(decided.filter(Boolean)).toHaveLength(1);
    await clock.pass(2_000);
    const answer = await ticket.answer;
    expect('scope' in answer).toBe(decided[1]);
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
    expect(await a.desk.decide(first.id!, { approve: true })).toBe(true);
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

  it('accept no decision that would come too late for the call', async () => {
    const clock = fakeClock();
    const inner = memoryBoard(clock);
    const { board } = faulty(inner);
    const a = instance(clock, board, 'a');
    const ticket = a.approvals.request(REQUEST);
    await clock.pass(57_400);
    expect(await inner.decide(ticket.id!, { approve: true })).toBe(true);
    await clock.pass(2_000);
    expect(await ticket.answer).toEqual({ scope: 'once' });
    const late = a.approvals.request(REQUEST);
    await clock.pass(57_600);
    expect(await inner.decide(late.id!, { approve: true })).toBe(false);
    await clock.pass(3_000);
    expect(await late.answer).toMatchObject({ refusal: expect.stringContaining('did not answer') });
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
    expect(await a.desk.decide(ticket.id!, { approve: true })).toBe(false);
  });
});
