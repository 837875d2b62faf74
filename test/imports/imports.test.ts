import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { EMPTY_TEXT, measure } from '../../scripts/import-truth/measure.mjs';
import { rowsOf } from '../../scripts/import-truth/page.mjs';
import { readTruth } from '../../scripts/import-truth/truth.mjs';

const truth = readTruth();
const measured = truth.filter(({ isMeasured }) => isMeasured);
const share = ({ part, whole }: { part: number; whole: number }): number => part / whole;

describe('imported GET operations, half of them only for measuring', () => {
  it('are enough, and no case is in both halves', () => {
    const of = (kind: string): number => measured.filter((each) => each.truth === kind).length;
    expect(of('changes')).toBeGreaterThan(300);
    expect(of('reads')).toBeGreaterThan(400);
    const seeds = truth.map(({ style, path, operation }) =>
      JSON.stringify([style, path, operation]),
    );
    expect(new Set(seeds).size).toBe(truth.length);
  });

  it('B1, B2: wait for a review if they change something', () => {
    expect(share(measure(measured).changes)).toBeLessThanOrEqual(0.01);
    expect(share(measure(truth).changes)).toBeLessThanOrEqual(0.01);
  });

  it('B1: wait for a review if no text says what they do', () => {
    expect(share(measure(measured, EMPTY_TEXT).changes)).toBeLessThanOrEqual(0.01);
  });

  it('can mostly be called without a review if they read', () => {
    const { realReads, trickyReads } = measure(measured);
    expect(share(realReads)).toBeGreaterThanOrEqual(0.85);
    expect(share(trickyReads)).toBeGreaterThanOrEqual(0.6);
  });

  it('are as docs/openapi-corpus.md says; npm run openapi-corpus -- --truth-only writes it', () => {
    const page = readFileSync(new URL('../../docs/openapi-corpus.md', import.meta.url), 'utf8');
    expect(page).toContain(rowsOf(truth));
  });
});
