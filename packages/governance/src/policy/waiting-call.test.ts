/** Confirmation of one call: who is asked, what the record says, and what ends the wait. */

import type { Call, Caller, Reply } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { Approvals } from './approvals.js';
import { Confirmation } from './confirmation.js';
import { plainCall, plainCaller, policySettings } from './testing/plain-call.js';
import { HandClock } from '../../../../test/testing/hand-clock.js';

const WAIT = { confirm: { whenClientCannotAsk: 'wait', timeoutMs: 60_000 } };
const YES: Reply = { ok: true, json: '{"action":"accept","content":{"answer":"Yes, this once"}}' };
const ASKABLE = plainCaller('session', 'ann');
const MUTE: Caller = { ...ASKABLE, can: () => false };

interface Setting {
  readonly policy?: object;
  readonly caller?: Caller;
  readonly args?: object;
  readonly maxPending?: number;
}

function setting({ policy = {}, caller = ASKABLE, args, maxPending = 10 }: Setting = {}) {
  const clock = new HandClock();
  const approvals = new Approvals({ clock, maxPending });
  const settings = policySettings(policy);
  const confirmation = new Confirmation({ settings: () => settings, approvals, clock });
  const call: Call = plainCall(caller, 'thing', args ? { arguments: args } : {});
  call.context.verdict = { decision: 'confirm', rule: 'r' };
  const sent: string[] = [];
  const confirm = () =>
    confirmation.confirm(call, async () => {
      sent.push(call.name);
      return { ok: true, json: '{}' };
    });
  return { clock, approvals, confirmation, call, context: call.context, sent, confirm };
}

const refusal = async (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => 'made',
    (error: { details?: { reason?: string }; code: string }) => error.details?.reason ?? error.code,
  );

describe('a call that waits when the gateway stops', () => {
  const LOST = [{ module: 'approval', decision: 'deny', rule: 'the gateway stopped' }];

  it('for the operator is refused at once, and leaves the queue (G2)', async () => {
    const { confirmation, approvals, context, sent, confirm } = setting({
      policy: WAIT,
      caller: MUTE,
    });
    const outcome = confirm();
    await expect.poll(() => approvals.pending.length).toBe(1);
    confirmation.end();
    await expect(outcome).rejects.toMatchObject({ code: 'approval-lost' });
    expect(approvals.pending).toEqual([]);
    expect(context.decisions).toEqual(LOST);
    expect(sent).toEqual([]);
  });

  it('for the user is refused at once, and the question is taken back (G2)', async () => {
    const { confirmation, context, sent, confirm } = setting();
    let withdrawn: Promise<void> | undefined;
    context.ask = (question) => {
      withdrawn = question.withdrawn;
      return new Promise(() => undefined);
    };
    const outcome = confirm();
    await expect.poll(() => withdrawn !== undefined).toBe(true);
    confirmation.end();
    await expect(outcome).rejects.toMatchObject({ code: 'approval-lost' });
    await withdrawn;
    expect(context.decisions).toEqual(LOST);
    expect(sent).toEqual([]);
  });

  it('cannot start to wait any more (G2)', async () => {
    const { confirmation, approvals, sent, confirm } = setting({ policy: WAIT, caller: MUTE });
    confirmation.end();
    await expect(confirm()).rejects.toMatchObject({ code: 'approval-lost' });
    expect(approvals.pending).toEqual([]);
    expect(sent).toEqual([]);
  });
});

describe('a call that needs an approval', () => {
  it('is made if the operator approved it in advance, and no one is asked', async () => {
    const { context, sent, confirm } = setting();
    context.isApproved = true;
    await confirm();
    expect(sent).toEqual(['s:thing']);
    expect(context.verdict).toEqual({
      decision: 'confirm',
      rule: 'r; approved by the operator in advance',
    });
    expect(context.decisions).toEqual([
      { module: 'approval', decision: 'allow', rule: 'approved by the operator in advance' },
    ]);
  });

  it('has the reason in its record if it is not approved', async () => {
    const { context, sent, confirm } = setting({ caller: MUTE });
    await expect(confirm()).rejects.toMatchObject({
      code: 'not-approved',
      details: { tool: 's:thing', reason: CANNOT_ASK },
    });
    expect(sent).toEqual([]);
    expect(context.decisions).toEqual([
      { module: 'approval', decision: 'deny', rule: 'this client cannot ask its user' },
    ]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('gone')), 'the client could not ask its user'],
    [
      'answers with an error',
      async () => ({ ...YES, ok: false }),
      'the client did not ask its user',
    ],
    [
      'answers with no object',
      async () => ({ ok: true, json: '7' }),
      'the client did not ask its user',
    ],
    ['answers null', async () => ({ ok: true, json: 'null' }), 'the client did not ask its user'],
    ['says yes', async () => YES, 'made'],
  ])('and whose client %s ends, and no timer is left', async (_, ask, expected) => {
    const { clock, context, confirm } = setting();
    context.ask = ask;
    expect(await refusal(confirm())).toBe(expected);
    expect(clock.pending).toBe(0);
  });

  it('asks for the reason that the policy gave', async () => {
    const { context, confirm } = setting({ args: { a: 1 } });
    const asked: string[] = [];
    context.ask = async ({ params }) => {
      asked.push(params);
      return YES;
    };
    await confirm();
    expect(asked[0]).toContain('Asked because r.');
  });

  it('with arguments that are not clear is refused before anyone is asked', async () => {
    const { context, confirm } = setting({ policy: WAIT, args: { path: 1, Path: 2 } });
    context.isApproved = true;
    expect(await refusal(confirm())).toBe(
      'its arguments are not clear: two keys differ only in case',
    );
  });
});

describe('a call that is cancelled', () => {
  it('before it waits is not asked about for long', async () => {
    const { approvals, context, confirm } = setting({ policy: WAIT, caller: MUTE });
    context.cancel();
    expect(await refusal(confirm())).toBe('call-cancelled');
    expect(approvals.pending).toEqual([]);
  });

  it('while it waits ends as cancelled, not as refused', async () => {
    const { approvals, context, sent, confirm } = setting({ policy: WAIT, caller: MUTE });
    const outcome = refusal(confirm());
    await expect.poll(() => approvals.pending.length).toBe(1);
    context.cancel();
    expect(await outcome).toBe('call-cancelled');
    expect([approvals.pending, sent]).toEqual([[], []]);
  });

  it('while its user is asked ends at once', async () => {
    const { clock, context, sent, confirm } = setting();
    context.ask = () => new Promise(() => undefined);
    const outcome = refusal(confirm());
    await expect.poll(() => clock.pending).toBe(1);
    context.cancel();
    expect(await outcome).toBe('call-cancelled');
    expect([clock.pending, sent]).toEqual([0, []]);
  });
});

/** What the caller reads. The record has only the first half. */
const CANNOT_ASK =
  'this client cannot ask its user; to let such calls wait for you, set ' +
  'callsign.policy.confirm.whenClientCannotAsk to "wait"; docs/policy.md shows it for "careful"';

describe('a call whose client cannot ask', () => {
  it.each([
    ['refuse', true, CANNOT_ASK],
    ['task', false, CANNOT_ASK],
    ['task', true, 'the operator denied it'],
    ['wait', false, 'the operator denied it'],
  ])('under "%s", where it may be a task: %s', async (whenClientCannotAsk, mayBeTask, expected) => {
    const policy = { confirm: { whenClientCannotAsk } };
    const { approvals, context, confirm } = setting({ policy, caller: MUTE });
    context.mayBeTask = mayBeTask;
    approvals.subscribe(({ type, id }) => {
      if (type === 'waiting') approvals.decide(id, { approve: false });
    });
    context.onWaiting = () => undefined;
    expect(await refusal(confirm())).toBe(expected);
  });

  it('waits for the operator if its listener cannot ask, even if its client can', async () => {
    const { approvals, confirm } = setting({ policy: WAIT });
    const outcome = confirm();
    await expect.poll(() => approvals.pending.length).toBe(1);
    approvals.decide(approvals.pending[0]!.id, { approve: true });
    expect((await outcome).ok).toBe(true);
  });

  it('tells its caller the id while it waits, and the end before it is sent', async () => {
    const { approvals, context, sent, confirm } = setting({ policy: WAIT, caller: MUTE });
    const told: (string | undefined)[] = [];
    context.onWaiting = (id) => void told.push(id === undefined ? `end, ${sent.length} sent` : id);
    const outcome = confirm();
    await expect.poll(() => told.length).toBe(1);
    const { id } = approvals.pending[0]!;
    approvals.decide(id, { approve: true });
    await outcome;
    expect(told).toEqual([id, 'end, 0 sent']);
    expect(context.verdict?.rule).toBe('r; approved by the operator');
  });

  it('is not made if its caller cannot be told of the approval', async () => {
    const { approvals, context, sent, confirm } = setting({ policy: WAIT, caller: MUTE });
    context.onWaiting = async (id) => {
      if (id === undefined) throw new Error('the task is gone');
    };
    const outcome = confirm();
    outcome.catch(() => undefined);
    await expect.poll(() => approvals.pending.length).toBe(1);
    approvals.decide(approvals.pending[0]!.id, { approve: true });
    await expect(outcome).rejects.toThrow('the task is gone');
    expect(sent).toEqual([]);
  });

  it('is refused without waiting if too many wait', async () => {
    const { context, confirm } = setting({ policy: WAIT, caller: MUTE, maxPending: 0 });
    const told: (string | undefined)[] = [];
    context.onWaiting = (id) => void told.push(id);
    expect(await refusal(confirm())).toBe('0 calls are already waiting for the operator');
    expect(told).toEqual([]);
  });

  it.each([
    ['session', 'ann', 'tool', 'tool'],
    ['session', undefined, 'call', 'call'],
    ['stateless', 'ann', 'tool', 'tool'],
    ['stateless', undefined, 'tool', 'once'],
    ['session', 'ann', 'never', 'once'],
  ] as const)(
    'in the %s era as %s, under "%s", may be approved for: %s',
    async (era, principal, remember, furthest) => {
      const policy = { confirm: { ...WAIT.confirm, remember } };
      const caller = { ...plainCaller(era, principal), can: () => false };
      const { approvals, confirm } = setting({ policy, caller });
      const outcome = confirm();
      await expect.poll(() => approvals.pending.length).toBe(1);
      expect(approvals.pending[0]!.furthest).toBe(furthest);
      approvals.decide(approvals.pending[0]!.id, { approve: true });
      await outcome;
    },
  );

  it('shows names as visible text of a limited length', async () => {
    const long = `a\u202E${'x'.repeat(200)}`;
    const caller = { ...plainCaller('session', long, long), can: () => false };
    const { approvals, confirm } = setting({ policy: WAIT, caller });
    void confirm();
    await expect.poll(() => approvals.pending.length).toBe(1);
    const { name, client } = approvals.pending[0]!.caller;
    const visible = `a⟨U+202E⟩${'x'.repeat(98)}…`;
    expect([name, client]).toEqual([visible, visible]);
  });

  it('shows its complete arguments on request, without secrets', async () => {
    const policy = { ...WAIT, redact: { keys: ['iban'], patterns: [] } };
    const args = { text: 'x'.repeat(20_000), iban: 'DE12' };
    const { approvals, confirm } = setting({ policy, caller: MUTE, args });
    void confirm();
    await expect.poll(() => approvals.pending.length).toBe(1);
    const [pending] = approvals.pending;
    const whole = approvals.whole(pending!.id)!;
    expect(pending!.arguments.length).toBeLessThan(10_000);
    expect(whole.arguments).toContain('x'.repeat(20_000));
    for (const shown of [pending!.arguments, whole.arguments]) expect(shown).not.toContain('DE12');
  });
});
