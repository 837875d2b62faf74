import { CallContext, type Caller, type Question } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { canAnswer } from './answerable.js';
import { Questions } from './questions.js';

const callerWith = (capabilities: string): Caller => {
  const declared = JSON.parse(capabilities) as Record<string, unknown>;
  return {
    id: 'c',
    era: 'session',
    client: { name: 'test', version: '1' },
    capabilities,
    can: (capability) => declared[capability] !== undefined,
  };
};
const FORM: Question = { method: 'elicitation/create', params: '{"message":"?"}' };
const PAGE: Question = { method: 'elicitation/create', params: '{"mode":"url","url":"https://x"}' };

describe('whether a client can answer', () => {
  it.each([
    ['{}', FORM, false],
    ['{"elicitation":{}}', FORM, true],
    ['{"elicitation":{}}', PAGE, false],
    ['{"elicitation":{"form":{}}}', FORM, true],
    ['{"elicitation":{"url":{}}}', FORM, false],
    ['{"elicitation":{"url":{}}}', PAGE, true],
    ['{"elicitation":{"form":{},"url":{}}}', PAGE, true],
    ['{"roots":{}}', { method: 'roots/list', params: '{}' }, true],
    ['{"sampling":{}}', { method: 'roots/list', params: '{}' }, false],
    ['{}', { method: 'acme/ask', params: '{}' }, true],
  ] as const)('%s, %j: %s', (capabilities, question, can) => {
    expect(canAnswer(callerWith(capabilities), question)).toBe(can);
  });
});

describe('questions', () => {
  it('of a call that was cancelled are forgotten', async () => {
    const questions = new Questions();
    const context = new CallContext();
    const asked = questions.put(FORM, () => true, context);
    context.cancel('No longer wanted.');
    expect((await asked).json).toContain('call-cancelled');
    expect(questions.take('1', { ok: true, json: '{}' })).toBe(false);
  });

  it('are answered by their id, once, with the text unchanged', async () => {
    const questions = new Questions();
    const sent: string[] = [];
    const send = (text: string): boolean => sent.push(text) > 0;
    const [one, two] = [questions.put(FORM, send), questions.put(FORM, send)];
    const json = '{"action":"accept", "content":{"a":12345678901234567890}}';
    expect(questions.take('2', { ok: true, json })).toBe(true);
    expect(questions.take('2', { ok: true, json: '{}' })).toBe(false);
    expect(questions.take(undefined, { ok: true, json })).toBe(false);
    expect(await two).toEqual({ ok: true, json });
    questions.end();
    expect(await one).toMatchObject({ ok: false });
    expect(sent[0]).toContain('"params":{"message":"?"}');
  });

  it('wait for an answer up to a limit; then the oldest is given up', async () => {
    const questions = new Questions();
    const all = Array.from({ length: 1_025 }, () => questions.put(FORM, () => true));
    expect(await all[0]).toMatchObject({ ok: false });
    expect(questions.take('1', { ok: true, json: '{}' })).toBe(false);
    expect(questions.take('2', { ok: true, json: '{}' })).toBe(true);
    expect(questions.take('1025', { ok: true, json: '{}' })).toBe(true);
  });

  it('about a page to visit have the id that sessions ask for', async () => {
    const questions = new Questions();
    const sent: string[] = [];
    void questions.put(PAGE, (text) => sent.push(text) > 0);
    const own = '{"mode":"url","url":"https://x","elicitationId":"own"}';
    void questions.put({ ...PAGE, params: own }, (text) => sent.push(text) > 0);
    expect(sent[0]).toMatch(/"url":"https:\/\/x","elicitationId":"[\da-f-]{36}"\}/);
    expect(sent[1]).toContain(own);
  });

  it.each(['the server takes it back', 'the call is cancelled'])('end if %s', async (how) => {
    const questions = new Questions();
    const context = new CallContext();
    const sent: string[] = [];
    let takeBack = (): void => undefined;
    const withdrawn = new Promise<void>((resolve) => {
      takeBack = resolve;
    });
    const asked = questions.put({ ...FORM, withdrawn }, (text) => sent.push(text) > 0, context);
    if (how === 'the call is cancelled') context.cancel();
    else takeBack();
    expect(await asked).toMatchObject({ ok: false, fault: { code: 'call-cancelled' } });
    expect(sent.slice(1)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ]);
    expect(questions.take('1', { ok: true, json: '{}' })).toBe(false);
  });

  it('that are answered are not cancelled afterwards', async () => {
    const questions = new Questions();
    const context = new CallContext();
    const sent: string[] = [];
    const withdrawn = Promise.resolve();
    const asked = questions.put({ ...FORM, withdrawn }, (text) => sent.push(text) > 0, context);
    questions.take('1', { ok: true, json: '{}' });
    context.cancel();
    expect(await asked).toEqual({ ok: true, json: '{}' });
    await withdrawn;
    expect(sent).toHaveLength(1);
  });

  it('to a client that has left are answered with an error', async () => {
    expect(await new Questions().put(FORM, () => false)).toMatchObject({ ok: false });
  });
});
