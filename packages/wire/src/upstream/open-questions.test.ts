import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Call, type Caller } from '@callsign/core';

import { OpenQuestions } from './open-questions.js';

function callOf(id: string): Call {
  const client = { name: id, version: '1' };
  const caller: Caller = { id, era: 'session', client, capabilities: '{}', can: () => true };
  const none = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  return new Call({ method: 'tools/call', params: '{}', name: 'ask', caller, ...none });
}

/** The state of a promise. */
async function now<T>(promise: Promise<T>): Promise<T | 'open'> {
  await vi.advanceTimersByTimeAsync(0);
  return Promise.race([promise, Promise.resolve('open' as const)]);
}

describe('an open question', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('goes to the only caller with calls under way', async () => {
    const calls = [callOf('ada'), callOf('ada')];
    expect(await new OpenQuestions().whoAsked(calls)).toEqual(calls);
    expect(await new OpenQuestions().whoAsked([])).toEqual([]);
  });

  it('waits with two callers until the server has answered all but one', async () => {
    const questions = new OpenQuestions();
    const [ada, bob, cid] = [callOf('ada'), callOf('bob'), callOf('cid')];
    const asked = questions.whoAsked([ada, bob, cid]);
    questions.ruleOut(ada);
    expect(await now(asked)).toBe('open');
    questions.ruleOut(callOf('bob'));
    expect(await now(asked)).toBe('open');
    questions.ruleOut(cid);
    expect(await now(asked)).toEqual([bob]);
  });

  it('is given up when the others do not end', async () => {
    const [ada, bob] = [callOf('ada'), callOf('bob')];
    const asked = new OpenQuestions().whoAsked([ada, bob]);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await now(asked)).toBe('open');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await now(asked)).toEqual([ada, bob]);
  });

  it('is given up soon if there are as many questions as calls, and then the next one is clear', async () => {
    const questions = new OpenQuestions();
    const [ada, bob] = [callOf('ada'), callOf('bob')];
    const [first, second] = [questions.whoAsked([ada, bob]), questions.whoAsked([ada, bob])];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await now(first)).toEqual([ada, bob]);
    expect(await now(second)).toBe('open');
    // The refused one ends with an error.
    questions.ruleOut(bob);
    expect(await now(second)).toEqual([ada]);
  });

  it('is not given up soon for questions of later calls', async () => {
    const questions = new OpenQuestions();
    const [ada, bob, cid] = [callOf('ada'), callOf('bob'), callOf('cid')];
    const first = questions.whoAsked([ada, bob]);
    void questions.whoAsked([ada, bob, cid]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await now(first)).toBe('open');
    questions.end();
  });
});
