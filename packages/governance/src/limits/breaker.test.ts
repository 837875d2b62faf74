import { describe, expect, it } from 'vitest';

import { breaker } from './breaker.js';
import type { Reply } from '@callsign/core';
import { fakeCall } from '@callsign/core/testing';
import { fakeClock } from '@callsign/core/testing';
import { faultReply, guarded } from '@callsign/core/testing';

const FINE: Reply = { ok: true, json: '{}' };

function broken() {
  const clock = fakeClock();
  const { server, send } = guarded([breaker({ clock, failures: () => 3, restMs: () => 5_000 })]);
  const ask = async (reply: Reply): Promise<Reply> => {
    const sent = send(call());
    (await server.next()).reply(reply);
    return sent;
  };
  return { clock, server, send, ask };
}

const call = () => fakeCall('{"name":"server:tool"}');

describe('a breaker', () => {
  it('stops calls to a server after failures in a row, then tries it with one call', async () => {
    const { clock, server, send, ask } = broken();
    for (let n = 0; n < 3; n++) await ask(faultReply('upstream-closed'));
    await expect(send(call())).rejects.toMatchObject({
      code: 'server-resting',
      details: { server: 'server', failures: 3, seconds: 5 },
    });
    expect(server.calls).toHaveLength(3);
    await clock.pass(5_000);
    const trial = send(call());
    await expect(send(call())).rejects.toMatchObject({ code: 'server-resting' });
    (await server.next()).reply(FINE);
    await trial;
    await ask(FINE);
    expect(server.calls).toHaveLength(5);
  });

  it('stops no calls of another account, and none of callers without one', async () => {
    const interceptor = breaker({ clock: fakeClock(), failures: () => 1, restMs: () => 5_000 });
    const as = (account?: string) => guarded([interceptor], {}, 'tool', account);
    const ann = as('key:ann');
    const failed = ann.send(call());
    (await ann.server.next()).reply(faultReply('upstream-closed'));
    await failed;
    await expect(ann.send(call())).rejects.toMatchObject({ code: 'server-resting' });
    for (const { server, send } of [as('key:bob'), as()]) {
      const sent = send(call());
      (await server.next()).reply(FINE);
      expect(await sent).toBe(FINE);
    }
  });

  it('stops calls again if the trial fails', async () => {
    const { clock, send, ask } = broken();
    for (let n = 0; n < 3; n++) await ask(faultReply('upstream-timeout'));
    await clock.pass(5_000);
    await ask(faultReply('upstream-timeout'));
    await expect(send(call())).rejects.toMatchObject({ details: { failures: 4 } });
  });

  it.each([
    ['an answer', FINE],
    ['a failure of the tool', { ok: true, json: '{"isError":true}' }],
    ["the server's own error", { ok: false, json: '{"code":1}' }],
    ['an answer that cannot be read', faultReply('answer-unreadable')],
    ['a result that is too large', faultReply('result-too-large')],
  ])('%s shows that the server is alive', async (_, reply) => {
    const { ask } = broken();
    for (let n = 0; n < 10; n++) {
      await ask(faultReply('upstream-closed'));
      await ask(faultReply('upstream-closed'));
      await ask(reply);
    }
  });

  it.each(['call-cancelled', 'upstream-busy', 'not-recorded', 'limit-reached'] as const)(
    'learns nothing from %s, neither while it counts nor from a trial (K1)',
    async (code) => {
      const { clock, server, send, ask } = broken();
      for (let n = 0; n < 2; n++) await ask(faultReply('upstream-timeout'));
      await ask(faultReply(code));
      const thrown = expect(send(call())).rejects.toMatchObject({ code });
      (await server.next()).fail(faultReply(code).fault);
      await thrown;
      await ask(faultReply('upstream-timeout'));
      await expect(send(call())).rejects.toMatchObject({ code: 'server-resting' });
      await clock.pass(5_000);
      await ask(faultReply(code));
      // The next call is the trial: a second one beside it is refused.
      const trial = send(call());
      await expect(send(call())).rejects.toMatchObject({ code: 'server-resting' });
      (await server.next()).reply(FINE);
      await trial;
      await ask(FINE);
    },
  );

  it('tries with one call, though an older call ends meanwhile (K1)', async () => {
    const { clock, server, send, ask } = broken();
    const old = send(call());
    const oldCall = await server.next();
    for (let n = 0; n < 3; n++) await ask(faultReply('upstream-closed'));
    await clock.pass(5_000);
    const trial = send(call());
    oldCall.reply(faultReply('call-cancelled'));
    await old;
    await expect(send(call())).rejects.toMatchObject({ code: 'server-resting' });
    (await server.next()).reply(FINE);
    await trial;
  });

  it.each([
    [0, 5],
    [4_001, 1],
    [4_999, 1],
    [3_999, 2],
  ])('after %d ms says that it stops calls for %d s', async (ms, seconds) => {
    const { clock, send, ask } = broken();
    for (let n = 0; n < 3; n++) await ask(faultReply('upstream-unavailable'));
    await clock.pass(ms);
    await expect(send(call())).rejects.toMatchObject({ details: { seconds } });
  });

  it('says one second while a trial is under way', async () => {
    const { clock, server, send, ask } = broken();
    for (let n = 0; n < 3; n++) await ask(faultReply('upstream-closed'));
    await clock.pass(60_000);
    const trial = send(call());
    await expect(send(call())).rejects.toMatchObject({ details: { seconds: 1 } });
    (await server.next()).reply(FINE);
    await trial;
  });

  it('counts thrown failures too', async () => {
    const { server, send } = broken();
    for (let n = 0; n < 3; n++) {
      const failed = expect(send(call())).rejects.toMatchObject({ code: 'upstream-timeout' });
      (await server.next()).fail(faultReply('upstream-timeout').fault);
      await failed;
    }
    await expect(send(call())).rejects.toMatchObject({ code: 'server-resting' });
  });
});
