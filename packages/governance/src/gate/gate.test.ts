import type { Decision, Next, Target } from '@callsign/core';
import { fakeCall, fakeSource } from '@callsign/core/testing';
import { Hub, resultOf } from '@callsign/core';
import { describe, expect, it, vi } from 'vitest';

import { gate, type DecidingModule, type GateOptions } from './gate.js';

const decided = (name: string, ...decisions: Decision['decision'][]): DecidingModule => {
  let i = 0;
  return {
    name,
    parts: {
      decide: () => {
        const decision = decisions[Math.min(i++, decisions.length - 1)]!;
        return { decision, rule: `${name} ${decision}`, answer: () => resultOf({ dry: true }) };
      },
    },
  };
};

function gated(modules: readonly DecidingModule[], options: Partial<GateOptions> = {}) {
  const server = fakeSource({ tools: ['t'] });
  server.answerAll({ done: true });
  const hub: Hub = new Hub({
    interceptors: [
      gate({
        modules: () => modules,
        confirm: (_, next) => next(),
        current: ({ kind, canonical }: Target) => hub.entry(kind, canonical),
        ...options,
      }),
    ],
  });
  hub.set('s', server.source);
  const call = fakeCall('{"name":"s:t"}');
  return { server, call, hub, send: () => hub.route('tool', 's:t')!.send(call) };
}

describe('the gate', () => {
  it('sends a call that every module allows, and notes each decision in order', async () => {
    const { call, send, server } = gated([decided('a', 'allow'), decided('b', 'allow')]);
    expect(await send()).toEqual({ ok: true, json: '{"done":true}' });
    expect(server.calls).toHaveLength(1);
    expect(call.context.decisions.map(({ module, rule }) => `${module}: ${rule}`)).toEqual([
      'a: a allow',
      'b: b allow',
    ]);
  });

  it('refuses a call that one module denies, and asks no module after it', async () => {
    const last = vi.fn<() => Decision>();
    const { send, server } = gated([
      decided('a', 'confirm'),
      decided('b', 'deny'),
      { name: 'c', parts: { decide: last } },
    ]);
    await expect(send()).rejects.toMatchObject({
      code: 'policy-denied',
      details: { rule: 'b deny' },
    });
    expect(last).not.toHaveBeenCalled();
    expect(server.calls).toEqual([]);
  });

  it('follows the strictest decision: a dry run before a question', async () => {
    const confirm = vi.fn<GateOptions['confirm']>();
    const { send, server } = gated([decided('a', 'confirm'), decided('b', 'dry-run')], { confirm });
    expect((await send()).json).toBe('{"dry":true}');
    expect(confirm).not.toHaveBeenCalled();
    expect(server.calls).toEqual([]);
  });

  it('waits for slow modules', async () => {
    const late: DecidingModule = {
      name: 'late',
      parts: { decide: async () => ({ decision: 'deny', rule: 'no' }) },
    };
    const { send } = gated([decided('a', 'allow'), late]);
    await expect(send()).rejects.toMatchObject({ details: { rule: 'no' } });
  });

  it('hides items that a caller may not see, before any decision', async () => {
    const decide = vi.fn<() => Decision>();
    const { send } = gated([{ name: 'roles', parts: { sees: () => false, decide } }]);
    await expect(send()).rejects.toMatchObject({ code: 'access-denied' });
    expect(decide).not.toHaveBeenCalled();
  });

  it('asks every module again after an approval, and does not ask the person twice', async () => {
    const { send, server } = gated([decided('a', 'confirm', 'confirm'), decided('b', 'allow')]);
    expect((await send()).ok).toBe(true);
    expect(server.calls).toHaveLength(1);
  });

  it('refuses an approved call that has been denied in the meantime (V8)', async () => {
    const { send, server } = gated([decided('a', 'confirm'), decided('b', 'allow', 'deny')]);
    await expect(send()).rejects.toMatchObject({ code: 'policy-denied' });
    expect(server.calls).toEqual([]);
  });

  it('refuses an approved call to an item that has been hidden in the meantime (V8)', async () => {
    let isSeen = true;
    const roles: DecidingModule = { name: 'roles', parts: { sees: () => isSeen } };
    const confirm = (_: unknown, next: Next) => {
      isSeen = false;
      return next();
    };
    const { send, server } = gated([roles, decided('a', 'confirm')], { confirm });
    await expect(send()).rejects.toMatchObject({ code: 'access-denied' });
    expect(server.calls).toEqual([]);
  });

  it.each([
    ['changed', [{ name: 't', json: '{"name":"t","description":"Another one."}' }]],
    ['withdrawn', []],
  ])('refuses an approved call to a tool that was %s in the meantime (V8)', async (_, tools) => {
    const confirm = (__: unknown, next: Next) => {
      gateway.server.offers({ tools });
      return next();
    };
    const gateway = gated([decided('a', 'confirm')], { confirm });
    await expect(gateway.send()).rejects.toMatchObject({ code: 'policy-denied' });
    expect(gateway.server.calls).toEqual([]);
  });

  it('lets interceptors ask again after their own wait', async () => {
    const { call, send } = gated([decided('a', 'allow', 'allow', 'confirm')]);
    await send();
    await expect(call.context.recheck!()).resolves.toBeUndefined();
    await expect(call.context.recheck!()).rejects.toMatchObject({ code: 'policy-denied' });
  });
});
