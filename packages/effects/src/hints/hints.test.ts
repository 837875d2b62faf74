import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { HINTS, SPEC_DEFAULTS, statedHint, type ToolAnnotations } from './hints.js';

describe('a hint that is not stated', () => {
  it(
    'counts as not read-only',
    shows('ANN-02', () => expect(SPEC_DEFAULTS.readOnlyHint).toBe(false)),
  );
  it(
    'counts as destructive',
    shows('ANN-03', () => expect(SPEC_DEFAULTS.destructiveHint).toBe(true)),
  );
  it(
    'counts as not idempotent',
    shows('ANN-04', () => expect(SPEC_DEFAULTS.idempotentHint).toBe(false)),
  );
  it(
    'counts as open-world',
    shows('ANN-05', () => expect(SPEC_DEFAULTS.openWorldHint).toBe(true)),
  );

  it('has a frozen default', () => {
    expect(Object.isFrozen(SPEC_DEFAULTS)).toBe(true);
  });
});

describe('the annotations of an author', () => {
  it(
    'have five fields, each of which may be left out',
    shows('LDP-03', () => {
      const full: Required<ToolAnnotations> = { title: 'Get project', ...SPEC_DEFAULTS };
      const empty: ToolAnnotations = {};
      expect(Object.keys(full).toSorted()).toEqual([...HINTS, 'title'].toSorted());
      expect(HINTS.map((hint) => statedHint(empty, hint))).toEqual(HINTS.map(() => undefined));
    }),
  );
});

describe('reading a hint', () => {
  it('gives the boolean that is there', () => {
    expect(statedHint({ readOnlyHint: false }, 'readOnlyHint')).toBe(false);
    expect(statedHint({ readOnlyHint: true }, 'readOnlyHint')).toBe(true);
  });

  it.each([
    ['a string', { readOnlyHint: 'true' }],
    ['a number', { readOnlyHint: 1 }],
    ['null', { readOnlyHint: null }],
    ['an inherited value', Object.create({ readOnlyHint: true })],
    ['a property of an array', Object.assign([], { readOnlyHint: true })],
    ['no annotations', undefined],
    ['annotations that are null', null],
    ['annotations that are text', 'readOnlyHint'],
  ])('ignores %s', (_, annotations: unknown) => {
    expect(statedHint(annotations, 'readOnlyHint')).toBeUndefined();
  });

  it('gives a boolean or nothing for any value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...HINTS), (annotations, hint) => {
        expect([true, false, undefined]).toContain(statedHint(annotations, hint));
      }),
    );
  });
});
