/** The examples of docs/policy.md are configurations, and do what the page says. */

import { readFileSync } from 'node:fs';

import type { Principal, Target } from '@callsign/core';
import { labelTool, PRESETS, type StatedHints } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { ACCESS, ROLES } from '../roles/roles-settings.js';
import { createRoles } from '../roles/roles.js';
import { compileExpression } from './expression.js';
import { DECISIONS, policyFrom, POLICY_SETTINGS } from './policy-settings.js';
import { createPolicy } from './policy.js';

const page = readFileSync(new URL('../../../../docs/policy.md', import.meta.url), 'utf8');

interface Example {
  readonly mcpServers: object;
  readonly callsign: {
    readonly policy?: object;
    readonly roles?: object;
    readonly access?: object;
  };
}

const examples = Array.from(
  page.matchAll(/```json\n([^]*?)```/g),
  ([, text = '']) => JSON.parse(text) as Example,
);

function target(canonical: string, override: StatedHints = {}): Target {
  const [server = '', tool = ''] = canonical.split(':');
  // Where the page speaks of a tool without a label, an unknown tool is tested.
  const label = labelTool({ name: 'thing', override });
  const item = { name: tool, json: JSON.stringify({ name: tool }) };
  const ref = { server, tool };
  return { kind: 'tool', ref, canonical, displayName: server, item, ...label };
}

/** The decision of the n-th example. */
function decision(n: number, tool: Target, args: object = {}, principal?: Principal): string {
  const policy = createPolicy(POLICY_SETTINGS.parse(examples[n]!.callsign.policy));
  const caller = { client: { name: 'c', version: '1' }, principal };
  return policy.judge(tool, caller, { params: JSON.stringify({ arguments: args }) }).decision;
}

const ADMIN = { name: 'ann', roles: ['admin'] };
const { READ_ONLY_DEFAULT, WRITE_ADDITIVE, WRITE_DESTRUCTIVE, WRITE_DESTRUCTIVE_OPEN_WORLD } =
  PRESETS;

describe('docs/policy.md', () => {
  it('has six examples', () => {
    expect(examples.length).toBe(6);
  });

  it('shows the defaults first, and how to deny one tool', () => {
    const { rules, ...risks } = POLICY_SETTINGS.parse(examples[0]!.callsign.policy);
    expect({ rules: [], ...risks }).toEqual(POLICY_SETTINGS.parse({ rules: [] }));
    expect(rules).toHaveLength(1);
    expect(decision(0, target('github:delete_repo', READ_ONLY_DEFAULT))).toBe('deny');
    expect(decision(0, target('github:get_issue', READ_ONLY_DEFAULT))).toBe('allow');
  });

  it('shows what to write for "careful" and calls that wait', () => {
    const written = POLICY_SETTINGS.parse(examples[1]!.callsign.policy);
    const { whenClientCannotAsk } = policyFrom('careful').confirm;
    expect(whenClientCannotAsk).not.toBe('wait');
    const confirm = { ...written.confirm, whenClientCannotAsk };
    expect(written.confirm.whenClientCannotAsk).toBe('wait');
    expect({ ...written, confirm }).toEqual(policyFrom('careful'));
  });

  it.each([
    ['github:get_issue', WRITE_DESTRUCTIVE_OPEN_WORLD, {}, undefined, 'allow'],
    ['github:delete_repo', WRITE_DESTRUCTIVE, {}, ADMIN, 'deny'],
    ['files:write_file', WRITE_ADDITIVE, { path: '/etc/passwd' }, ADMIN, 'confirm'],
    ['files:write_file', WRITE_ADDITIVE, { path: '/home/ann/work/a' }, ADMIN, 'allow'],
    ['github:send', WRITE_DESTRUCTIVE_OPEN_WORLD, {}, ADMIN, 'allow'],
    ['github:send', WRITE_DESTRUCTIVE_OPEN_WORLD, {}, undefined, 'dry-run'],
    ['files:remove', WRITE_DESTRUCTIVE, {}, undefined, 'confirm'],
    ['files:list', READ_ONLY_DEFAULT, {}, undefined, 'allow'],
    ['web:fetch', PRESETS.READ_ONLY_OPEN_WORLD, {}, undefined, 'confirm'],
  ] as const)('decides on %s', (name, hints, args, principal, expected) => {
    expect(decision(2, target(name, hints), args, principal)).toBe(expected);
  });

  it('lets calls wait for the operator', () => {
    expect(POLICY_SETTINGS.parse(examples[3]!.callsign.policy)).toMatchObject({
      confirm: { whenClientCannotAsk: 'wait', remember: 'tool' },
      redact: { keys: ['iban'], patterns: ['ACME-*'] },
    });
  });

  it('describes every write, and makes every read', () => {
    expect(decision(4, target('files:write_file'))).toBe('dry-run');
    expect(decision(4, target('files:write_file', WRITE_ADDITIVE))).toBe('dry-run');
    expect(decision(4, target('files:read_file', READ_ONLY_DEFAULT))).toBe('allow');
  });

  it('gives roles', () => {
    const { roles, access } = examples[5]!.callsign;
    const { sees } = createRoles({ roles: ROLES.parse(roles), access: ACCESS.parse(access) })!;
    const read = target('github:get_issue', PRESETS.READ_ONLY_OPEN_WORLD);
    expect(sees(undefined, read)).toBe(true);
    expect(sees(undefined, target('github:create_issue'))).toBe(false);
    expect(sees(undefined, target('hr:get', READ_ONLY_DEFAULT))).toBe(false);
    expect(sees({ name: 'a', roles: ['operator'] }, target('hr:fire'))).toBe(true);
    expect(sees({ name: 'a', roles: ['operator', 'reader'] }, target('hr:fire'))).toBe(false);
  });

  it('names the decisions in their order', () => {
    const order = DECISIONS.map((word) => `\`${word}\``).join(', ');
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`From mild to strict: ${order}.`);
  });

  it('lists exactly the variables of a condition', () => {
    for (const text of ['startsWith("a")', 'endsWith("a")', 'contains("a")', 'glob("/etc/*")']) {
      expect(compileExpression(`args.a.${text}`).ok).toBe(true);
    }
    for (const loop of ['exists', 'all']) {
      expect(compileExpression(`args.a.${loop}(x, x == 1)`).ok).toBe(true);
    }
    expect(compileExpression('size(args.a.filter(x, x == 1).map(x, x)) > 0').ok).toBe(true);
    expect(compileExpression('args.a.matches("a")').ok).toBe(false);
  });
});
