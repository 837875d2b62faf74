import { parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';

import { createProblemLog, type ProblemLog } from '@callsign/config';
import { logRoleProblems } from './role-problems.js';

function logOf(text: string): ProblemLog {
  const log = createProblemLog('f.json', text);
  logRoleProblems(parseTree(text)!, log);
  return log;
}

const problemsOf = (text: string): string[] => sentences(logOf(text).problems());
const warningsOf = (text: string): string[] => sentences(logOf(text).warnings());

function sentences(problems: ReturnType<ProblemLog['problems']>): string[] {
  return problems.map(({ path, message, advice }) => `${path}: ${message} → ${advice}`);
}

describe('an assigned role', () => {
  it.each([
    [
      '{"roles": {"reader": {}}, "access": {"anonymous": ["raeder"]}}',
      'access.anonymous[0]: is not a role in this file → did you mean "reader"?',
    ],
    [
      '{"roles": {"reader": {}}, "access": {"anonymous": ["reader", "x"]}}',
      'access.anonymous[1]: is not a role in this file → roles: reader',
    ],
    [
      '{"access": {"anonymous": ["reader"]}}',
      'access.anonymous[0]: is not a role in this file → define it in "roles"',
    ],
  ])('must be defined: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('may be a defined one, and wrong types are reported elsewhere', () => {
    expect(problemsOf('{"roles": {"r": {}}, "access": {"anonymous": ["r"]}}')).toEqual([]);
    expect(problemsOf('{"roles": 1, "access": {"anonymous": [1]}}')).toEqual([]);
    expect(problemsOf('{"access": []}')).toEqual([]);
  });
});

describe('a role that limits no one, since there are no "roles",', () => {
  it.each([
    ['{"keys": [{"name": "a"}, {"roles": ["r"]}, {"roles": ["s"]}]}', 'keys[1].roles'],
    ['{"signIn": {"operator": {"roles": ["r"]}}}', 'signIn.operator.roles'],
    ['{"tokens": {"rolesClaim": "groups"}}', 'tokens.rolesClaim'],
    ['{"signIn": {"oidc": {"rolesClaim": "groups"}}}', 'signIn.oidc.rolesClaim'],
  ])('gets one warning: %s', (auth, place) => {
    expect(warningsOf(`{"auth": ${auth}}`)).toEqual([
      `auth.${place}: limits no one: without "roles", every caller may use every tool → define "roles"; see docs/policy.md`,
    ]);
    expect(warningsOf(`{"auth": ${auth}, "roles": {}}`)).toEqual([]);
    expect(problemsOf(`{"auth": ${auth}}`)).toEqual([]);
  });

  it('must be there: keys without roles get no warning', () => {
    expect(warningsOf('{"auth": {"keys": [{"name": "a"}, {"roles": []}]}}')).toEqual([]);
    expect(warningsOf('{"auth": {"keys": [1], "signIn": []}}')).toEqual([]);
  });
});

describe('a risk that a role allows', () => {
  const withRole = (role: string, rest = '') => warningsOf(`{"roles": {"r": ${role}}${rest}}`);

  it.each(['read', 'write'])('%s: leaves no tool if no tool is annotated', (risk) => {
    expect(withRole(`{"allow": ["*"], "maxRisk": "${risk}"}`, ', "annotations": {}')).toEqual([
      'roles.r.maxRisk: allows no tool of a server: it counts only "annotations" of this file, and there are none → state hints of tools in "annotations", or remove "maxRisk"',
    ]);
  });

  it('leaves tools if it is destructive, missing, or a tool is annotated', () => {
    expect(withRole('{"allow": ["*"], "maxRisk": "destructive"}')).toEqual([]);
    expect(withRole('{"allow": ["*"]}')).toEqual([]);
    const annotated = ', "annotations": {"a:get_*": {"readOnlyHint": true}}';
    expect(withRole('{"allow": ["*"], "maxRisk": "read"}', annotated)).toEqual([]);
  });
});
