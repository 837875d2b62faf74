import { parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';

import { createProblemLog } from '@callsign/config';
import { logRoleProblems } from './role-problems.js';

function problemsOf(text: string): string[] {
  const log = createProblemLog('f.json', text);
  logRoleProblems(parseTree(text)!, log);
  return log.problems().map(({ path, message, advice }) => `${path}: ${message} → ${advice}`);
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
