import { describe, expect, it } from 'vitest';

import { PRESETS } from '../hints/presets.js';
import { hintContradiction, hintNotBoolean, hintSaysNothing } from './hint-rules.js';
import type { AnnotationRule } from './rule.js';

function messages(rule: AnnotationRule, annotations: unknown): string[] {
  return rule.check([{ name: 'tool', annotations }]).map(({ message }) => message);
}

describe('hint-not-boolean', () => {
  it('reports every hint that is not a boolean', () => {
    const annotations = {
      readOnlyHint: 'true',
      destructiveHint: 0,
      idempotentHint: null,
      openWorldHint: [],
    };
    expect(messages(hintNotBoolean, annotations)).toEqual([
      'The readOnlyHint is a string, not a boolean.',
      'The destructiveHint is a number, not a boolean.',
      'The idempotentHint is null, not a boolean.',
      'The openWorldHint is an array, not a boolean.',
    ]);
  });

  it.each([
    [null, 'null'],
    [['readOnlyHint'], 'an array'],
    ['readOnlyHint', 'a string'],
  ])('reports annotations that are %j', (annotations, kind) => {
    expect(messages(hintNotBoolean, annotations)).toEqual([
      `The annotations are ${kind}, not an object.`,
    ]);
  });

  it('accepts booleans, absent hints and unknown keys', () => {
    expect(messages(hintNotBoolean, undefined)).toEqual([]);
    expect(messages(hintNotBoolean, { readOnlyHint: false, secretHint: 'yes' })).toEqual([]);
  });
});

describe('hint-contradiction', () => {
  it('reports a tool that says both', () => {
    expect(messages(hintContradiction, { readOnlyHint: true, destructiveHint: true })).toEqual([
      'States both readOnlyHint: true and destructiveHint: true.',
    ]);
  });

  it('accepts a read-only tool that does not state the other', () => {
    expect(messages(hintContradiction, { readOnlyHint: true })).toEqual([]);
  });
});

describe('hint-says-nothing', () => {
  it('reports that a read-only tool calls itself not idempotent', () => {
    const annotations = { ...PRESETS.READ_ONLY_DEFAULT, idempotentHint: false };
    expect(messages(hintSaysNothing, annotations)).toEqual([
      'States idempotentHint: false, which means nothing for a read-only tool.',
    ]);
  });

  it('reports that a read-only tool calls itself idempotent and leaves other hints out', () => {
    expect(messages(hintSaysNothing, { readOnlyHint: true, idempotentHint: true })).toHaveLength(1);
  });

  it.each(Object.entries(PRESETS))('accepts %s, where all four are stated', (_, preset) => {
    expect(messages(hintSaysNothing, preset)).toEqual([]);
  });

  it('accepts a read-only tool that says it is not destructive, as directories ask', () => {
    expect(messages(hintSaysNothing, { readOnlyHint: true, destructiveHint: false })).toEqual([]);
  });
});
