import type { Call, Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { Continuations } from './continuations.js';
import { Remembered } from './remembered.js';
import { HandClock } from '../../../../test/testing/hand-clock.js';
import { plainCall as call, plainCaller as caller } from './testing/plain-call.js';

const HOUR = 60 * 60 * 1000;
const MOST = 1_000;

describe('a remembered approval', () => {
  it('needs a session or a principal', () => {
    const remembered = new Remembered(new HandClock());
    const unknown = caller('stateless');
    expect(remembered.knows(unknown)).toBe(false);
    remembered.add(call(unknown, 'a'), 'tool');
    expect(remembered.has(call(unknown, 'a'), 'tool')).toBe(false);
    expect(remembered.knows(caller('session'))).toBe(true);
    expect(remembered.knows(caller('stateless', 'ann'))).toBe(true);
  });

  it('holds for the tool only where tools are remembered', () => {
    const remembered = new Remembered(new HandClock());
    const session = caller('session');
    remembered.add(call(session, 'a'), 'tool');
    const other = call(session, 'a', { arguments: { x: 1 } });
    expect(remembered.has(other, 'tool')).toBe(true);
    expect(remembered.has(other, 'call')).toBe(false);
    expect(remembered.has(other, 'never')).toBe(false);
  });

  it('for one call holds for its arguments, wherever anything is remembered', () => {
    const remembered = new Remembered(new HandClock());
    const session = caller('session');
    const approved = call(session, 'a', { arguments: { x: 1 } });
    remembered.add(approved, 'call');
    expect(remembered.has(approved, 'tool')).toBe(true);
    expect(remembered.has(approved, 'call')).toBe(true);
    expect(remembered.has(approved, 'never')).toBe(false);
    expect(remembered.has(call(session, 'a'), 'tool')).toBe(false);
  });

  it('is forgotten an hour after the first approval of a principal', () => {
    const clock = new HandClock();
    const remembered = new Remembered(clock);
    const ann = caller('stateless', 'ann');
    remembered.add(call(ann, 'a'), 'tool');
    clock.pass(HOUR - 1);
    remembered.add(call(ann, 'b'), 'tool');
    expect(remembered.has(call(ann, 'a'), 'tool')).toBe(true);
    clock.pass(1);
    expect(remembered.has(call(ann, 'b'), 'tool')).toBe(false);
    remembered.add(call(ann, 'b'), 'tool');
    expect(remembered.has(call(ann, 'a'), 'tool')).toBe(false);
    expect(remembered.has(call(ann, 'b'), 'tool')).toBe(true);
  });

  it('is kept if it is among the latest thousand of its session', () => {
    const remembered = new Remembered(new HandClock());
    const session = caller('session');
    for (let i = 0; i < MOST; i++) remembered.add(call(session, `t${i}`), 'tool');
    expect(remembered.has(call(session, 't0'), 'tool')).toBe(true);
    remembered.add(call(session, 'last'), 'tool');
    const kept = ['t0', 't1', 'last'].map((tool) => remembered.has(call(session, tool), 'tool'));
    expect(kept).toEqual([false, true, true]);
  });

  it('is kept for the latest thousand principals', () => {
    const clock = new HandClock();
    const remembered = new Remembered(clock);
    const by = (name: string): Call => call(caller('stateless', name), 'a');
    for (let i = 0; i < MOST; i++) remembered.add(by(`p${i}`), 'tool');
    // The first one approves again after an hour, so it is the latest now.
    clock.pass(HOUR);
    remembered.add(by('p0'), 'tool');
    remembered.add(by('last'), 'tool');
    expect(['p0', 'last'].map((name) => remembered.has(by(name), 'tool'))).toEqual([true, true]);
  });

  it('is dropped for the oldest principal first', () => {
    const remembered = new Remembered(new HandClock());
    const by = (name: string): Call => call(caller('stateless', name), 'a');
    for (let i = 0; i <= MOST; i++) remembered.add(by(`p${i}`), 'tool');
    const kept = ['p0', 'p1', `p${MOST}`].map((name) => remembered.has(by(name), 'tool'));
    expect(kept).toEqual([false, true, true]);
  });

  it('is separate for each client of a principal', () => {
    const remembered = new Remembered(new HandClock());
    remembered.add(call(caller('stateless', 'ann', 'one'), 'a'), 'tool');
    expect(remembered.has(call(caller('stateless', 'ann', 'two'), 'a'), 'tool')).toBe(false);
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
