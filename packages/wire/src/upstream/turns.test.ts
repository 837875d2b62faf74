import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Call, type Caller, type Reply } from '@callsign/core';

import { Turns } from './turns.js';

const ELICIT = 'elicitation/create';
const ROOTS = 'roots/list';
const DONE: Reply = { ok: true, json: '{}' };

function caller(id: string, abilities: readonly string[] = ['elicitation']): Caller {
  const client = { name: id, version: '1' };
  const can = (ability: string): boolean => abilities.includes(ability);
  return { id, era: 'session', client, capabilities: '{}', can };
}

function callOf(who: Caller, name: string): Call {
  const none = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  return new Call({ method: 'tools/call', params: '{}', name, caller: who, ...none });
}

/** A server whose calls end when the test says so. */
class Desk {
  readonly turns: Turns;
  readonly sent: string[] = [];
  readonly #ends = new Map<Call, (reply: Reply) => void>();

  constructor(turns = new Turns({ unknownMs: 200, askingMs: 400, lateMs: 50 })) {
    this.turns = turns;
  }

  call(who: Caller, name: string): { call: Call; reply: Promise<Reply> } {
    const call = callOf(who, name);
    const reply = this.turns.run(call, () => {
      this.sent.push(`${who.id}:${name}`);
      return new Promise((resolve) => this.#ends.set(call, resolve));
    });
    return { call, reply };
  }

  async end(call: Call, reply: Reply = DONE): Promise<void> {
    this.#ends.get(call)!(reply);
    await settle();
  }
}

const pause = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));
const settle = (): Promise<void> => pause(0);

describe('turns', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const [ada, bob, deaf] = [caller('ada'), caller('bob'), caller('deaf', [])];

  it('V8: have a call decided again after the wait, and only then', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'ask');
    const second = desk.call(bob, 'ask');
    const recheck = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('not any more')));
    first.call.context.recheck = recheck;
    second.call.context.recheck = recheck;
    await settle();
    expect(recheck).not.toHaveBeenCalled();
    const refused = expect(second.reply).rejects.toThrow('not any more');
    desk.turns.asked([first.call], ELICIT);
    await desk.end(first.call);
    await refused;
    expect(desk.sent).toEqual(['ada:ask']);
  });

  it('make a second caller wait while the first one might be asked', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'ask');
    desk.call(bob, 'ask');
    await settle();
    expect(desk.sent).toEqual(['ada:ask']);
    desk.turns.asked([first.call], ELICIT);
    await desk.end(first.call);
    expect(desk.sent).toEqual(['ada:ask', 'bob:ask']);
  });

  it('let calls of one caller overlap, and send all its waiting calls together', async () => {
    const desk = new Desk();
    const [x, y] = [desk.call(ada, 'x'), desk.call(ada, 'y')];
    desk.turns.asked([x.call], ELICIT);
    desk.turns.asked([y.call], ELICIT);
    desk.call(bob, 'x');
    desk.call(bob, 'y');
    await desk.end(x.call);
    expect(desk.sent).toEqual(['ada:x', 'ada:y']);
    await desk.end(y.call);
    expect(desk.sent).toEqual(['ada:x', 'ada:y', 'bob:x', 'bob:y']);
  });

  it('free a tool that ran without a question', async () => {
    const desk = new Desk();
    await desk.end(desk.call(ada, 'add').call);
    const [first, second] = [desk.call(ada, 'add'), desk.call(bob, 'add')];
    expect(desk.sent).toEqual(['ada:add', 'ada:add', 'bob:add']);
    await Promise.all([desk.end(first.call), desk.end(second.call)]);
  });

  it('bind a free tool again once it asks, and free it after a run in which it does not', async () => {
    const desk = new Desk();
    await desk.end(desk.call(ada, 'delete').call);
    const asking = desk.call(ada, 'delete');
    desk.turns.asked([asking.call], ELICIT);
    await desk.end(asking.call);
    const last = desk.call(ada, 'delete');
    desk.call(bob, 'delete');
    await settle();
    expect(desk.sent).toEqual(['ada:delete', 'ada:delete', 'ada:delete']);
    await desk.end(last.call);
    desk.call(ada, 'delete');
    expect(desk.sent.slice(3)).toEqual(['bob:delete', 'ada:delete']);
  });

  it('do not free a tool after a failed call, or after one that may have asked', async () => {
    const desk = new Desk();
    await desk.end(desk.call(ada, 'fails').call, { ok: false, json: '{}' });
    const [x, y] = [desk.call(ada, 'x'), desk.call(ada, 'y')];
    desk.turns.asked([x.call, y.call], ELICIT);
    await desk.end(x.call);
    await desk.end(y.call);
    const before = desk.sent.length;
    for (const name of ['fails', 'x', 'y']) desk.call(ada, name);
    for (const name of ['fails', 'x', 'y']) desk.call(bob, name);
    await settle();
    expect(desk.sent.slice(before)).toEqual(['ada:fails', 'ada:x', 'ada:y']);
  });

  it('let callers overlap who cannot be asked, and no one else with them (R1)', async () => {
    const desk = new Desk();
    const first = desk.call(deaf, 'ask');
    const second = desk.call(caller('dumb', []), 'ask');
    desk.call(ada, 'ask');
    expect(desk.sent).toEqual(['deaf:ask', 'dumb:ask']);
    for (const { call } of [first, second]) desk.turns.asked([call], ELICIT);
    await desk.end(first.call);
    expect(desk.sent).toHaveLength(2);
    await desk.end(second.call);
    expect(desk.sent).toEqual(['deaf:ask', 'dumb:ask', 'ada:ask']);
  });

  it('are by the question: callers overlap who cannot answer what is asked (R1)', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'plan');
    desk.turns.asked([first.call], ROOTS);
    await desk.end(first.call);
    desk.call(ada, 'plan');
    desk.call(bob, 'plan');
    expect(desk.sent.slice(1)).toEqual(['ada:plan', 'bob:plan']);
    desk.call(caller('rooted', ['roots']), 'plan');
    await settle();
    expect(desk.sent).toHaveLength(3);
  });

  it('bind every tool that may have asked, if it is not known which (R1)', async () => {
    const desk = new Desk(new Turns({ unknownMs: 20, askingMs: 10_000 }));
    const [x, y] = [desk.call(ada, 'x'), desk.call(bob, 'y')];
    await pause(60);
    desk.turns.asked([x.call, y.call], ROOTS);
    await desk.end(x.call);
    await desk.end(y.call);
    const able = [caller('cid', ['roots']), caller('dan', ['roots'])];
    desk.call(able[0]!, 'x');
    desk.call(able[1]!, 'y');
    await pause(1_000);
    expect(desk.sent).toEqual(['ada:x', 'bob:y', 'cid:x']);
  });

  it('do not bind a tool that ran beside one that is known to ask (R1)', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'ask');
    desk.turns.asked([first.call], ELICIT);
    await desk.end(first.call);
    await desk.end(desk.call(ada, 'add').call);
    const [again, beside] = [desk.call(ada, 'ask'), desk.call(ada, 'add')];
    desk.turns.asked([again.call, beside.call], ELICIT);
    desk.call(bob, 'add');
    expect(desk.sent.at(-1)).toBe('bob:add');
  });

  it('alternate, so that calls of one caller do not keep another waiting (R1)', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'ask');
    desk.turns.asked([first.call], ELICIT);
    desk.call(bob, 'ask');
    desk.call(ada, 'ask');
    expect(desk.sent).toEqual(['ada:ask']);
    await desk.end(first.call);
    expect(desk.sent).toEqual(['ada:ask', 'bob:ask']);
  });

  it('wait for a long queue as long as it moves (R1)', async () => {
    const desk = new Desk(new Turns({ unknownMs: 20, askingMs: 100 }));
    const callers = ['a', 'b', 'c', 'd'].map((id) => caller(id));
    const calls = callers.map((each) => desk.call(each, 'ask').call);
    for (const call of calls) {
      desk.turns.asked([call], ELICIT);
      await pause(80);
      await desk.end(call);
    }
    expect(desk.sent).toEqual(['a:ask', 'b:ask', 'c:ask', 'd:ask']);
  });

  it('let a call that has its turn be sent again at once (R1)', async () => {
    const desk = new Desk();
    const call = callOf(ada, 'ask');
    const sent = desk.turns.run(call, () =>
      desk.turns.run(call, () => {
        desk.sent.push('again');
        return Promise.resolve(DONE);
      }),
    );
    desk.call(bob, 'ask');
    await sent;
    expect(desk.sent[0]).toBe('again');
  });

  it('send a waiting call as soon as its tool is known not to ask (R1)', async () => {
    const desk = new Desk();
    const [x] = [desk.call(ada, 'x'), desk.call(ada, 'y')];
    desk.call(bob, 'x');
    await desk.end(x!.call);
    expect(desk.sent).toEqual(['ada:x', 'ada:y', 'bob:x']);
  });

  it('are for known questions only, where a question usually names its call (R1)', async () => {
    const { turns } = new Desk();
    const call = callOf(ada, 'ask');
    expect([turns.isFree(call), turns.isFree(call, false)]).toEqual([false, true]);
    turns.asked([call], ROOTS);
    expect([turns.isFree(call), turns.isFree(call, false)]).toEqual([false, false]);
  });

  it('limit the wait for a question that may never come', async () => {
    const desk = new Desk(new Turns({ unknownMs: 20, askingMs: 10_000 }));
    desk.call(ada, 'build');
    desk.call(bob, 'read');
    await pause(60);
    expect(desk.sent).toEqual(['ada:build', 'bob:read']);
  });

  it('wait longer for a tool that is known to ask, but not forever', async () => {
    const desk = new Desk(new Turns({ unknownMs: 30, askingMs: 150 }));
    const first = desk.call(ada, 'ask');
    desk.call(bob, 'ask');
    desk.turns.asked([first.call], ELICIT);
    await pause(80);
    expect(desk.sent).toEqual(['ada:ask']);
    await pause(150);
    expect(desk.sent).toEqual(['ada:ask', 'bob:ask']);
  });

  it('forget a waiting call that is cancelled', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'ask');
    const second = desk.call(bob, 'ask');
    second.call.context.cancel();
    expect((await second.reply).json).toContain('call-cancelled');
    await desk.end(first.call);
    expect(desk.sent).toEqual(['ada:ask']);
  });

  it('last a little longer than a cancelled call, because the server may still ask', async () => {
    const desk = new Desk();
    const first = desk.call(ada, 'ask');
    desk.call(bob, 'ask');
    first.call.context.cancel();
    await desk.end(first.call, { ok: false, json: '{}' });
    expect(desk.sent).toEqual(['ada:ask']);
    await pause(100);
    expect(desk.sent).toEqual(['ada:ask', 'bob:ask']);
  });

  it('go to the next caller when calls fail, as when the server dies', async () => {
    const turns = new Turns({ unknownMs: 10_000 });
    const broken = turns.run(callOf(ada, 'ask'), () => Promise.reject(new Error('gone')));
    const next = turns.run(callOf(bob, 'ask'), () => Promise.resolve(DONE));
    await expect(broken).rejects.toThrow('gone');
    expect(await next).toBe(DONE);
  });
});
