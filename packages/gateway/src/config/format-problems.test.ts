import { describe, expect, it } from 'vitest';

import { formatProblems } from '@callsign/config';
import type { Problem } from '@callsign/config';
import { problemsOf } from './testing/problems-of.js';

const PROBLEM: Problem = {
  code: 'wrong-type',
  file: 'callsign.json',
  line: 12,
  column: 7,
  path: 'mcpServers.github.command',
  message: 'must be a string',
  advice: 'write "command": "npx"',
};

describe('problems', () => {
  it('are printed with their place, and what to do below', () => {
    expect(formatProblems([PROBLEM, { ...PROBLEM, line: 13 }])).toBe(
      'callsign.json:12:7  mcpServers.github.command  must be a string\n' +
        '    → write "command": "npx"\n' +
        'callsign.json:13:7  mcpServers.github.command  must be a string\n' +
        '    → write "command": "npx"',
    );
  });

  it('of the file itself have no line', () => {
    const problem = { ...PROBLEM, line: 0, column: 0, path: '', message: 'does not exist' };
    expect(formatProblems([problem])).toBe(
      'callsign.json  does not exist\n    → write "command": "npx"',
    );
  });

  it('are an empty text if there are none', () => {
    expect(formatProblems([])).toBe('');
  });

  it('show control characters instead of sending them to the terminal', () => {
    const problems = problemsOf(
      '{"mcpServers": {"\\u001b[31mred": {}}, "callsign": {"pattern": "{\\u0007}"}}',
    );
    const printed = formatProblems(problems);
    expect(printed).toContain('\\u001b[31mred');
    // oxlint-disable-next-line no-control-regex
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
