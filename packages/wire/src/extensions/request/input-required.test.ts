import { CallContext } from '@callsign/core';
import { fakeCall } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { untilComplete } from './input-required.js';

const FORM = { method: 'elicitation/create', params: { message: '?' } };

describe('a result that asks for input', () => {
  it.each([
    [{ method: { x: 1 }, params: 5 }],
    [{ method: 'elicitation/create', params: 5 }],
    [{ params: {} }],
    ['text'],
  ])('fails the call if a question cannot be read: %j', async (request) => {
    const context = new CallContext();
    const asked: unknown[] = [];
    context.ask = (question) => {
      asked.push(question);
      return new Promise(() => undefined);
    };
    const call = fakeCall('{"name":"t"}', 'tools/call', { context });
    const result = { resultType: 'input_required', inputRequests: { ok: FORM, a: request } };
    const reply = await untilComplete(call, () =>
      Promise.resolve({ ok: true, json: JSON.stringify(result) }),
    );
    expect(reply).toMatchObject({ ok: false, fault: { code: 'answer-unreadable' } });
    expect(asked).toEqual([]);
  });

  it('is answered with what the caller said', async () => {
    const context = new CallContext();
    context.ask = () => Promise.resolve({ ok: true, json: '{"action":"accept"}' });
    const call = fakeCall('{"name":"t"}', 'tools/call', { context });
    const result = { resultType: 'input_required', inputRequests: { a: FORM } };
    const sent: unknown[] = [];
    const reply = await untilComplete(call, (answers) => {
      sent.push(answers);
      return Promise.resolve({ ok: true, json: sent.length === 1 ? JSON.stringify(result) : '{}' });
    });
    expect(reply).toEqual({ ok: true, json: '{}' });
    expect(sent).toEqual([{}, { inputResponses: '{"a":{"action":"accept"}}' }]);
  });
});
