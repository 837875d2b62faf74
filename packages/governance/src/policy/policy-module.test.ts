import type { ModuleContext, Parts, Target } from '@callsign/core';
import { REPLIES } from '@callsign/core/testing';
import { PRESETS } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { HandClock } from '../../../../test/testing/hand-clock.js';
import { policyModule } from './policy-module.js';
import type { PolicySettings } from './policy-settings.js';
import type { PolicyOptions } from './policy.js';
import { plainCall, plainCaller, plainTarget, policySettings } from './testing/plain-call.js';

function partsOf(policy: object | undefined, options: PolicyOptions = {}): Parts | undefined {
  const context: ModuleContext<PolicySettings | undefined> = {
    settings: policy && policySettings(policy),
    servers: [],
    clock: new HandClock(),
    log: () => undefined,
    refresh: () => undefined,
    ...REPLIES,
  };
  return policyModule(options).create(context) ?? undefined;
}

const READ = plainTarget('s:get', { override: PRESETS.READ_ONLY_DEFAULT });
const WRITE = plainTarget('s:put', { override: PRESETS.WRITE_ADDITIVE });
const DESTRUCTIVE = plainTarget('s:drop', { override: PRESETS.WRITE_DESTRUCTIVE });
const SEARCH: Target = { ...READ, isView: true };

describe('the policy as a module', () => {
  it('is not in the path of calls if no policy is configured', () => {
    expect(partsOf(undefined)).toBeUndefined();
    expect(policyModule({}).name).toBe('policy');
  });

  it('with --read-only is in the path without a policy: it denies all but reads', () => {
    const parts = partsOf(undefined, { readOnly: true })!;
    expect(parts.denies!(READ)).toBeUndefined();
    for (const target of [WRITE, DESTRUCTIVE]) {
      expect(parts.denies!(target)).toBe('the gateway was started with --read-only');
    }
    expect(parts.mayWait).toBeUndefined();
  });

  it('with --read-only keeps the configured policy for reads', () => {
    const parts = partsOf({ read: 'deny' }, { readOnly: true })!;
    expect(parts.denies!(READ)).toBe('policy.read is "deny"');
  });

  it('lists no tool whose calls are all denied', () => {
    const rules = [{ match: 's:put', when: 'args.a == 1', decision: 'deny' }];
    const parts = partsOf({ write: 'allow', destructive: 'deny', rules })!;
    expect(parts.denies!(DESTRUCTIVE)).toBe('policy.destructive is "deny"');
    expect(parts.denies!(WRITE)).toBeUndefined();
    expect(parts.denies!(READ)).toBeUndefined();
  });

  it('answers a dry run itself, and nothing else', () => {
    const policy = { destructive: 'dry-run', redact: { keys: ['iban'], patterns: [] } };
    const call = plainCall(plainCaller('session'), 'thing', { arguments: { iban: 'DE12' } });
    const decision = partsOf(policy)!.decide!(call);
    expect(decision).toMatchObject({
      decision: 'dry-run',
      rule: 'policy.destructive is "dry-run"',
    });
    const { answer } = decision as { answer: () => { json: string } };
    expect(answer().json).toContain('s:thing was not called');
    expect(answer().json).not.toContain('DE12');
    expect(partsOf({ destructive: 'deny' })!.decide!(call)).toEqual({
      decision: 'deny',
      rule: 'policy.destructive is "deny"',
    });
  });
});

describe('calls that may wait for the operator', () => {
  const waiting = (policy: object): string[] => {
    const { mayWait } = partsOf(policy)!;
    if (mayWait === undefined) return ['none'];
    const tools = { read: READ, write: WRITE, destructive: DESTRUCTIVE, search: SEARCH };
    return Object.entries(tools).flatMap(([name, target]) => (mayWait(target) ? name : []));
  };

  it.each([
    ['the default', {}, ['destructive', 'search']],
    ['a decision for reads', { destructive: 'allow', read: 'confirm' }, ['read', 'search']],
    ['a decision for writes', { destructive: 'deny', write: 'confirm' }, ['write', 'search']],
    [
      'openWorld, which no tool here is',
      { destructive: 'allow', openWorld: 'confirm' },
      ['search'],
    ],
    ['contradiction', { destructive: 'allow', contradiction: 'confirm' }, ['search']],
    [
      'a rule',
      { destructive: 'allow', rules: [{ match: 's:put', decision: 'confirm' }] },
      ['write', 'search'],
    ],
    [
      'a rule about some calls',
      { destructive: 'allow', rules: [{ when: 'args.a == 1', decision: 'confirm' }] },
      ['read', 'write', 'destructive', 'search'],
    ],
    ['no decision at all', { destructive: 'allow' }, ['none']],
    ['no call, since none is made', { dryRun: true }, ['none']],
    ['no call, since none may', { confirm: { whenClientCannotAsk: 'refuse' } }, ['none']],
    ['any client', { confirm: { whenClientCannotAsk: 'wait' } }, ['destructive', 'search']],
  ])('follow from %s', (_, policy, expected) => {
    expect(waiting(policy)).toEqual(expected);
  });
});
