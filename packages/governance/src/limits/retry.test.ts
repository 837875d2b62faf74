import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { retry } from './retry.js';
import { fakeClock } from '@callsign/core/testing';
import { faultReply, guarded } from '@callsign/core/testing';
import { timeout } from './timeout.js';

const READ = { readOnlyHint: true };

function retried(hints = {}, whenBack = () => Promise.resolve(true), tool = 'tool', random = 0.5) {
  const clock = fakeClock();
  const interceptors = [
    timeout({ clock, limitMs: () => 60_000 }),
    retry({ clock, attempts: 2, firstMs: 100, maxMs: 1_000, whenBack, random: () => random }),
  ];
  return { clock, ...guarded(interceptors, hints, tool) };
}

const metaOf = (json: string) => (JSON.parse(json) as Record<string, unknown>)['_meta'];

describe('retry', () => {
  it('waits for the process of the account that a call uses', async () => {
    const clock = fakeClock();
    const asked: unknown[] = [];
    const whenBack = (target: { readonly account?: string | undefined }): Promise<boolean> => {
      asked.push(target.account);
      return Promise.resolve(false);
    };
    const interceptors = [
      retry({ clock, attempts: 2, firstMs: 100, maxMs: 1_000, whenBack, random: () => 0.5 }),
    ];
    const { server, send } = guarded(interceptors, READ, 'tool', 'key:ann');
    const reply = send();
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(1_000);
    expect((await reply).ok).toBe(false);
    expect(asked).toEqual(['key:ann']);
  });

  it(
    'sends a lost call again only where the effective hints allow it',
    shows('ANN-28', async () => {
      const cases = [
        { hints: READ, again: true },
        { hints: { idempotentHint: true, destructiveHint: false }, again: true },
        { hints: { idempotentHint: true, destructiveHint: true }, again: true },
        { hints: { destructiveHint: false }, again: false },
        { hints: {}, again: false },
      ];
      for (const { hints, again } of cases) {
        const { clock, server, send } = retried(hints);
        const reply = send();
        (await server.next()).reply(faultReply('upstream-closed'));
        await clock.pass(1_000);
        expect(server.calls.length).toBe(again ? 2 : 1);
        if (again) (await server.next()).answer({ content: [] });
        expect((await reply).ok).toBe(again);
      }
    }),
  );

  it('does not send a call again that reads by its own words alone', async () => {
    const { clock, server, send } = retried({}, () => Promise.resolve(true), 'list_users');
    const reply = send();
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(1_000);
    expect(server.calls[0]!.call.target?.risk).toBe('read');
    expect(server.calls).toHaveLength(1);
    expect((await reply).ok).toBe(false);
  });

  it(
    'does not retry after an answer of the tool, even an error',
    shows('ANN-28', async () => {
      const answers = [
        { ok: true, json: '{"isError":true,"content":[]}' },
        { ok: false, json: '{"code":-32603,"message":"overloaded"}' },
      ];
      for (const answer of answers) {
        const { clock, server, send } = retried(READ);
        const reply = send();
        (await server.next()).reply(answer);
        await clock.pass(10_000);
        expect(server.calls).toHaveLength(1);
        expect(await reply).toEqual(answer);
      }
    }),
  );

  it.each([
    ['upstream-closed', {}, true],
    ['upstream-unavailable', {}, true],
    ['upstream-unavailable', { status: 429 }, true],
    ['upstream-unavailable', { status: 502 }, true],
    ['upstream-unavailable', { status: 503 }, true],
    ['upstream-unavailable', { status: 504 }, true],
    ['upstream-unavailable', { status: 500 }, false],
    ['upstream-unavailable', { status: 401 }, false],
    ['upstream-busy', {}, false],
    ['upstream-timeout', {}, false],
    ['call-cancelled', {}, false],
  ] as const)('%s %j: again %s', async (code, details, again) => {
    const { clock, server, send } = retried(READ);
    void send();
    (await server.next()).reply(faultReply(code, details));
    await clock.pass(1_000);
    expect(server.calls).toHaveLength(again ? 2 : 1);
  });

  it('states the number of retries in the result, if there were any', async () => {
    const { clock, server, call, send } = retried(READ);
    const reply = send();
    for (let turn = 0; turn < 2; turn++) {
      (await server.next()).reply(faultReply('upstream-closed'));
      await clock.pass(1_000);
    }
    (await server.next()).answer({ content: [], _meta: { own: 1 } });
    expect(metaOf((await reply).json)).toEqual({ own: 1, 'callsign/retries': 2 });
    expect(call.context.retries).toBe(2);

    const other = retried(READ);
    const plain = other.send();
    (await other.server.next()).answer({ content: [] });
    expect((await plain).json).toBe('{"content":[]}');
  });

  it('gives up after the configured number of retries, with the last failure', async () => {
    const { clock, server, send } = retried(READ);
    const reply = send();
    for (let turn = 0; turn < 3; turn++) {
      (await server.next()).reply(faultReply('upstream-closed'));
      await clock.pass(10_000);
    }
    expect((await reply).fault?.code).toBe('upstream-closed');
    expect(server.calls).toHaveLength(3);
  });

  it('waits longer each time, or as long as the server asks', async () => {
    const { clock, server, send } = retried(READ);
    void send();
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(99);
    expect(server.calls).toHaveLength(1);
    await clock.pass(1);
    (await server.next()).reply(
      faultReply('upstream-unavailable', { status: 429, retryAfterMs: 7_000 }),
    );
    await clock.pass(6_999);
    expect(server.calls).toHaveLength(2);
    await clock.pass(1);
    expect(server.calls).toHaveLength(3);
  });

  it.each([
    [0, 50],
    [0.75, 125],
  ])('spreads the wait: with %d it is %d ms', async (random, ms) => {
    const { clock, server, send } = retried(READ, undefined, undefined, random);
    void send();
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(ms - 1);
    expect(server.calls).toHaveLength(1);
    await clock.pass(1);
    expect(server.calls).toHaveLength(2);
  });

  it('sends nothing again for a call that was cancelled before it failed', async () => {
    const { clock, server, call, send } = retried(READ);
    const reply = send();
    const sent = await server.next();
    call.context.cancel();
    sent.reply(faultReply('upstream-closed'));
    await clock.pass(10_000);
    expect((await reply).fault?.code).toBe('upstream-closed');
    expect(server.calls).toHaveLength(1);
  });

  it('waits until the server is back, and does not retry if it does not come back', async () => {
    let isBack: (value: boolean) => void = () => undefined;
    const { clock, server, send } = retried(
      READ,
      () => new Promise((resolve) => (isBack = resolve)),
    );
    const reply = send();
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(5_000);
    expect(server.calls).toHaveLength(1);
    isBack(true);
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(5_000);
    isBack(false);
    expect((await reply).fault?.code).toBe('upstream-closed');
    expect(server.calls).toHaveLength(2);
  });

  it('stops when the caller has left or the time is up', async () => {
    const gone = retried(READ);
    const cancelled = gone.send();
    (await gone.server.next()).reply(faultReply('upstream-closed'));
    await gone.clock.pass(1);
    gone.call.context.cancel();
    await gone.clock.pass(10_000);
    expect((await cancelled).fault?.code).toBe('upstream-closed');
    expect(gone.server.calls).toHaveLength(1);

    let isBack: (value: boolean) => void = () => undefined;
    const late = retried(READ, () => new Promise((resolve) => (isBack = resolve)));
    const reply = late.send();
    (await late.server.next()).reply(faultReply('upstream-closed'));
    const failed = expect(reply).rejects.toMatchObject({ code: 'upstream-timeout' });
    await late.clock.pass(60_000);
    await failed;
    isBack(true);
    await late.clock.pass(60_000);
    expect(late.server.calls).toHaveLength(1);
  });

  it('sends nothing again if the time ran out while modules decided again (K4)', async () => {
    const { clock, server, call, send } = retried(READ);
    let decide: () => void = () => undefined;
    call.context.recheck = () => new Promise((resolve) => (decide = resolve));
    const failed = expect(send()).rejects.toMatchObject({ code: 'upstream-timeout' });
    (await server.next()).reply(faultReply('upstream-closed'));
    await clock.pass(60_000);
    await failed;
    decide();
    await clock.pass(60_000);
    expect(server.calls).toHaveLength(1);
    expect(call.context.retries).toBe(0);
  });
});
