import type { Call, Reply } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import type { AnswerStore } from './answer-store.js';
import { Approvals } from './approvals.js';
import { Confirmation } from './confirmation.js';
import { SharedAnswers } from './shared-answers.js';
import { plainCall, plainCaller, policySettings } from './testing/plain-call.js';
import { HandClock } from '../../../../test/testing/hand-clock.js';

/** A store in memory that instances share. It keeps what it was told about the time. */
class Store implements AnswerStore {
  readonly lasting: number[] = [];
  readonly #keys = new Set<string>();

  async add(who: string, key: string, ms: number): Promise<void> {
    this.lasting.push(ms);
    this.#keys.add(`${who} ${key}`);
  }

  async has(who: string, keys: readonly string[]): Promise<boolean> {
    return keys.some((key) => this.#keys.has(`${who} ${key}`));
  }

  async take(who: string, key: string): Promise<boolean> {
    return this.#keys.delete(`${who} ${key}`);
  }
}

const AWAY: AnswerStore = {
  add: () => Promise.reject(new Error('the store is away')),
  has: () => Promise.reject(new Error('the store is away')),
  take: () => Promise.reject(new Error('the store is away')),
};

const ANN = plainCaller('stateless', 'ann');
const DONE: Reply = { ok: true, json: '{}' };
const ASKING: Reply = { ok: true, json: '{"resultType":"input_required","requestState":"s"}' };
const CONTINUED = { arguments: { a: 1 }, requestState: 's' };

describe('an approval that all instances remember', () => {
  it('holds for the tool only where tools are remembered', async () => {
    const answers = new SharedAnswers(new Store());
    await answers.add(plainCall(ANN, 'a', { arguments: { a: 1 } }), 'tool');
    const other = plainCall(ANN, 'a', { arguments: { a: 2 } });
    expect(await answers.has(other, 'tool')).toBe(true);
    expect(await answers.has(other, 'call')).toBe(false);
    expect(await answers.has(other, 'never')).toBe(false);
    expect(await answers.has(plainCall(ANN, 'b'), 'tool')).toBe(false);
  });

  it('for one call holds for its arguments, even where tools are remembered', async () => {
    const answers = new SharedAnswers(new Store());
    const call = plainCall(ANN, 'a', { arguments: { a: 1 } });
    await answers.add(call, 'call');
    expect(await answers.has(call, 'call')).toBe(true);
    expect(await answers.has(call, 'tool')).toBe(true);
    expect(await answers.has(call, 'never')).toBe(false);
    expect(await answers.has(plainCall(ANN, 'a', { arguments: { a: 2 } }), 'tool')).toBe(false);
  });

  it.each([
    ['another person', plainCaller('stateless', 'bob')],
    ['the same person at another client', plainCaller('stateless', 'ann', 'other')],
    ['a caller without a credential', plainCaller('stateless')],
    ['a session of the same person', plainCaller('session', 'ann')],
  ])('does not hold for %s', async (_, caller) => {
    const answers = new SharedAnswers(new Store());
    await answers.add(plainCall(ANN, 'a'), 'tool');
    expect(await answers.has(plainCall(caller, 'a'), 'tool')).toBe(false);
  });

  it.each([
    ['a session', plainCaller('session', 'ann')],
    ['a caller without a credential', plainCaller('stateless')],
  ])('is not kept for %s', async (_, caller) => {
    const store = new Store();
    await new SharedAnswers(store).add(plainCall(caller, 'a'), 'tool');
    expect(store.lasting).toEqual([]);
  });

  it('lasts an hour, and a continuation ten minutes', async () => {
    const store = new Store();
    const answers = new SharedAnswers(store);
    await answers.add(plainCall(ANN, 'a'), 'tool');
    await answers.note(plainCall(ANN, 'a'), ASKING);
    await answers.note(plainCall(ANN, 'a'), DONE);
    expect(store.lasting).toEqual([60 * 60 * 1000, 10 * 60 * 1000]);
  });

  it('is missing while the store cannot be reached, and nothing fails', async () => {
    const answers = new SharedAnswers(AWAY);
    const call = plainCall(ANN, 'a', CONTINUED);
    await answers.add(call, 'tool');
    await answers.note(call, ASKING);
    expect(await answers.has(call, 'tool')).toBe(false);
    expect(await answers.take(call)).toBe(false);
  });
});

/** One of several instances. Its users answer with this word. */
function instance(answers: AnswerStore | undefined, answer: string) {
  const clock = new HandClock();
  const approvals = new Approvals({ clock });
  const settings = policySettings();
  const confirmation = new Confirmation({ settings: () => settings, approvals, clock, answers });
  return async (call: Call, reply = DONE): Promise<string> => {
    call.context.verdict = { decision: 'confirm', rule: 'r' };
    call.context.ask = async () => ({
      ok: true,
      json: JSON.stringify({ action: 'accept', content: { answer } }),
    });
    await confirmation.confirm(call, async () => reply);
    return call.context.verdict.rule;
  };
}

const ALWAYS = 'Yes, and every call of this tool in this session';

describe('a call on another instance', () => {
  it('is not asked about if its tool was approved', async () => {
    const store = new Store();
    await instance(store, ALWAYS)(plainCall(ANN, 'a'));
    const asking = instance(store, 'No');
    expect(await asking(plainCall(ANN, 'a'))).toBe('r; approved earlier in this session');
    await expect(asking(plainCall(ANN, 'b'))).rejects.toMatchObject({ code: 'not-approved' });
  });

  it('is asked about if the approval was for one call', async () => {
    const store = new Store();
    await instance(store, 'Yes, this once')(plainCall(ANN, 'a'));
    expect(store.lasting).toEqual([]);
    await expect(instance(store, 'No')(plainCall(ANN, 'a'))).rejects.toMatchObject({
      code: 'not-approved',
    });
  });

  it('continues an approved call, once', async () => {
    const store = new Store();
    const call = plainCall(ANN, 'a', { arguments: { a: 1 } });
    await instance(store, 'Yes, this once')(call, ASKING);
    const asking = instance(store, 'No');
    const continued = () => asking(plainCall(ANN, 'a', CONTINUED));
    expect(await continued()).toBe('r; it continues an approved call');
    await expect(continued()).rejects.toMatchObject({ code: 'not-approved' });
  });

  it('does not continue a call that continued on the first instance', async () => {
    const store = new Store();
    const first = instance(store, 'Yes, this once');
    await first(plainCall(ANN, 'a', { arguments: { a: 1 } }), ASKING);
    expect(await first(plainCall(ANN, 'a', CONTINUED))).toBe('r; it continues an approved call');
    const second = instance(store, 'No')(plainCall(ANN, 'a', CONTINUED));
    await expect(second).rejects.toMatchObject({ code: 'not-approved' });
  });

  it('continues on the first instance if the store cannot be reached', async () => {
    const alone = instance(AWAY, 'Yes, this once');
    await alone(plainCall(ANN, 'a', { arguments: { a: 1 } }), ASKING);
    expect(await alone(plainCall(ANN, 'a', CONTINUED))).toBe('r; it continues an approved call');
  });
});
