import { describe, expect, it } from 'vitest';

import { type ApprovalEvent, Approvals } from './approvals.js';
import { HandClock } from '../../../../test/testing/hand-clock.js';

const SUMMARY = {
  tool: 's:t',
  title: 'T',
  effect: 'Deletes.',
  arguments: '{}',
  hidden: [],
  rule: 'r',
};
const wholeArguments = () => ({ arguments: '{"text":"the whole of it"}', hidden: [] });
const CALLER = { name: undefined, client: 'c' };

function queue(maxPending?: number) {
  const clock = new HandClock();
  const approvals = new Approvals({ clock, ...(maxPending === undefined ? {} : { maxPending }) });
  const events: ApprovalEvent[] = [];
  approvals.subscribe((event) => events.push(event));
  const request = (timeoutMs = 1_000) =>
    approvals.request({
      summary: SUMMARY,
      caller: CALLER,
      timeoutMs,
      furthest: 'tool',
      wholeArguments,
    });
  return { clock, approvals, events, request };
}

const outcomes = (events: readonly ApprovalEvent[]) =>
  events.map((event) => (event.type === 'settled' ? event.outcome : event.type));

describe('the calls that wait for the operator', () => {
  it('are listed, oldest first, with the time that they have', () => {
    const { approvals, clock, request } = queue();
    request(1_000);
    clock.pass(400);
    request(2_000);
    expect(approvals.pending.map(({ waitedMs, remainingMs }) => [waitedMs, remainingMs])).toEqual([
      [400, 600],
      [0, 2_000],
    ]);
  });

  it('are limited in number: a further one is refused at once', async () => {
    const { approvals, request } = queue(2);
    request();
    request();
    expect(await request().answer).toEqual({
      refusal: '2 calls are already waiting for the operator',
    });
    approvals.decide(approvals.pending[0]!.id, { approve: false });
    request();
    expect(approvals.pending.length).toBe(2);
  });

  it('can be approved in part if a script makes them, and by numbers of its calls only', async () => {
    const { approvals } = queue();
    const part = {
      tool: 's:t',
      risk: 'write',
      effect: 'Adds.',
      arguments: '{}',
      hidden: [],
    } as const;
    const ask = (count: number) => {
      const calls = Array.from({ length: count }, (_, i) => ({ ...part, number: i + 1 }));
      const summary = { ...SUMMARY, ...(count === 0 ? {} : { calls }) };
      const request = { summary, caller: CALLER, timeoutMs: 1_000, wholeArguments };
      return approvals.request({ ...request, furthest: 'once' });
    };
    const decided = (count: number, only: number[]) => {
      const ticket = ask(count);
      approvals.decide(ticket.id!, { approve: true, only });
      return ticket.answer;
    };
    expect(await decided(3, [1, 3])).toEqual({ scope: 'once', only: [1, 3] });
    const refusal = 'the approval names calls that the script does not make';
    for (const [count, only] of [
      [3, [4]],
      [3, [1, 0]],
      [3, []],
      [0, [1]],
    ] as const)
      expect(await decided(count, [...only])).toEqual({ refusal });
  });

  it('are each settled once, by the first decision', async () => {
    const { approvals, clock, events, request } = queue();
    const { answer, withdraw } = request();
    const { id } = approvals.pending[0]!;
    expect(approvals.decide(id, { approve: true })).toBe(true);
    expect(approvals.decide(id, { approve: false })).toBe(false);
    withdraw();
    clock.pass(5_000);
    expect(await answer).toEqual({ scope: 'once' });
    expect(outcomes(events)).toEqual(['waiting', 'approved']);
  });

  it('report how each ended', () => {
    const { approvals, clock, events, request } = queue();
    request();
    approvals.decide(approvals.pending[0]!.id, { approve: false });
    request().withdraw();
    request();
    clock.pass(1_000);
    expect(outcomes(events)).toEqual([
      'waiting',
      'denied',
      'waiting',
      'withdrawn',
      'waiting',
      'expired',
    ]);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['tool', 'tool', 'tool'],
    ['call', 'tool', 'call'],
    ['tool', 'call', 'call'],
    ['tool', 'once', 'once'],
    [undefined, 'tool', 'once'],
  ] as const)(
    'approved for %s, where %s may be remembered, are approved for %s',
    async (scope, furthest, expected) => {
      const approvals = new Approvals({ clock: new HandClock() });
      const asked = {
        summary: SUMMARY,
        caller: CALLER,
        timeoutMs: 1_000,
        furthest,
        wholeArguments,
      };
      const { answer } = approvals.request(asked);
      const { id } = approvals.pending[0]!;
      approvals.decide(id, { approve: true, ...(scope ? { scope } : {}) });
      expect(await answer).toEqual({ scope: expected });
    },
  );

  it('show all their arguments on request', () => {
    const { approvals, request } = queue();
    const { id } = request();
    expect(approvals.pending[0]).toMatchObject({ id, arguments: '{}' });
    expect(approvals.whole(id!)).toMatchObject({ tool: 's:t', ...wholeArguments() });
    expect(approvals.whole('none')).toBeUndefined();
  });

  it('give the reason of a refusal, cut to a length', async () => {
    const refusal = async (reason?: string): Promise<unknown> => {
      const { approvals, request } = queue();
      const { answer } = request();
      const { id } = approvals.pending[0]!;
      approvals.decide(id, { approve: false, ...(reason === undefined ? {} : { reason }) });
      return answer;
    };
    expect(await refusal()).toEqual({ refusal: 'the operator denied it' });
    expect(await refusal('x'.repeat(301))).toEqual({
      refusal: `the operator denied it: ${'x'.repeat(300)}`,
    });
  });

  it('are at most a hundred by default', () => {
    const { approvals, request } = queue();
    for (let i = 0; i < 101; i++) request();
    expect(approvals.pending.length).toBe(100);
  });

  it('are announced until a listener has left', () => {
    const { approvals, request } = queue();
    const heard: string[] = [];
    const leave = approvals.subscribe(({ type }) => heard.push(type));
    request();
    leave();
    request();
    expect(heard).toEqual(['waiting']);
  });

  it('have ids of six letters, or of more where many instances make them', () => {
    const { request } = queue();
    expect(request().id).toMatch(/^[0-9a-f]{6}$/);
    const many = new Approvals({ clock: new HandClock(), idLength: 12 });
    const asked = { summary: SUMMARY, caller: CALLER, timeoutMs: 1_000, furthest: 'tool' } as const;
    const { id } = many.request({ ...asked, wholeArguments });
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(many.posted(id!)).toEqual({
      ...SUMMARY,
      id,
      caller: CALLER,
      waitedMs: 0,
      remainingMs: 1_000,
      furthest: 'tool',
      whole: wholeArguments(),
    });
    expect(many.posted('none')).toBeUndefined();
  });

  it('never share an id', () => {
    // Two letters make 256 ids, so 200 calls meet taken ones.
    const approvals = new Approvals({ clock: new HandClock(), idLength: 2, maxPending: 200 });
    const asked = { summary: SUMMARY, caller: CALLER, timeoutMs: 1_000, furthest: 'tool' } as const;
    for (let i = 0; i < 200; i++) approvals.request({ ...asked, wholeArguments });
    expect(approvals.pending).toHaveLength(200);
  });

  it('that are refused at once have no id, and need not be withdrawn', async () => {
    const { approvals, events, request } = queue(0);
    const { id, withdraw } = request();
    withdraw();
    expect([id, approvals.pending, events]).toEqual([undefined, [], []]);
  });

  it('name the tool in what they announce', async () => {
    const { approvals, events, request } = queue();
    const { id, answer } = request(1_500);
    approvals.decide('none', { approve: true });
    request().withdraw();
    expect(events.slice(0, 1)).toEqual([{ type: 'waiting', id, tool: 's:t' }]);
    expect(events.at(-1)).toMatchObject({ type: 'settled', tool: 's:t', outcome: 'withdrawn' });
    approvals.decide(id!, { approve: false, reason: '' });
    expect(await answer).toEqual({ refusal: 'the operator denied it: ' });
  });

  it('are found by their exact ids only', () => {
    const { approvals } = queue();
    expect(approvals.decide('__proto__', { approve: true })).toBe(false);
  });
});
