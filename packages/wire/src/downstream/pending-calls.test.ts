import { Call, CallsignError, type Caller, type Question, type Reply } from '@callsign/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { PendingCalls, StatelessCallContext } from './pending-calls.js';

const QUESTION: Question = { method: 'elicitation/create', params: '{"message":"Well?"}' };
const DONE: Reply = { ok: true, json: '{"content":[]}' };

function callOf(capabilities = '{"elicitation":{},"sampling":{}}', name = 'ann'): Call {
  const declared = JSON.parse(capabilities) as Record<string, unknown>;
  const caller: Caller = {
    id: 'c',
    era: 'stateless',
    client: { name: 'test', version: '1' },
    principal: { name, roles: [] },
    capabilities,
    can: (capability) => declared[capability] !== undefined,
  };
  const nowhere = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  return new Call({
    method: 'tools/call',
    params: '{}',
    name: 't',
    ...nowhere,
    caller,
    context: new StatelessCallContext('1'),
  });
}

const stateOf = (outcome: object): string =>
  (JSON.parse((outcome as { inputRequired: string }).inputRequired) as { requestState: string })
    .requestState;

describe('held calls', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('hold nothing for a call that asks nothing', async () => {
    const pending = new PendingCalls();
    expect(await pending.begin(callOf(), 'b', () => Promise.resolve(DONE))).toEqual({
      reply: DONE,
    });
    expect(pending.size).toBe(0);
  });

  it('put questions that come together into one round', async () => {
    const pending = new PendingCalls();
    const call = callOf();
    const begun = pending.begin(call, 'b', async () => {
      const answers = await Promise.all([call.context.ask!(QUESTION), call.context.ask!(QUESTION)]);
      return { ok: true, json: `[${answers.map(({ json }) => json).join(',')}]` };
    });
    await vi.advanceTimersByTimeAsync(20);
    const outcome = await begun;
    const resumed = pending.resume(stateOf(outcome), 'b', call, '{"q2":{"b":2},"q1":{"a":1}}')!;
    expect(await resumed.outcome).toEqual({ reply: { ok: true, json: '[{"a":1},{"b":2}]' } });
    expect(pending.size).toBe(0);
  });

  it('continue if the server takes its question back', async () => {
    const pending = new PendingCalls();
    const call = callOf();
    let takeBack: (() => void) | undefined;
    const withdrawn = new Promise<void>((resolve) => {
      takeBack = resolve;
    });
    const begun = pending.begin(call, 'b', async () => {
      const { fault } = await call.context.ask!({ ...QUESTION, withdrawn });
      return { ok: true, json: JSON.stringify(fault?.code) };
    });
    await vi.advanceTimersByTimeAsync(20);
    const outcome = await begun;
    takeBack!();
    await vi.advanceTimersByTimeAsync(0);
    const resumed = pending.resume(stateOf(outcome), 'b', call, '{"q1":{"action":"accept"}}')!;
    expect(await resumed.outcome).toEqual({ reply: { ok: true, json: '"call-cancelled"' } });
    expect(pending.size).toBe(0);
  });

  it('V8: give no answer to the server for a call that is no longer allowed', async () => {
    const pending = new PendingCalls();
    const call = callOf();
    const answered = vi.fn<(reply: Reply) => void>();
    const begun = pending.begin(call, 'b', async () => {
      answered(await call.context.ask!(QUESTION));
      return DONE;
    });
    await vi.advanceTimersByTimeAsync(20);
    call.context.recheck = () =>
      Promise.reject(new CallsignError('policy-denied', { tool: 's:t', rule: 'a new rule' }));
    const stopped = vi.fn<() => void>();
    call.context.onCancel(stopped);
    const resumed = pending.resume(stateOf(await begun), 'b', call, '{"q1":{"action":"accept"}}')!;
    expect(await resumed.outcome).toMatchObject({
      reply: { ok: true, json: expect.stringMatching(/a new rule.*"isError":true/) },
    });
    expect(stopped).toHaveBeenCalledOnce();
    expect(answered).not.toHaveBeenCalledWith(expect.objectContaining({ ok: true }));
    expect(pending.size).toBe(0);
  });

  it('ask again for what was not answered, and only for that', async () => {
    const pending = new PendingCalls();
    const call = callOf();
    const begun = pending.begin(call, 'b', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => call.context.ask!(QUESTION)));
      return { ok: true, json: `[${answers.map(({ json }) => json).join(',')}]` };
    });
    await vi.advanceTimersByTimeAsync(20);
    const keysOf = (outcome: object): string[] =>
      Object.keys(JSON.parse((outcome as { inputRequired: string }).inputRequired).inputRequests);
    let outcome: object = await begun;
    expect(keysOf(outcome)).toEqual(['q1', 'q2', 'q3']);
    for (const [answers, left] of [
      ['{"q2":{"b":2},"unknown":{},"q1":7}', ['q1', 'q3']],
      ['{"q2":{"late":1}}', ['q1', 'q3']],
      [undefined, ['q1', 'q3']],
      ['null', ['q1', 'q3']],
      ['{"q1":{"a":1}}', ['q3']],
    ] as const) {
      outcome = await pending.resume(stateOf(outcome), 'b', call, answers)!.outcome;
      expect(keysOf(outcome)).toEqual(left);
    }
    const last = pending.resume(stateOf(outcome), 'b', call, '{"q3":{"c":3}}')!;
    expect(await last.outcome).toEqual({ reply: { ok: true, json: '[{"a":1},{"b":2},{"c":3}]' } });
  });

  it('continue once for each round, even while the server is still working', async () => {
    const pending = new PendingCalls();
    const call = callOf();
    const begun = pending.begin(call, 'b', async () => {
      await call.context.ask!(QUESTION);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return call.context.ask!(QUESTION);
    });
    await vi.advanceTimersByTimeAsync(20);
    const first = stateOf(await begun);
    const resumed = pending.resume(first, 'b', call, '{"q1":{}}')!;
    expect(pending.resume(first, 'b', call, '{"q1":{}}')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    const second = stateOf(await resumed.outcome);
    expect(pending.resume(first, 'b', call, '{"q2":{}}')).toBeUndefined();
    expect(pending.resume(second, 'other', call, '{"q2":{}}')).toBeUndefined();
    expect(await pending.resume(second, 'b', call, '{"q2":{"a":1}}')!.outcome).toEqual({
      reply: { ok: true, json: '{"a":1}' },
    });
  });

  it('continue only with the arguments that the server has', async () => {
    const pending = new PendingCalls();
    const call = callOf();
    const begun = pending.begin(call, 'b', () => call.context.ask!(QUESTION));
    await vi.advanceTimersByTimeAsync(20);
    const state = stateOf(await begun);
    const other = { argumentsJson: '{"path":"/"}' };
    expect(pending.resume(state, 'b', other, '{"q1":{}}')).toBeUndefined();
    expect(await pending.resume(state, 'b', call, '{"q1":{}}')!.outcome).toEqual({
      reply: { ok: true, json: '{}' },
    });
  });

  it('are cancelled at the server if the client does not return in time', async () => {
    const pending = new PendingCalls({ timeoutMs: 1_000 });
    const call = callOf();
    const cancelled = vi.fn<(reason: string | undefined) => void>();
    const begun = pending.begin(call, 'b', async () => {
      call.context.onCancel(cancelled);
      return call.context.ask!(QUESTION);
    });
    await vi.advanceTimersByTimeAsync(20);
    const state = stateOf(await begun);
    await vi.advanceTimersByTimeAsync(900);
    expect([pending.size, cancelled.mock.calls.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(200);
    expect([pending.size, cancelled.mock.calls.length]).toEqual([0, 1]);
    expect(pending.resume(state, 'b', call, '{"q1":{}}')).toBeUndefined();
  });

  it('keep the reply for a client that has not come back when the server answers', async () => {
    const pending = new PendingCalls({ timeoutMs: 1_000 });
    const call = callOf();
    let end: (reply: Reply) => void = () => undefined;
    const begun = pending.begin(call, 'b', () => {
      void call.context.ask!(QUESTION);
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    await vi.advanceTimersByTimeAsync(20);
    const state = stateOf(await begun);
    end(DONE);
    await vi.advanceTimersByTimeAsync(20);
    expect(await pending.resume(state, 'b', call, '{"q1":{}}')!.outcome).toEqual({ reply: DONE });
    expect(pending.size).toBe(0);
  });

  it('drop such a reply if the client does not return', async () => {
    const pending = new PendingCalls({ timeoutMs: 1_000 });
    const call = callOf();
    const begun = pending.begin(call, 'b', async () => {
      void call.context.ask!(QUESTION);
      await vi.advanceTimersByTimeAsync(20);
      return DONE;
    });
    await begun;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(pending.size).toBe(0);
  });

  it('tell the server at once if the client cannot answer', async () => {
    const pending = new PendingCalls();
    for (const [capabilities, question] of [
      ['{}', QUESTION],
      ['{"sampling":{}}', QUESTION],
      ['{"elicitation":{"url":{}}}', QUESTION],
      ['{"elicitation":{}}', { ...QUESTION, params: '{"mode":"url","url":"https://x"}' }],
      ['{"elicitation":{}}', { method: 'acme/ask', params: '{}' }],
    ] as const) {
      const call = callOf(capabilities);
      const outcome = await pending.begin(call, 'b', () => call.context.ask!(question));
      expect(outcome).toMatchObject({ reply: { ok: false } });
    }
    expect(pending.size).toBe(0);
  });

  it('are limited in number, for each principal and in total', async () => {
    const pending = new PendingCalls({ maxPerPrincipal: 2, maxPending: 3 });
    const begin = (name: string): Promise<object> => {
      const call = callOf(undefined, name);
      return pending.begin(call, 'b', () => call.context.ask!(QUESTION));
    };
    const begun = ['ann', 'ann', 'ann', 'bob', 'bob'].map(begin);
    await vi.advanceTimersByTimeAsync(20);
    const refused = (limit: number): object => ({
      reply: { ok: false, fault: { code: 'too-many', details: { limit } } },
    });
    expect(await Promise.all(begun)).toMatchObject([
      { inputRequired: expect.anything() },
      { inputRequired: expect.anything() },
      refused(2),
      { inputRequired: expect.anything() },
      refused(3),
    ]);
  });

  it('recognise their own states, not those of others or of an earlier run', async () => {
    const [pending, other] = [new PendingCalls(), new PendingCalls()];
    const call = callOf();
    const begun = pending.begin(call, 'b', () => call.context.ask!(QUESTION));
    await vi.advanceTimersByTimeAsync(20);
    const state = stateOf(await begun);
    expect([pending.isOurs(state), other.isOurs(state), pending.isOurs('eyJ.x')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
