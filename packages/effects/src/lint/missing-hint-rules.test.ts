import { describe, expect, it } from 'vitest';

import { lintAnnotations } from './lint-annotations.js';
import { shows } from '../../../../test/requirements/shows.js';
import { PRESETS } from '../hints/presets.js';
import {
  destructiveMissing,
  idempotentMissing,
  openWorldMissing,
  readOnlyMissing,
} from './missing-hint-rules.js';

const RULES = [readOnlyMissing, destructiveMissing, idempotentMissing, openWorldMissing];

/** The findings for a tool with these annotations, as `rule severity`. */
function asked(annotations: unknown): string[] {
  return RULES.flatMap((rule) =>
    rule
      .check([{ name: 'tool', annotations }])
      .map(({ severity }) => `${rule.id} ${severity ?? rule.severity}`),
  );
}

describe('a hint that is missing', () => {
  it('is asked for, each of the four by its own rule', () => {
    expect(asked(undefined)).toEqual([
      'hint-read-only-missing warning',
      'hint-destructive-missing warning',
      'hint-idempotent-missing info',
      'hint-open-world-missing warning',
    ]);
    expect(asked({})).toEqual(asked(undefined));
  });

  it(
    'is named with its default: a write without destructiveHint counts as destructive',
    shows('ANN-11', () => {
      const annotations = { readOnlyHint: false, idempotentHint: false, openWorldHint: false };
      expect(destructiveMissing.check([{ name: 'add_row', annotations }])).toMatchObject([
        {
          tool: 'add_row',
          severity: 'warning',
          message: 'Does not state destructiveHint, which then counts as true.',
        },
      ]);
    }),
  );

  it('has a low severity for a read-only tool where read-only implies it', () => {
    expect(asked({ readOnlyHint: true })).toEqual([
      'hint-destructive-missing info',
      'hint-open-world-missing warning',
    ]);
  });

  it('is not asked for where destructiveHint: true already says it (S22)', () => {
    const deletes = { destructiveHint: true, idempotentHint: false, openWorldHint: false };
    expect(asked(deletes)).toEqual([]);
  });

  it('is not missing when it is stated badly', () => {
    expect(asked({ ...PRESETS.WRITE_ADDITIVE, destructiveHint: 'no' })).toEqual([]);
  });

  it('is missing from annotations that are not an object', () => {
    expect(asked(null)).toEqual(asked(undefined));
    expect(asked([true])).toEqual(asked(undefined));
  });

  it.each(Object.entries(PRESETS))('is never found in %s', (_, preset) => {
    expect(asked(preset)).toEqual([]);
  });
});

it('says who reads each hint', () => {
  const findings = lintAnnotations([{ name: 'a' }]).filter(({ rule }) => rule.startsWith('hint-'));
  const readers = findings.map(({ rule, clients, audiences }) => [rule, clients, audiences]);
  expect(readers).toEqual([
    ['hint-destructive-missing', undefined, ['Anthropic directory', 'OpenAI app review']],
    ['hint-idempotent-missing', undefined, ['Callsign', 'adk-rust']],
    ['hint-open-world-missing', undefined, ['OpenAI app review']],
    [
      'hint-read-only-missing',
      ['claude-code', 'codex', 'cursor', 'vscode'],
      ['Anthropic directory'],
    ],
  ]);
});
