import { CallContext, type Reply } from '@callsign/core';
import { fakeCall } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { endOfStatelessTask } from './other-era-task.js';

const CREATED = { resultType: 'task', taskId: 't1', status: 'working', pollIntervalMs: 50 };

/** Follows a task whose state is `state` at the first look. */
async function endOf(state: object): Promise<{ reply: Reply; asked: unknown[]; sent: string[] }> {
  const asked: unknown[] = [];
  const sent: string[] = [];
  const context = new CallContext();
  context.ask = (question) => {
    asked.push(question);
    return new Promise(() => undefined);
  };
  const reply = await endOfStatelessTask({
    call: fakeCall('{"name":"t"}', 'tools/call', { context }),
    reply: { ok: true, json: JSON.stringify(CREATED) },
    params: '{}',
    request: (method) => {
      sent.push(method);
      return Promise.resolve({ ok: true, json: JSON.stringify({ taskId: 't1', ...state }) });
    },
  });
  return { reply, asked, sent };
}

describe('the end of a task of a stateless server', () => {
  it.each([
    ['a result that is no object', { status: 'completed', result: 5 }],
    ['no result', { status: 'completed' }],
    ['an error that is no object', { status: 'failed', error: 5 }],
    ['an error without words', { status: 'failed', error: { code: 1 } }],
  ])('with %s cannot be read', async (_, state) => {
    const { reply } = await endOf(state);
    expect(reply).toMatchObject({ ok: false, fault: { code: 'answer-unreadable' } });
  });

  it.each([
    [
      { status: 'completed', result: { a: 1 } },
      { ok: true, json: '{"a":1}' },
    ],
    [
      { status: 'failed', error: { code: 1, message: 'boom' } },
      { ok: false, json: '{"code":1,"message":"boom"}' },
    ],
    [
      { status: 'failed', error: { message: 'boom' } },
      { ok: false, json: '{"code":-32000,"message":"boom"}' },
    ],
    [{ status: 'failed' }, { ok: false, json: '{"code":-32603,"message":"The task failed."}' }],
  ])('%j reaches the client', async (state, reply) => {
    expect((await endOf(state)).reply).toEqual(reply);
  });

  it.each([
    [{ method: { x: 1 }, params: 5 }],
    [{ method: 'elicitation/create', params: 5 }],
    [{ params: {} }],
    [5],
  ])('comes at once if a question cannot be read: %j', async (request) => {
    const state = { status: 'input_required', inputRequests: { a: request } };
    const { reply, asked, sent } = await endOf(state);
    expect(reply).toMatchObject({ ok: false, fault: { code: 'answer-unreadable' } });
    expect(asked).toEqual([]);
    expect(sent).toEqual(['tasks/get', 'tasks/cancel']);
  });
});
