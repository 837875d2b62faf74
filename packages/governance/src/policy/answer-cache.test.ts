import type { Call, Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { Continuations } from './continuations.js';
import { AnswerCache } from './answer-cache.js';
import { HandClock } from '../../../../test/testing/hand-clock.js';
import { plainCall as call, plainCaller as caller } from './testing/plain-call.js';

const HOUR = 60 * 60 * 1000;
const MOST = 1_000;

describe('a answers approval', () => {
  it('needs a session or a principal', () => {
    const answers = new AnswerCache(new HandClock());
    const unknown = caller('stateless');
    expect(answers.knows(unknown)).toBe(false);
    answers.add(call(unknown, 'a'), 'tool');
    expect(answers.has(call(unknown, 'a'), 'tool')).toBe(false);
    expect(answers.knows(caller('session'))).toBe(true);
    expect(answers.knows(caller('stateless', 'ann'))).toBe(true);
  });

  it('holds for the tool only where tools are remembered', () => {
    const answers = new AnswerCache(new HandClock());
    const session = caller('session');
    answers.add(call(session, 'a'), 'tool');
    const other = call(session, 'a', { arguments: { x: 1 } });
    expect(answers.has(other, 'tool')).toBe(true);
    expect(answers.has(other, 'call')).toBe(false);
    expect(answers.has(other, 'never')).toBe(false);
  });

  it('for one call holds for its arguments, wherever anything is remembered', () => {
    const answers = new AnswerCache(new HandClock());
    const session = caller('session');
    const approved = call(session, 'a', { arguments: { x: 1 } });
    answers.add(approved, 'call');
    expect(answers.has(approved, 'tool')).toBe(true);
    expect(answers.has(approved, 'call')).toBe(true);
    expect(answers.has(approved, 'never')).toBe(false);
    expect(answers.has(call(session, 'a'), 'tool')).toBe(false);
  });

  it('is forgotten an hour after the first approval of a principal', () => {
    const clock = new HandClock();
    const answers = new AnswerCache(clock);
    const ann = caller('stateless', 'ann');
    answers.add(call(ann, 'a'), 'tool');
    clock.pass(HOUR - 1);
    answers.add(call(ann, 'b'), 'tool');
    expect(answers.has(call(ann, 'a'), 'tool')).toBe(true);
    clock.pass(1);
    expect(answers.has(call(ann, 'b'), 'tool')).toBe(false);
    answers.add(call(ann, 'b'), 'tool');
    expect(answers.has(call(ann, 'a'), 'tool')).toBe(false);
    expect(answers.has(call(ann, 'b'), 'tool')).toBe(true);
  });

  it('is kept if it is among the latest thousand of its session', () => {
    const answers = new AnswerCache(new HandClock());
    const session = caller('session');
    for (let i = 0; i < MOST; i++) answers.add(call(session, `t${i}`), 'tool');
    expect(answers.has(call(session, 't0'), 'tool')).toBe(true);
    answers.add(call(session, 'last'), 'tool');
    const kept = ['t0', 't1', 'last'].map((tool) => answers.has(call(session, tool), 'tool'));
    expect(kept).toEqual([false, true, true]);
  });

  it('is kept for the latest thousand principals', () => {
    const clock = new HandClock();
    const answers = new AnswerCache(clock);
    const by = (name: string): Call => call(caller('stateless', name), 'a');
    for (let i = 0; i < MOST; i++) answers.add(by(`p${i}`), 'tool');
    // The first one approves again after an hour, so it is the latest now.
    clock.pass(HOUR);
    answers.add(by('p0'), 'tool');
    answers.add(by('last'), 'tool');
    expect(['p0', 'last'].map((name) => answers.has(by(name), 'tool'))).toEqual([true, true]);
  });

  it('is dropped for the oldest principal first', () => {
    const answers = new AnswerCache(new HandClock());
    const by = (name: string): Call => call(caller('stateless', name), 'a');
    for (let i = 0; i <= MOST; i++) answers.add(by(`p${i}`), 'tool');
    const kept = ['p0', 'p1', `p${MOST}`].map((name) => answers.has(by(name), 'tool'));
    expect(kept).toEqual([false, true, true]);
  });

  it('is separate for each client of a principal', () => {
    const answers = new AnswerCache(new HandClock());
    answers.add(call(caller('stateless', 'ann', 'one'), 'a'), 'tool');
    expect(answers.has(call(caller('stateless', 'ann', 'two'), 'a'), 'tool')).toBe(false);
  });
});

describe('calls that continue', () => {
  const asking = (requestState: string) => ({
    ok: true,
    json: JSON.stringify({ resultType: 'input_required', requestState }),
  });
  const client = caller('stateless');

  it('are at most a thousand, the latest ones', () => {
    const open = new Continuations(new HandClock());
    const resumed = (state: string): boolean =>
      open.take(call(client, 'a', { requestState: state }));
    for (let i = 0; i <= MOST; i++) open.note(call(client, 'a'), asking(`s${i}`));
    expect([resumed('s0'), resumed('s1'), resumed(`s${MOST}`)]).toEqual([false, true, true]);
  });

  it('continue with answers alone if the server gave no state', () => {
    const open = new Continuations(new HandClock());
    open.note(call(client, 'a'), { ok: true, json: '{"resultType":"input_required"}' });
    expect(open.take(call(client, 'a'))).toBe(false);
    expect(open.take(call(client, 'a', { inputResponses: {} }))).toBe(true);
  });

  it('do not exist after an error or a result', () => {
    const open = new Continuations(new HandClock());
    open.note(call(client, 'a'), { ...asking('s'), ok: false });
    open.note(call(client, 'a'), {
      ok: true,
      json: '{"resultType":"complete","requestState":"s"}',
    });
    expect(open.take(call(client, 'a', { requestState: 's' }))).toBe(false);
  });

  it('belong to the principal and the client that started them', () => {
    const begun = (): Continuations => {
      const open = new Continuations(new HandClock());
      open.note(call(caller('stateless', 'ann'), 'a'), asking('s'));
      return open;
    };
    const resumed = (from: Caller): boolean => begun().take(call(from, 'a', { requestState: 's' }));
    expect(resumed(caller('stateless', 'ann'))).toBe(true);
    expect(resumed(caller('stateless', 'bob'))).toBe(false);
    expect(resumed(caller('stateless'))).toBe(false);
    expect(resumed(caller('stateless', 'ann', 'other'))).toBe(false);
  });
});
