/** The gate around waits: slow modules, approvals, and questions that come later. */

import { CallsignError, Hub, resultOf } from '@callsign/core';
import type { Call, Decision, Next, Target } from '@callsign/core';
import { CALLER, fakeCall, fakeSource } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { gate, type DecidingModule, type GateOptions } from './gate.js';

const DRY: Decision = {
  decision: 'dry-run',
  rule: 'only described',
  answer: () => resultOf({ dry: true }),
};
const verdict = (decision: Decision['decision'], rule: string = decision): Decision =>
  decision === 'dry-run' ? DRY : { decision, rule };

/** Decides by a variable that a test sets, or later if it is slow. */
function deciding(name: string, first: Decision['decision'] | undefined, isSlow = false) {
  const state = { next: first && verdict(first, `${name} ${first}`) };
  const module: DecidingModule = {
    name,
    parts: { decide: () => (isSlow ? Promise.resolve(state.next) : state.next) },
  };
  return { state, module };
}

function gated(modules: readonly DecidingModule[], options: Partial<GateOptions> = {}) {
  const server = fakeSource({ tools: ['t'] });
  server.answerAll({ done: true });
  const decide = gate({
    modules: () => modules,
    confirm: (_, next) => next(),
    current: ({ kind, canonical }: Target) => hub.entry(kind, canonical),
    ...options,
  });
  const hub: Hub = new Hub({ interceptors: [decide] });
  hub.set('s', server.source);
  const call = fakeCall('{"name":"s:t"}');
  return { server, call, hub, send: () => hub.route('tool', 's:t')!.send(call) };
}

describe('slow modules', () => {
  it.each([
    ['confirm', 'allow', '{"done":true}', 'a confirm'],
    ['allow', 'dry-run', '{"dry":true}', 'only described'],
    ['dry-run', 'confirm', '{"dry":true}', 'only described'],
    ['allow', 'confirm', '{"done":true}', 'b confirm'],
  ] as const)('that say %s and %s: the stricter one counts', async (one, other, json, rule) => {
    const [a, b] = [deciding('a', one, true), deciding('b', other, true)];
    const { call, send } = gated([a.module, b.module]);
    expect((await send()).json).toBe(json);
    expect(call.context.verdict?.rule).toBe(rule);
    expect(call.context.decisions.map(({ module }) => module)).toEqual(['a', 'b']);
  });

  it('that deny end the question: no later module is asked', async () => {
    const [a, b] = [deciding('a', 'deny', true), deciding('b', 'allow')];
    const { call, send, server } = gated([a.module, b.module]);
    await expect(send()).rejects.toMatchObject({ code: 'policy-denied' });
    expect(server.calls).toEqual([]);
    expect(call.context.decisions.map(({ module }) => module)).toEqual(['a']);
    expect(call.context.verdict).toEqual({ decision: 'deny', rule: 'a deny' });
  });

  it('without an objection leave the decision to the others', async () => {
    const slow = deciding('slow', undefined, true);
    const { call, send } = gated([slow.module, deciding('b', 'allow').module, slow.module]);
    expect((await send()).json).toBe('{"done":true}');
    expect(call.context.decisions.map(({ module }) => module)).toEqual(['b']);
  });

  it('are asked again before an approved call is sent', async () => {
    const slow = deciding('slow', 'allow', true);
    const confirm = (_: Call, next: Next) => {
      slow.state.next = verdict('deny', 'closed');
      return next();
    };
    const { send } = gated([deciding('a', 'confirm').module, slow.module], { confirm });
    await expect(send()).rejects.toMatchObject({
      details: { tool: 's:t', rule: 'closed; this changed while the call waited' },
    });
  });
});

describe('a call', () => {
  it('without any decision is sent, and has no verdict', async () => {
    const { call, send } = gated([deciding('a', undefined).module, { name: 'b', parts: {} }]);
    expect((await send()).json).toBe('{"done":true}');
    expect(call.context.verdict).toBeUndefined();
    expect(call.context.decisions).toEqual([]);
  });

  it('keeps the first of two equally strict decisions as its verdict', async () => {
    const { call, send } = gated([deciding('a', 'allow').module, deciding('b', 'allow').module]);
    await send();
    expect(call.context.verdict).toEqual({ decision: 'allow', rule: 'a allow' });
  });

  it('that was approved becomes a dry run if that is the decision now', async () => {
    const a = deciding('a', 'confirm');
    const confirm = (_: Call, next: Next) => {
      a.state.next = DRY;
      return next();
    };
    const { send, server } = gated([a.module], { confirm });
    expect((await send()).json).toBe('{"dry":true}');
    expect(server.calls).toEqual([]);
  });

  it('to an item that changed is refused with this reason', async () => {
    const confirm = (_: Call, next: Next) => next();
    const { send } = gated([deciding('a', 'confirm').module], {
      confirm,
      current: () => undefined,
    });
    await expect(send()).rejects.toMatchObject({
      details: { tool: 's:t', rule: 'it was changed or withdrawn while the call waited' },
    });
  });
});

describe('a hidden item', () => {
  const hidden: DecidingModule = { name: 'roles', parts: { sees: () => false } };

  it.each([
    [undefined, 'A caller without a credential'],
    ['ann', 'ann'],
  ])('is refused to %s by name', async (name, caller) => {
    const { call, hub } = gated([hidden]);
    const principal = name === undefined ? undefined : { name, roles: [] };
    const sent = async () =>
      hub.route('tool', 's:t')!.send(call.with({ caller: { ...CALLER, principal } }));
    await expect(sent()).rejects.toMatchObject({ details: { caller, tool: 's:t' } });
  });

  it('is the resource that is read, where the call goes to a template', async () => {
    const asked: string[] = [];
    const roles: DecidingModule = {
      name: 'roles',
      parts: { sees: (_, { canonical }) => asked.push(canonical) > 0 },
    };
    const { call, hub } = gated([roles]);
    const subject = { ...hub.entry('tool', 's:t')!, canonical: 's:file:///a' };
    await hub.route('tool', 's:t')!.send(call.with({ subject }));
    await hub.route('tool', 's:t')!.send(call);
    expect(asked).toEqual(['s:file:///a', 's:t']);
  });
});

describe('an interceptor that asks again after its own wait', () => {
  const recheckAfter = async (first: 'allow' | 'confirm', now: Decision): Promise<unknown> => {
    const a = deciding('a', first);
    const { call, send } = gated([a.module]);
    await send();
    a.state.next = now;
    return Promise.resolve(call.context.recheck!()).catch((error: unknown) =>
      error instanceof CallsignError ? error.details['rule'] : error,
    );
  };

  it.each([
    ['allow', 'allow', undefined],
    ['allow', 'confirm', 'confirm; this changed while the call waited'],
    ['allow', 'deny', 'deny; this changed while the call waited'],
    ['allow', 'dry-run', 'only described'],
    // The person has approved it, so it needs no second approval.
    ['confirm', 'confirm', undefined],
    ['confirm', 'allow', undefined],
    ['confirm', 'deny', 'deny; this changed while the call waited'],
    ['confirm', 'dry-run', 'only described'],
  ] as const)('for a call under "%s" that is now under "%s"', async (first, now, refusal) => {
    expect(await recheckAfter(first, verdict(now))).toBe(refusal);
  });
});
