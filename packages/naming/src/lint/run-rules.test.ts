import { describe, expect, it } from 'vitest';

import type { Rule } from './rule.js';
import { runRules } from './run-rules.js';

const long: Rule<readonly string[]> = {
  id: 'long',
  severity: 'warning',
  summary: 'A long name.',
  why: 'It is cut.',
  who: { clients: ['cursor'], audiences: ['directory'] },
  check: (names) =>
    names
      .filter(({ length }) => length > 3)
      .map((tool) => ({ tool, message: `Has ${tool.length} characters.`, fix: 'Shorten it.' })),
};

const capital: Rule<readonly string[]> = {
  id: 'capital',
  severity: 'error',
  summary: 'A capital letter.',
  why: 'It is folded.',
  *check(names) {
    for (const tool of names) {
      if (/^[A-Z]/.test(tool)) yield { tool, message: 'First.', fix: '', clients: ['zed'] };
      if (/.[A-Z]/.test(tool)) yield { tool, message: 'Later.', fix: '', severity: 'info' };
    }
  },
};

describe('the lint engine', () => {
  it('adds the id, the severity and the readers of the rule to each flaw', () => {
    expect(runRules([long], ['abcd', 'abc'])).toEqual([
      {
        rule: 'long',
        severity: 'warning',
        tool: 'abcd',
        message: 'Has 4 characters.',
        fix: 'Shorten it.',
        clients: ['cursor'],
        audiences: ['directory'],
      },
    ]);
  });

  it('keeps the severity and the readers of a flaw', () => {
    expect(runRules([capital], ['AbC'])).toEqual([
      {
        rule: 'capital',
        severity: 'error',
        tool: 'AbC',
        message: 'First.',
        fix: '',
        clients: ['zed'],
      },
      { rule: 'capital', severity: 'info', tool: 'AbC', message: 'Later.', fix: '' },
    ]);
  });

  it('sorts by tool, rule and message', () => {
    const findings = runRules([long, capital], ['bbbB', 'AAAA', 'aaaa']);
    expect(findings.map(({ tool, rule, message }) => `${tool} ${rule} ${message}`)).toEqual([
      'AAAA capital First.',
      'AAAA capital Later.',
      'AAAA long Has 4 characters.',
      'aaaa long Has 4 characters.',
      'bbbB capital Later.',
      'bbbB long Has 4 characters.',
    ]);
    expect(runRules([capital, long], ['aaaa', 'AAAA', 'bbbB'])).toEqual(findings);
  });
});
