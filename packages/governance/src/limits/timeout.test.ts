import { describe, expect, it } from 'vitest';

import { fakeCall } from '@callsign/core/testing';
import { fakeClock } from '@callsign/core/testing';
import { guarded } from '@callsign/core/testing';
import { timeout } from './timeout.js';

const LIMIT = 1_000;

function timed() {
  const clock = fakeClock();
  const { server, call, send } = guarded([timeout({ clock, limitMs: () => LIMIT })]);
  const told: (string | undefined)[] = [];
  call.context.onCancel((reason) => told.push(reason));
  return { clock, server, call, send, told };
}

describe('a time limit', () => {
  it('ends a call that takes too long, tells the server, and leaves the call uncancelled', async () => {
    const { clock, call, send, told } = timed();
    const reply = send();
    const failed = expect(reply).rejects.toMatchObject({
      code: 'upstream-timeout',
      details: { server: 'server', seconds: 1 },
    });
    await clock.pass(LIMIT);
    await failed;
    expect(told).toEqual(['It took too long.']);
    expect(call.context.isCancelled).toBe(false);
  });

  it('does not affect a call that is answered just in time', async () => {
    const { clock, server, send, told } = timed();
    const reply = send();
    await clock.pass(LIMIT - 1);
    (await server.next()).answer({ sum: 3 });
    await expect(reply).resolves.toMatchObject({ ok: true });
    await clock.pass(10 * LIMIT);
    expect(told).toEqual([]);
  });

  it('passes failures on', async () => {
    const { server, send } = timed();
    const reply = send();
    (await server.next()).fail(new Error('broken'));
    await expect(reply).rejects.toThrow('broken');
  });

  it('starts again with every progress report', async () => {
    const { clock, server, call, send, told } = timed();
    const reply = send();
    for (let turn = 0; turn < 10; turn++) {
      await clock.pass(LIMIT - 1);
      call.context.timer!.restart();
    }
    expect(told).toEqual([]);
    const failed = expect(reply).rejects.toMatchObject({ code: 'upstream-timeout' });
    await clock.pass(LIMIT);
    await failed;
    expect(server.calls).toHaveLength(1);
  });

  it('pauses while the client is asked, with one or several questions', async () => {
    const { clock, server, call, send, told } = timed();
    const reply = send();
    call.context.timer!.pause();
    call.context.timer!.pause();
    await clock.pass(100 * LIMIT);
    call.context.timer!.resume();
    call.context.timer!.restart();
    await clock.pass(100 * LIMIT);
    call.context.timer!.resume();
    await clock.pass(LIMIT - 1);
    expect(told).toEqual([]);
    (await server.next()).answer({});
    await expect(reply).resolves.toMatchObject({ ok: true });
  });

  it('applies to each call separately, with one timer for all', async () => {
    const clock = fakeClock();
    let timers = 0;
    const counting = {
      ...clock,
      after: (ms: number, run: () => void) => (timers++, clock.after(ms, run)),
    };
    const { server, send } = guarded([timeout({ clock: counting, limitMs: () => LIMIT })]);
    const outcomes: string[] = [];
    for (let n = 0; n < 100; n++) {
      send(fakeCall('{"name":"server:tool"}')).then(
        () => outcomes.push('answered'),
        () => outcomes.push('late'),
      );
      await clock.pass(1);
      if (n % 2 === 0) (await server.next()).answer({});
      else await server.next();
    }
    expect(timers).toBe(1);
    await clock.pass(2 * LIMIT);
    expect(outcomes.filter((outcome) => outcome === 'late')).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(50);
  });

  it('ignores progress after the end', async () => {
    const { clock, server, call, send, told } = timed();
    const reply = send();
    (await server.next()).answer({});
    await reply;
    call.context.timer!.pause();
    call.context.timer!.resume();
    call.context.timer!.restart();
    await clock.pass(10 * LIMIT);
    expect(told).toEqual([]);
  });
});
