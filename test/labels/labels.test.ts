import { readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';

import { readOperations, readTools } from '../../scripts/labels/corpus.mjs';
import { readImports } from '../../scripts/labels/imports.mjs';
import {
  EMPTY_TEXT,
  measureImports,
  measureOperations,
  measureTools,
  type Share,
} from '../../scripts/labels/measure.mjs';
import { pageOf } from '../../scripts/labels/page.mjs';

// It computes all the time, so a busy machine takes minutes.
vi.setConfig({ testTimeout: 900_000 });

const tools = readTools();
const operations = readOperations();
const imports = readImports();
const share = ({ part, whole }: Share): number => part / whole;

/** The half that no rule was tuned on, and everything. */
const sets = <T extends { readonly isMeasured: boolean }>(all: readonly T[]): T[][] => [
  all.filter(({ isMeasured }) => isMeasured),
  [...all],
];

describe('labels of real tools', () => {
  it('are measured on enough servers, and the truth about every tool is known', () => {
    for (const [half, least] of [
      [sets(tools)[0]!, 1000],
      [tools, 3000],
    ] as const) {
      expect(half.length).toBeGreaterThan(least);
      expect(measureTools(half).servers).toBeGreaterThan(least / 25);
    }
    const unknown = tools.filter(({ effect }) => effect === undefined);
    expect(unknown.map(({ server, tool }) => `${server}:${tool.name}`)).toEqual([]);
  });

  it('are right where they are inferred', () => {
    for (const half of sets(tools)) {
      const { rightReads, foundReads } = measureTools(half);
      expect(share(rightReads)).toBeGreaterThanOrEqual(0.995);
      expect(share(foundReads)).toBeGreaterThanOrEqual(0.92);
    }
  });

  it('call nothing a read that destroys or sends (S1)', () => {
    expect(measureTools(tools).harmfulReads.part).toBe(0);
  });

  it('keep at least 97 in 100 claims', () => {
    for (const half of sets(tools)) {
      const { agreedClaims, agreedHints } = measureTools(half);
      expect(share(agreedClaims)).toBeGreaterThanOrEqual(0.97);
      expect(share(agreedHints)).toBeGreaterThanOrEqual(0.97);
    }
  });
});

describe('imported GETs', () => {
  it('are enough, and no case is in both halves', () => {
    const [measured = []] = sets(imports);
    const of = (kind: string): number => measured.filter((each) => each.truth === kind).length;
    expect(of('changes')).toBeGreaterThan(300);
    expect(of('reads')).toBeGreaterThan(400);
    const seeds = imports.map(({ style, path, operation }) =>
      JSON.stringify([style, path, operation]),
    );
    expect(new Set(seeds).size).toBe(imports.length);
  });

  it('wait for a review if they change something (B1, B2)', () => {
    for (const half of sets(imports)) {
      expect(share(measureImports(half).changes)).toBeLessThanOrEqual(0.01);
    }
  });

  it('wait for a review if no text says what they do (B1)', () => {
    const [measured = []] = sets(imports);
    expect(share(measureImports(measured, EMPTY_TEXT).changes)).toBeLessThanOrEqual(0.01);
  });

  it('can mostly be called without a review if they read', () => {
    for (const half of sets(imports)) {
      const { realReads, trickyReads } = measureImports(half);
      expect(share(realReads)).toBeGreaterThanOrEqual(0.85);
      expect(share(trickyReads)).toBeGreaterThanOrEqual(0.6);
    }
  });
});

describe('other requests', () => {
  it('mostly get the endpoint of what they do, and are seldom taken for reads', () => {
    for (const half of sets(operations)) {
      const { endpoints, changesAsReads } = measureOperations(half);
      expect(share(endpoints)).toBeGreaterThanOrEqual(0.7);
      expect(share(changesAsReads)).toBeLessThanOrEqual(0.03);
    }
  });
});

it('docs/labels.md has these figures; npm run labels writes it', () => {
  const page = readFileSync(new URL('../../docs/labels.md', import.meta.url), 'utf8');
  expect(pageOf({ tools, operations, imports })).toBe(page);
});
