import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { Call, type Caller } from '@callsign/core';
import type { Quota } from './call-settings.js';
import { limit } from './limit.js';
import type { Block } from './quota-store.js';
import { CALLER, fakeCall } from '@callsign/core/testing';
import { fakeClock } from '@callsign/core/testing';
import { guarded } from '@callsign/core/testing';

function limited(quotas: { server?: Quota; caller?: Quota }) {
  const clock = fakeClock();
  const interceptor = limit({
    clock,
    ofServer: () => quotas.server,
    ofCaller: () => quotas.caller,
    maxWaitMs: () => 10_000,
  });
  return { clock, ...guarded([interceptor]) };
}

const call = () => fakeCall('{"name":"server:tool"}');

function callBy(caller: Partial<Caller>): Call {
  const params = '{"name":"server:tool"}';
  return new Call({
    method: 'tools/call',
    params,
    name: 'server:tool',
    nameStart: 8,
    nameEnd: 21,
    tokenStart: -1,
    tokenEnd: -1,
    caller: { ...CALLER, ...caller },
  });
}

describe('a limit of a server at which callers have accounts', () => {
  it('counts for each account', async () => {
    const clock = fakeClock();
    const interceptor = limit({
      clock,
      ofServer: () => ({ perMinute: 1, queue: 0 }),
      ofCaller: () => undefined,
      maxWaitMs: () => 0,
    });
    const as = (account?: string) => guarded([interceptor], {}, 'tool', account);
    for (const account of ['key:ann', 'key:bob', undefined]) {
      const { server, send } = as(account);
      const reply = send(call());
      (await server.next()).answer({});
      expect((await reply).ok).toBe(true);
      await expect(send(call())).rejects.toMatchObject({ code: 'limit-reached' });
    }
    // A name cannot be written so that it is the quota of another server or account.
    const { server, send } = as(' account key:ann');
    const reply = send(call());
    (await server.next()).answer({});
    expect((await reply).ok).toBe(true);
  });
});

describe('a limit on calls at once', () => {
  it('sends the next call when one has ended, in their order', async () => {
    const { clock, server, send } = limited({ server: { concurrent: 2, queue: 10 } });
    const replies = Array.from({ length: 5 }, () => send(call()));
    await clock.pass(0);
    for (let done = 0; done < 5; done++) {
      expect(server.calls).toHaveLength(Math.min(5, done + 2));
      server.calls[done]!.answer({ done });
      await clock.pass(0);
    }
    expect((await Promise.all(replies)).map(({ json }) => json)).toEqual(
      [0, 1, 2, 3, 4].map((done) => `{"done":${done}}`),
    );
  });

  it('gives a free slot to the waiting call, so that the limit is never exceeded (C5)', async () => {
    const { clock, server, send } = limited({ server: { concurrent: 1, queue: 100 } });
    const replies = [send(call()), send(call())];
    await clock.pass(0);
    server.calls[0]!.answer({});
    // One of these comes between the end of the first call and the start of the second.
    for (let turn = 0; turn < 50; turn++) {
      replies.push(send(call()));
      await Promise.resolve();
      expect(server.calls.length).toBeLessThanOrEqual(2);
    }
    for (let done = 1; done < replies.length; done++) {
      expect(server.calls).toHaveLength(done + 1);
      server.calls[done]!.answer({});
      await clock.pass(0);
    }
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
  });

  it('is kept while a shared quota is asked for more (C5)', async () => {
    const clock = fakeClock();
    const asked: ((block: Block) => void)[] = [];
    const store = { take: () => new Promise<Block>((resolve) => asked.push(resolve)) };
    const interceptor = limit({
      clock,
      ofServer: () => ({ concurrent: 1, perMinute: 6_000, queue: 10 }),
      ofCaller: () => undefined,
      maxWaitMs: () => 10_000,
      shared: { store, holder: 'one', instances: () => 1 },
    });
    const { server, send } = guarded([interceptor]);
    const replies = Array.from({ length: 3 }, () => send(call()));
    await clock.pass(0);
    expect(server.calls).toHaveLength(0);
    asked[0]!({ granted: 100, waitMs: 0 });
    for (let done = 0; done < 3; done++) {
      await clock.pass(0);
      expect(server.calls).toHaveLength(done + 1);
      server.calls[done]!.answer({});
    }
    await Promise.all(replies);
  });

  it('has a call decided again after a wait, and only then (V8)', async () => {
    const { clock, server, send } = limited({ server: { concurrent: 1, queue: 10 } });
    const rechecked: string[] = [];
    const checked = (name: string): Call => {
      const made = call();
      made.context.recheck = () => void rechecked.push(name);
      return made;
    };
    const replies = [send(checked('first')), send(checked('second'))];
    await clock.pass(0);
    expect(rechecked).toEqual([]);
    server.calls[0]!.answer({});
    await clock.pass(0);
    expect(rechecked).toEqual(['second']);
    server.calls[1]!.answer({});
    await Promise.all(replies);
  });

  it('refuses a call at once if the queue is full, and says when to try again', async () => {
    const { clock, send } = limited({ server: { concurrent: 1, queue: 1 } });
    void send(call());
    void send(call());
    await expect(send(call())).rejects.toMatchObject({
      code: 'limit-reached',
      message: 'Too many calls to server "server". Try again in 1 s.',
    });
    expect(clock.now()).toBe(0);
  });

  it('limits the wait', async () => {
    const { clock, server, send } = limited({ server: { concurrent: 1, queue: 1 } });
    void send(call());
    const refused = expect(send(call())).rejects.toMatchObject({ code: 'limit-reached' });
    await clock.pass(10_000);
    await refused;
    expect(server.calls).toHaveLength(1);
  });

  it('forgets a call that is cancelled while it waits', async () => {
    const { clock, server, send } = limited({ server: { concurrent: 1, queue: 1 } });
    const first = send(call());
    const waiting = call();
    const gone = expect(send(waiting)).rejects.toMatchObject({ code: 'call-cancelled' });
    await clock.pass(0);
    waiting.context.cancel();
    await gone;
    server.calls[0]!.answer({});
    await first;
    void send(call());
    await clock.pass(0);
    expect(server.calls).toHaveLength(2);
  });

  it('frees the slot when a call fails', async () => {
    const { clock, server, send } = limited({ server: { concurrent: 1, queue: 0 } });
    const failed = expect(send(call())).rejects.toThrow('broken');
    await clock.pass(0);
    server.calls[0]!.fail(new Error('broken'));
    await failed;
    void send(call());
    await clock.pass(0);
    expect(server.calls).toHaveLength(2);
  });

  it('counts each caller separately: by session, by principal, or all unknown callers together', async () => {
    const { clock, server, send } = limited({ caller: { concurrent: 1, queue: 0 } });
    const calls = [
      callBy({ id: 'a' }),
      callBy({ id: 'b' }),
      callBy({ id: 'c', principal: { name: 'ada', roles: [] } }),
      callBy({ id: 'd', era: 'stateless' }),
    ];
    for (const each of calls) void send(each);
    await clock.pass(0);
    expect(server.calls).toHaveLength(4);
    const others = [
      callBy({ id: 'a' }),
      callBy({ id: 'e', principal: { name: 'ada', roles: [] } }),
      callBy({ id: 'f', era: 'stateless' }),
    ];
    for (const each of others) {
      await expect(send(each)).rejects.toMatchObject({ details: { what: 'from this client' } });
    }
  });
});

describe('a limit on calls in a minute', () => {
  it('allows a burst, then one call after the other, and says how long to wait', async () => {
    const { clock, server, send } = limited({ server: { perMinute: 6, queue: 0 } });
    server.answerAll({});
    for (let n = 0; n < 6; n++) await send(call());
    await expect(send(call())).rejects.toMatchObject({
      code: 'limit-reached',
      details: { seconds: 10 },
    });
    await clock.pass(9_999);
    await expect(send(call())).rejects.toMatchObject({ details: { seconds: 1 } });
    await clock.pass(1);
    await send(call());
    await expect(send(call())).rejects.toMatchObject({ code: 'limit-reached' });
    await clock.pass(60_000);
    for (let n = 0; n < 6; n++) await send(call());
  });

  it('lets through in the first minute what docs/many-instances.md says, and then its rate (L10)', async () => {
    const page = readFileSync(
      new URL('../../../../docs/many-instances.md', import.meta.url),
      'utf8',
    );
    const said = /`perMinute: (\d+)`, (\d+) calls may come at once.* up to (\d+) calls/s.exec(page);
    const [perMinute, atOnce, inAMinute] = said!.slice(1).map(Number) as [number, number, number];
    const { clock, server, send } = limited({ server: { perMinute, queue: 0 } });
    server.answerAll({});
    const passed = async (): Promise<number> => {
      for (let count = 0; ; count++) {
        const isIn = await send(call()).then(
          () => true,
          () => false,
        );
        if (!isIn) return count;
      }
    };
    expect(await passed()).toBe(atOnce);
    /** How many pass in the next 60 s, if calls come all the time. */
    const minute = async (seconds: number): Promise<number> => {
      let count = 0;
      for (let second = 0; second < seconds; second++) {
        await clock.pass(1_000);
        count += await passed();
      }
      return count;
    };
    // The 60th second begins the next minute.
    expect(atOnce + (await minute(59))).toBe(inAMinute);
    expect(await minute(60)).toBe(perMinute);
  });

  it('is not charged for a call that finds the queue full', async () => {
    const server = { concurrent: 1, queue: 0, perMinute: 2 };
    const { clock, server: target, send } = limited({ server });
    const first = send(call());
    await clock.pass(0);
    await expect(send(call())).rejects.toMatchObject({ code: 'limit-reached' });
    target.calls[0]!.answer({});
    await first;
    const second = send(call());
    await clock.pass(0);
    expect(target.calls).toHaveLength(2);
    target.calls[1]!.answer({});
    await second;
  });

  it('is charged for a call before it waits, so that a call too many is refused at once', async () => {
    const server = { concurrent: 1, queue: 10, perMinute: 2 };
    const { clock, server: target, send } = limited({ server });
    const running = send(call());
    const waiting = send(call());
    await expect(send(call())).rejects.toMatchObject({ details: { seconds: 30 } });
    for (const [n, reply] of [running, waiting].entries()) {
      await clock.pass(0);
      target.calls[n]!.answer({});
      await reply;
    }
  });

  it('remembers a bounded number of callers, and always those with an exhausted quota', async () => {
    const { server, send } = limited({ caller: { perMinute: 1, queue: 0 } });
    server.answerAll({});
    await send(callBy({ id: 'first' }));
    for (let n = 0; n < 2_000; n++) await send(callBy({ id: `other ${n}` }));
    await expect(send(callBy({ id: 'first' }))).rejects.toMatchObject({ code: 'limit-reached' });
  });

  it('looks for idle callers only when their number has doubled (K7)', async () => {
    const { clock, server, send } = limited({ caller: { perMinute: 1, queue: 0 } });
    server.answerAll({});
    const { now } = clock;
    let looks = 0;
    clock.now = () => (looks++, now());
    for (let n = 0; n < 3_000; n++) await send(callBy({ id: `caller ${n}` }));
    expect(looks).toBeLessThan(10 * 3_000);
  });
});
