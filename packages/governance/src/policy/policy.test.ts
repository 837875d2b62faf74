import { PRESETS } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { createPolicy, type Policy } from './policy.js';
import { plainTarget as target, policySettings } from './testing/plain-call.js';

const READ = { override: PRESETS.READ_ONLY_DEFAULT };
const WRITE = { override: PRESETS.WRITE_ADDITIVE };
const CALLER = { client: { name: 'cursor', version: '1' } };
const bringing = (args: object) => ({ params: JSON.stringify({ arguments: args }) });

const policyOf = (written: object, options = {}): Policy =>
  createPolicy(policySettings(written), options);

describe('a policy by label', () => {
  it('decides by the risk', () => {
    const policy = policyOf({ read: 'allow', write: 'confirm', destructive: 'deny' });
    expect(policy.judge(target('s:a', READ), CALLER).decision).toBe('allow');
    expect(policy.judge(target('s:a', WRITE), CALLER).decision).toBe('confirm');
    expect(policy.judge(target('s:a'), CALLER)).toEqual({
      decision: 'deny',
      rule: 'policy.destructive is "deny"',
    });
  });

  it.each([
    ['allow', 'confirm', 'confirm', 'policy.openWorld is "confirm"'],
    ['deny', 'confirm', 'deny', 'policy.read is "deny"'],
    ['confirm', 'allow', 'confirm', 'policy.read is "confirm"'],
    ['confirm', 'confirm', 'confirm', 'policy.read is "confirm"'],
    ['confirm', 'dry-run', 'dry-run', 'policy.openWorld is "dry-run"'],
  ])('under read %s and openWorld %s takes the stricter one', (read, openWorld, decision, rule) => {
    const policy = policyOf({ read, openWorld });
    const open = target('s:a', { override: PRESETS.READ_ONLY_OPEN_WORLD });
    expect(policy.judge(open, CALLER)).toEqual({ decision, rule });
    expect(policy.judge(target('s:a', READ), CALLER).decision).toBe(read);
  });

  it('can be stricter with a contradicted tool', () => {
    // Its name says update, so it does not only read. Whether it overwrites is its own claim.
    const claim = { readOnlyHint: true, destructiveHint: false };
    const contradicted = target('s:update_issue', { claim });
    expect([contradicted.risk, contradicted.contradiction?.hint]).toEqual([
      'write',
      'readOnlyHint',
    ]);
    const judged = (written: object) => policyOf(written).judge(contradicted, CALLER);
    expect(judged({}).decision).toBe('allow');
    expect(judged({ contradiction: 'confirm' })).toEqual({
      decision: 'confirm',
      rule: 'policy.contradiction is "confirm"',
    });
    expect(judged({ write: 'deny', contradiction: 'confirm' }).decision).toBe('deny');
    const honest = target('s:update_issue', { claim: { ...claim, readOnlyHint: false } });
    expect(policyOf({ contradiction: 'confirm' }).judge(honest, CALLER).decision).toBe('allow');
  });

  it('believes no claim that is contradicted or not trusted', () => {
    const policy = policyOf({ destructive: 'deny' });
    const lie = { claim: { readOnlyHint: true, destructiveHint: false, openWorldHint: false } };
    expect(policy.judge(target('s:delete_all', lie), CALLER).decision).toBe('deny');
    const unknown = target('s:thing', { ...lie, trust: 'none' });
    expect(policy.judge(unknown, CALLER).decision).toBe('deny');
    const believed = target('s:delete_all', { ...lie, trust: 'full' });
    expect(policy.judge(believed, CALLER).decision).toBe('allow');
  });

  it('applies to tools only', () => {
    const policy = policyOf({ read: 'deny', openWorld: 'deny' }, { readOnly: true });
    expect(policy.judge(target('s:a', { kind: 'prompt' }), CALLER).decision).toBe('allow');
  });

  it('V1: applies to prompts and resources in methods of unknown extensions', () => {
    const prompt = target('s:a', { kind: 'prompt' });
    const policy = policyOf({ destructive: 'deny' });
    expect(policy.judge({ ...prompt, risk: 'destructive' }, CALLER).decision).toBe('deny');
    expect(
      policyOf({}, { readOnly: true }).judge({ ...prompt, risk: 'destructive' }, CALLER),
    ).toEqual({
      decision: 'deny',
      rule: 'the gateway was started with --read-only',
    });
  });
});

describe('rules', () => {
  const policy = policyOf({
    rules: [
      { match: 'github:get_*', decision: 'allow' },
      { match: 'github:*', when: 'has(args.force) && args.force', decision: 'deny' },
      { when: '"admin" in caller.roles', decision: 'allow', reason: 'Admins may.' },
      { when: 'tool.title == "Wipe"', decision: 'deny' },
      { match: 'github:*', decision: 'dry-run' },
    ],
  });
  const ADMIN = { ...CALLER, principal: { name: 'ann', roles: ['admin'] } };

  it('decide in order, and the first match gives the reason', () => {
    const repo = target('github:delete_repo');
    expect(policy.judge(target('github:get_x'), CALLER)).toEqual({
      decision: 'allow',
      rule: 'policy.rules[0] (allow github:get_*)',
    });
    expect(policy.judge(repo, ADMIN, bringing({ force: true }))).toEqual({
      decision: 'deny',
      rule: 'policy.rules[1] (deny github:* when has(args.force) && args.force)',
    });
    expect(policy.judge(repo, ADMIN, bringing({}))).toEqual({
      decision: 'allow',
      rule: 'policy.rules[2] (Admins may.)',
    });
    expect(policy.judge(repo, CALLER, bringing({}))).toEqual({
      decision: 'dry-run',
      rule: 'policy.rules[4] (dry-run github:*)',
    });
    expect(policy.judge(target('disk:wipe', { title: 'Wipe' }), CALLER).decision).toBe('deny');
    expect(policy.judge(target('disk:trim'), CALLER).rule).toBe('policy.destructive is "confirm"');
  });

  it('that cannot be evaluated deny the call, with any action', () => {
    const shaky = policyOf({ rules: [{ when: 'args.path == "/tmp"', decision: 'allow' }] });
    expect(shaky.judge(target('s:a', READ), CALLER, bringing({}))).toEqual({
      decision: 'deny',
      rule: 'policy.rules[0] (allow when args.path == "/tmp") could not be evaluated: a key that it reads is missing; check has(…) first',
    });
  });

  it('that cannot be evaluated for a tool deny it too', () => {
    const shaky = policyOf({ rules: [{ when: 'int(tool.name) > 1', decision: 'allow' }] });
    expect(shaky.standing(target('s:a', READ))?.decision).toBe('deny');
    expect(shaky.standing(target('s:2'))?.decision).toBe('allow');
  });

  it.each([
    ['a key twice', '{"arguments":{"path":"/etc","path":"/tmp"}}', 'one key occurs twice'],
    [
      'two sets',
      '{"arguments":{"path":"/etc"},"arguments":{"path":"/tmp"}}',
      'the request has "arguments" twice',
    ],
    ['text', '{"arguments":"/tmp"}', 'they are not an object'],
    ['too much', `{"arguments":{"path":"${'x'.repeat(2 ** 20)}"}}`, 'they have 1048587 characters'],
    ['no JSON', '{"arguments":{"path"', 'they cannot be read'],
  ])('do not guess which arguments the server reads: %s', (_, params, why) => {
    const rule = { when: 'args.path == "/tmp"', decision: 'allow' };
    const verdict = policyOf({ rules: [rule] }).judge(target('s:a', READ), CALLER, { params });
    expect(verdict.decision).toBe('deny');
    expect(verdict.rule).toContain(`could not be evaluated: the arguments are not clear: ${why}`);
  });

  it('read no arguments if no rule is about the tool', () => {
    const call = {
      get params(): string {
        throw new Error('was read');
      },
    };
    expect(policy.judge(target('github:get_x'), CALLER, call).decision).toBe('allow');
    expect(() => policy.judge(target('github:delete'), CALLER, call)).toThrow('was read');
  });

  it('that were not checked before are refused', () => {
    const settings = { ...policySettings(), rules: [{ when: '1 +', decision: 'deny' as const }] };
    expect(() => createPolicy(settings)).toThrow('Unexpected token');
  });
});

describe('the decision for a tool', () => {
  it.each([
    [{ destructive: 'deny' }, 'deny'],
    [{ destructive: 'allow' }, 'allow'],
    [{ rules: [{ match: 's:*', decision: 'deny' }] }, 'deny'],
    [{ rules: [{ when: 'tool.risk == "destructive"', decision: 'deny' }] }, 'deny'],
    // Whether it is denied depends on the call.
    [{ rules: [{ when: 'has(args.a)', decision: 'deny' }] }, undefined],
    [{ destructive: 'deny', rules: [{ when: 'has(args.a)', decision: 'allow' }] }, undefined],
    [
      { destructive: 'deny', rules: [{ when: 'caller.name == "a"', decision: 'allow' }] },
      undefined,
    ],
    // It is denied in both cases.
    [{ destructive: 'deny', rules: [{ when: 'has(args.a)', decision: 'deny' }] }, 'deny'],
  ])('under %o is %s', (written, decision) => {
    expect(policyOf(written).standing(target('s:a'))?.decision).toBe(decision);
  });

  it('is computed once', () => {
    const policy = policyOf({});
    const tool = target('s:a', READ);
    expect(policy.judge(tool, CALLER)).toBe(policy.judge(tool, CALLER));
    expect(policy.standing(tool)).toBe(policy.judge(tool, CALLER));
  });
});

describe('a dry run', () => {
  it('describes writes, confirmed or not, and nothing else', () => {
    const policy = policyOf({ dryRun: true, rules: [{ match: 's:no', decision: 'deny' }] });
    const verdict = { decision: 'dry-run', rule: 'policy.dryRun is true' };
    expect(policy.judge(target('s:a'), CALLER)).toEqual(verdict);
    expect(policy.judge(target('s:a', WRITE), CALLER)).toEqual(verdict);
    expect(policy.judge(target('s:a', READ), CALLER).decision).toBe('allow');
    expect(policy.judge(target('s:no'), CALLER).decision).toBe('deny');
  });

  it('applies to calls that a rule allows by their arguments', () => {
    const rules = [{ when: 'has(args.a)', decision: 'allow' }];
    const policy = policyOf({ dryRun: true, rules });
    expect(policy.judge(target('s:a'), CALLER, bringing({ a: 1 })).decision).toBe('dry-run');
  });
});

describe('a read-only gateway', () => {
  it('denies every write, even if a rule allows it', () => {
    const rules = [{ match: '*', decision: 'allow' }];
    const policy = policyOf({ rules }, { readOnly: true });
    expect(policy.standing(target('s:a'))).toEqual({
      decision: 'deny',
      rule: 'the gateway was started with --read-only',
    });
    expect(policy.standing(target('s:a', WRITE))?.decision).toBe('deny');
    expect(policy.standing(target('s:a', READ))?.rule).toBe('policy.rules[0] (allow *)');
  });
});
