import { PRESETS, type ToolAnnotations } from '@callsign/effects';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { DEFAULT_ANNOTATIONS, mergeAnnotations } from './label.js';

const stated = fc.option(fc.boolean(), { nil: undefined });
const annotations: fc.Arbitrary<ToolAnnotations> = fc.record(
  {
    title: fc.option(fc.string(), { nil: undefined }),
    readOnlyHint: stated,
    destructiveHint: stated,
    idempotentHint: stated,
    openWorldHint: stated,
  },
  { requiredKeys: [] },
);

describe('merging annotations with defaults', () => {
  it(
    'gives exactly the two defaults to a tool that says nothing',
    shows('LDP-08', () => {
      expect(mergeAnnotations()).toStrictEqual({ readOnlyHint: true, openWorldHint: false });
      expect(mergeAnnotations({})).toStrictEqual({ readOnlyHint: true, openWorldHint: false });
    }),
  );

  it(
    'lets the tool win, with an explicit false as well',
    shows('LDP-09', () => {
      const merged = mergeAnnotations({ readOnlyHint: false, openWorldHint: true });
      expect(merged).toStrictEqual({ readOnlyHint: false, openWorldHint: true });
    }),
  );

  it(
    'keeps the defaults of hints that the tool does not mention',
    shows('LDP-10', () => {
      expect(mergeAnnotations({ readOnlyHint: false, title: 'Set theme' })).toStrictEqual({
        readOnlyHint: false,
        openWorldHint: false,
        title: 'Set theme',
      });
    }),
  );

  it('treats an explicit undefined as not mentioned', () => {
    expect(mergeAnnotations({ readOnlyHint: undefined })).toStrictEqual(mergeAnnotations({}));
  });

  it('takes other defaults where they are given', () => {
    expect(mergeAnnotations({ idempotentHint: true }, PRESETS.WRITE_ADDITIVE)).toStrictEqual(
      PRESETS.WRITE_IDEMPOTENT,
    );
  });

  it('has frozen defaults', () => {
    expect(Object.isFrozen(DEFAULT_ANNOTATIONS)).toBe(true);
  });

  it('takes each key from the tool, else from the defaults, and changes neither', () => {
    fc.assert(
      fc.property(annotations, annotations, (own, defaults) => {
        const merged = mergeAnnotations(Object.freeze(own), Object.freeze(defaults));
        for (const key of [
          'title',
          'readOnlyHint',
          'destructiveHint',
          'idempotentHint',
          'openWorldHint',
        ] as const) {
          expect(merged[key]).toBe(own[key] ?? defaults[key]);
        }
        expect(Object.values(merged)).not.toContain(undefined);
      }),
    );
  });
});
