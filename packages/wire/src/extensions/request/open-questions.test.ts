import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Call, type Caller, type Question } from '@callsign/core';

import { MAX_QUESTIONS, OpenQuestions } from './open-questions.js';

function callOf(id: string, canRoots = true): Call {
  const client = { name: id, version: '1' };
  const can = (): boolean => canRoots;
  const caller: Caller = { id, era: 'session', client, capabilities: '{}', can };
  const none = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  return new Call({ method: 'tools/call', params: '{}', name: 'ask', caller, ...none });
}

const asking = (params = '{}'): Question => ({ method: 'roots/list', params });
const whoAsked = (questions: OpenQuestions, calls: readonly Call[]): Promise<readonly Call[]> =>
  questions.open(calls, asking(), calls.length)!.whoAsked;

/** The state of a promise. */
async function now<T>(promise: Promise<T>): Promise<T | 'open'> {
  await vi.advanceTimersByTimeAsync(0);
  return Promise.race([promise, Promise.resolve('open' as const)]);
}

const LONG = 'x'.repeat(50_000_000);

describe('an open question', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('goes to the only caller with calls under way', async () => {
    const calls = [callOf('ada'), callOf('ada')];
    expect(await whoAsked(new OpenQuestions(), calls)).toEqual(calls);
    expect(await whoAsked(new OpenQuestions(), [])).toEqual([]);
  });

  it('waits with two callers until the server has answered all but one', async () => {
    const questions = new OpenQuestions();
    const [ada, bob, cid] = [callOf('ada'), callOf('bob'), callOf('cid')];
    const asked = whoAsked(questions, [ada, bob, cid]);
    questions.ruleOut(ada);
    expect(await now(asked)).toBe('open');
    questions.ruleOut(callOf('bob'));
    expect(await now(asked)).toBe('open');
    questions.ruleOut(cid);
    expect(await now(asked)).toEqual([bob]);
  });

  it('needs no caller if none of them can answer it, from the start or at last (R1)', async () => {
    const questions = new OpenQuestions();
    const [ada, bob, cid] = [callOf('ada', false), callOf('bob', false), callOf('cid')];
    expect(await now(whoAsked(questions, [ada, bob]))).toEqual([ada, bob]);
    const asked = whoAsked(questions, [ada, bob, cid]);
    expect(await now(asked)).toBe('open');
    questions.ruleOut(cid);
    expect(await now(asked)).toEqual([ada, bob]);
  });

  it('is given up when the others do not end', async () => {
    const [ada, bob] = [callOf('ada'), callOf('bob')];
    const asked = whoAsked(new OpenQuestions(), [ada, bob]);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await now(asked)).toBe('open');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await now(asked)).toEqual([ada, bob]);
  });

  it('is given up soon if there are as many questions as calls, and then the next one is clear', async () => {
    const questions = new OpenQuestions();
    const [ada, bob] = [callOf('ada'), callOf('bob')];
    const [first, second] = [whoAsked(questions, [ada, bob]), whoAsked(questions, [ada, bob])];
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
    const first = whoAsked(questions, [ada, bob]);
    void whoAsked(questions, [ada, bob, cid]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await now(first)).toBe('open');
    questions.end();
  });

  it('is refused if the server has as many as it may have', () => {
    const questions = new OpenQuestions();
    const ada = callOf('ada');
    const opened = Array.from({ length: MAX_QUESTIONS + 1 }, () =>
      questions.open([ada], asking(), 1)!,
    );
    expect(opened.every((question) => question !== undefined)).toBe(true);
    expect(questions.open([ada], asking(), 1)).toBeUndefined();
    // Each call may have a question of its own.
    expect(questions.open([ada], asking(), 2)).toBeDefined();
    questions.close(opened[0]!);
    expect(questions.open([ada], asking(), 2)).toBeDefined();
    expect(questions.open([ada], asking(), 2)).toBeUndefined();
    // The call has ended, so no one waits for the answers.
    questions.ruleOut(ada);
    expect(questions.open([], asking(), 0)).toBeDefined();
  });

  it('may have any length, but long ones are refused while others are open', () => {
    const questions = new OpenQuestions();
    const ada = callOf('ada');
    const long = questions.open([ada], asking(LONG), 1)!;
    expect(long).toBeDefined();
    expect(questions.open([ada], asking(), 1)).toBeUndefined();
    questions.close(long);
    questions.close(long);
    expect(questions.open([ada], asking(), 1)).toBeDefined();
    expect(questions.open([ada], asking(LONG), 1)).toBeUndefined();
  });

  it('is one of few for which it is not known who asked, so a flood of them costs little', async () => {
    const questions = new OpenQuestions();
    const [ada, bob] = [callOf('ada'), callOf('bob')];
    let open = 0;
    for (let n = 0; n < 2_000_000; n++) if (questions.open([ada, bob], asking(), 1_024)) open++;
    expect(open).toBe(MAX_QUESTIONS);
    questions.ruleOut(ada);
    expect(await whoAsked(questions, [bob])).toEqual([bob]);
    questions.end();
  });
});
