import { parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';

import { createProblemLog } from '@callsign/config';
import { checkValue } from '@callsign/config';
import { policyFrom, POLICY_SETTINGS, WRITTEN_POLICY } from './policy-settings.js';

/** The problems of a section, one short line each. */
function problemsOf(text: string): string[] {
  const log = createProblemLog('f.json', text);
  const node = parseTree(text)!;
  checkValue(WRITTEN_POLICY, JSON.parse(text), node, log);
  return log
    .problems()
    .map(
      ({ line, column, path, message, advice }) =>
        `${line}:${column} ${path}: ${message} → ${advice}`,
    );
}

describe('the section "policy"', () => {
  it('asks before calls that may delete or overwrite, by default', () => {
    expect(POLICY_SETTINGS.parse({})).toMatchObject({
      read: 'allow',
      write: 'allow',
      destructive: 'confirm',
    });
  });

  it('has a named preset', () => {
    expect(policyFrom(WRITTEN_POLICY.parse('careful'))).toEqual({
      ...POLICY_SETTINGS.parse({}),
      read: 'allow',
      write: 'allow',
      destructive: 'confirm',
      contradiction: 'confirm',
    });
  });

  it.each([
    ['"carefull"', '1:1 : must be "careful" or an object → write "careful"'],
    [
      '{"write": "ask"}',
      '1:11 write: is not one of the known words → write "allow", "confirm", "dry-run", or "deny"',
    ],
    [
      '{"destuctive": "deny"}',
      '1:2 destuctive: is not a known setting → did you mean "destructive"?',
    ],
    [
      '{"rules": [{"match": "a:*"}]}',
      '1:12 rules[0].decision: is missing → write "allow", "confirm", "dry-run", or "deny"',
    ],
    [
      '{"rules": [\n  {"when": "arg.x == 1", "decision": "deny"}]}',
      '2:12 rules[0].when: is not a valid expression: Unknown variable: arg at character 1 → write CEL over tool, args, caller and annotations; see docs/policy.md',
    ],
    [
      '{"rules": [{"when": "args.x.matches(\'a\')", "decision": "deny"}]}',
      '1:21 rules[0].when: uses matches(): some arguments can make a regular expression run forever → use glob("/etc/*"), startsWith(), endsWith() or contains()',
    ],
    [
      '{"confirm": {"timeoutMs": 0}}',
      '1:27 confirm.timeoutMs: must be at least 1 → write "timeoutMs": 120000',
    ],
  ])('%s is reported with its place and a fix', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});
