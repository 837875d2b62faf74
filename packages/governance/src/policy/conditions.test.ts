/** What the conditions of rules know about a tool, a caller and a call. */

import { PRESETS } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { createPolicy } from './policy.js';
import { type TargetOptions, plainTarget, policySettings } from './testing/plain-call.js';

const CALLER = { client: { name: 'cursor', version: '1' } };
const ANN = { ...CALLER, principal: { name: 'ann', roles: ['dev', 'admin'] } };
const policyWhen = (when: string, written: object = {}) =>
  createPolicy(policySettings({ rules: [{ when, decision: 'deny', reason: 'held' }], ...written }));

const holdsFor = (when: string, options: TargetOptions, caller: typeof CALLER): boolean =>
  policyWhen(when).judge(plainTarget('s:drop_all', options), caller).rule.includes('(held)');

describe('a condition on the tool', () => {
  it.each([
    ['tool.server == "s" && tool.name == "drop_all"', {}, true],
    ['tool.risk == "destructive"', {}, true],
    ['tool.risk == "read"', { override: PRESETS.READ_ONLY_DEFAULT }, true],
    ['tool.title == "Drop everything"', { title: 'Drop everything' }, true],
    ['tool.title == "Claimed"', { claim: { title: 'Claimed' } }, true],
    ['tool.title == "drop_all"', {}, true],
    ['annotations.readOnly', { override: PRESETS.READ_ONLY_DEFAULT }, true],
    ['annotations.readOnly', {}, false],
    ['annotations.destructive', {}, true],
    ['annotations.destructive', { override: PRESETS.WRITE_ADDITIVE }, false],
    ['annotations.idempotent', { override: { idempotentHint: true } }, true],
    ['annotations.idempotent', { override: { idempotentHint: false } }, false],
    ['annotations.openWorld', { override: PRESETS.READ_ONLY_OPEN_WORLD }, true],
    ['annotations.openWorld', { override: PRESETS.READ_ONLY_DEFAULT }, false],
  ])('%s, for %j: %s', (when, options, isTrue) => {
    expect(holdsFor(when, options, CALLER)).toBe(isTrue);
    // A caller in the condition makes it depend on the call.
    expect(holdsFor(`${when} && caller.client != ""`, options, CALLER)).toBe(isTrue);
  });
});

describe('a condition on the caller', () => {
  it.each([
    ['caller.name == "ann"', ANN, true],
    ['caller.name == ""', CALLER, true],
    ['"admin" in caller.roles', ANN, true],
    ['caller.roles == []', CALLER, true],
    ['caller.client == "cursor"', CALLER, true],
    ['caller.client == "other"', CALLER, false],
  ])('%s, for %j: %s', (when, caller, isTrue) => {
    expect(holdsFor(when, {}, caller)).toBe(isTrue);
  });
});

describe('a condition on the arguments', () => {
  const target = plainTarget('s:drop_all');
  const sized = (length: number) => ({
    params: JSON.stringify({ arguments: { a: 'x'.repeat(length) } }),
  });

  it('reads a call without arguments as one with none', () => {
    const policy = policyWhen('!has(args.a)');
    expect(policy.judge(target, CALLER).rule).toBe('policy.rules[0] (held)');
    expect(policy.judge(target, CALLER, { params: '{}' }).decision).toBe('deny');
    expect(policy.judge(target, CALLER, sized(1)).decision).toBe('confirm');
  });

  it('that does not hold leaves the decision to the next rule', () => {
    const rules = [
      { when: 'args.a == "y"', decision: 'deny' },
      { when: 'args.a == "x"', decision: 'allow', reason: 'second' },
      { decision: 'dry-run' },
    ];
    const policy = createPolicy(policySettings({ rules }));
    expect(policy.judge(target, CALLER, sized(1)).rule).toBe('policy.rules[1] (second)');
    expect(policy.judge(target, CALLER, sized(2)).rule).toBe('policy.rules[2] (dry-run)');
  });

  it('with a loop limits the arguments for all rules about the tool', () => {
    const loop = { match: 's:*', when: 'args.a.all(x, x == 1)', decision: 'deny' };
    const plain = { when: 'args.a == "y"', decision: 'deny' };
    const decided = (...rules: object[]) =>
      createPolicy(policySettings({ rules })).judge(target, CALLER, sized(20_000));
    expect(decided(plain).decision).toBe('confirm');
    expect(decided(plain, loop).rule).toContain('a rule reads at most 16384');
    expect(decided(plain, { ...loop, match: 'other:*' }).decision).toBe('confirm');
  });

  it('keeps a rule about the caller apart: it needs no clear arguments', () => {
    const rules = [
      { when: 'caller.name == "ann"', decision: 'allow', reason: 'first' },
      { when: 'args.a == 1', decision: 'allow' },
    ];
    const policy = createPolicy(policySettings({ rules }));
    const unclear = { params: '{"arguments":{"a":1,"a":2}}' };
    expect(policy.judge(target, ANN, unclear).rule).toBe('policy.rules[0] (first)');
    expect(policy.judge(target, CALLER, unclear).decision).toBe('deny');
  });
});

describe('the variables that a decision depends on', () => {
  it.each([
    ['tool.risk == "read"', []],
    ['caller.name == "ann"', ['caller']],
    ['args.a == caller.name && tool.name == ""', ['tool', 'caller', 'args']],
  ])('under %s are %j', (when, reads) => {
    expect([...policyWhen(when).reads(plainTarget('s:a'))]).toEqual(reads);
    expect([...policyWhen(when).reads(plainTarget('s:a', { kind: 'prompt' }))]).toEqual([]);
  });
});

describe('whether a call may need a confirmation', () => {
  it.each([
    ['by label', { destructive: 'confirm' }, true],
    ['by no decision', { destructive: 'allow' }, false],
    [
      'by a rule about some calls',
      { destructive: 'deny', rules: [{ when: 'has(args.a)', decision: 'confirm' }] },
      true,
    ],
    [
      'by the label, after a rule about some calls',
      { rules: [{ when: 'has(args.a)', decision: 'allow' }] },
      true,
    ],
    [
      'by a rule that comes too late',
      { rules: [{ decision: 'allow' }, { decision: 'confirm' }] },
      false,
    ],
    [
      'by a rule in a dry run',
      { dryRun: true, rules: [{ when: 'has(args.a)', decision: 'confirm' }] },
      false,
    ],
  ])('%s', (_, written, mayConfirm) => {
    expect(createPolicy(policySettings(written)).mayConfirm(plainTarget('s:a'))).toBe(mayConfirm);
  });
});
