import { Call } from '@callsign/core';
import type { Caller, Question, Reply, Target } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { Questions } from '../request/questions.js';
import { OwnTask } from './own-task.js';

const QUESTION: Question = { method: 'elicitation/create', params: '{"message":"?"}' };
const YES: Reply = { ok: true, json: '{"action":"accept","content":{}}' };

function callOf(era: Caller['era'], method = 'tools/call'): Call {
  const capabilities = '{"elicitation":{}}';
  const caller = { id: 'c', era, capabilities, can: () => true } as never as Caller;
  const target = { ref: { server: 's', tool: 't' } } as Target;
  const spans = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  return new Call({ method, params: '{"name":"t"}', name: 't', caller, target, ...spans });
}

function taskOf(call: Call, onChange: () => void = () => undefined): OwnTask {
  return new OwnTask({
    id: 'task-1',
    call,
    owner: 'o',
    ttlMs: 60_000,
    isWaiting: false,
    onChange,
  });
}

/** A session's request for the result of the task, and what its client gets meanwhile. */
function requestResult(task: OwnTask) {
  const call = callOf('session', 'tasks/result');
  const { context } = call;
  const [questions, sent] = [new Questions(), [] as string[]];
  context.ask = (question) => questions.put(question, (text) => sent.push(text) > 0, context);
  const result = task.handle(call);
  const methods = (): string[] =>
    sent.map((text) => (JSON.parse(text) as { method: string }).method);
  return { context, result, methods, answer: (reply: Reply) => questions.take('1', reply) };
}

describe('a question of an own task', () => {
  it('is kept as text, and leaves the task if the server takes it back', async () => {
    let takeBack: (() => void) | undefined;
    const withdrawn = new Promise<void>((resolve) => {
      takeBack = resolve;
    });
    let changes = 0;
    const task = taskOf(callOf('stateless'), () => changes++);
    const asked = task.ask({ ...QUESTION, withdrawn });
    // A record is stored, and another process may ask its questions.
    expect(task.record.questions).toEqual({ q1: QUESTION });
    takeBack!();
    expect((await asked).fault?.code).toBe('call-cancelled');
    expect(task.record.questions).toEqual({});
    expect(changes).toBe(2);
  });

  it('stays open if the client cancels the request that asks it', async () => {
    const task = taskOf(callOf('session'));
    const asked = task.ask(QUESTION);
    const first = requestResult(task);
    await expect.poll(first.methods).toEqual(['elicitation/create']);
    first.context.cancel('The client disconnected.');
    expect((await first.result).fault?.code).toBe('call-cancelled');
    expect(task.record.questions).toEqual({ q1: QUESTION });
    const second = requestResult(task);
    await expect.poll(second.methods).toEqual(['elicitation/create']);
    second.answer(YES);
    expect(await asked).toEqual(YES);
    task.end({ ok: true, json: '{"content":[]}' });
    expect((await second.result).ok).toBe(true);
  });

  it('is taken back from a request when another one has the answer', async () => {
    const task = taskOf(callOf('session'));
    const asked = task.ask(QUESTION);
    const [first, second] = [requestResult(task), requestResult(task)];
    await expect.poll(second.methods).toEqual(['elicitation/create']);
    second.answer(YES);
    expect(await asked).toEqual(YES);
    await expect.poll(first.methods).toEqual(['elicitation/create', 'notifications/cancelled']);
  });

  it('gets the error of a client that refuses it', async () => {
    const task = taskOf(callOf('session'));
    const asked = task.ask(QUESTION);
    const { methods, answer } = requestResult(task);
    await expect.poll(methods).toHaveLength(1);
    const refusal: Reply = { ok: false, json: '{"code":-1,"message":"no"}' };
    answer(refusal);
    expect(await asked).toEqual(refusal);
  });

  it('is answered as cancelled if the call is no longer allowed', async () => {
    const call = callOf('stateless');
    const task = taskOf(call);
    const asked = task.ask(QUESTION);
    call.context.recheck = () => Promise.reject(new Error('denied'));
    await task.obey({ type: 'answer', responses: `{"q1":${YES.json}}` });
    expect((await asked).fault?.code).toBe('call-cancelled');
    expect(task.reply?.ok).toBe(false);
  });
});
