import { readFileSync } from 'node:fs';

import type { Endpoint } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { classifyOperation, type HttpOperation } from './classify-operation.js';

/** Operations of ten real documents, each with an endpoint chosen manually. The rules were tuned on them. */
interface SortedOperation extends Pick<HttpOperation, 'method' | 'path'> {
  readonly endpoint: Endpoint;
  readonly document: string;
  readonly id?: string;
  readonly summary?: string;
  readonly description?: string;
}

const SORTED = readFileSync(
  new URL('../../../testing-apis/endpoints.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SortedOperation);

const FOUND = SORTED.map((sorted) => {
  const { method, path, id, summary, description } = sorted;
  const descriptions = [summary, description].filter((text) => text !== undefined);
  return { sorted, found: classifyOperation({ method, path, id, descriptions }) };
});

describe('endpoints of real operations, chosen manually', () => {
  it('A8: are correct for at least 95 in 100', () => {
    const wrong = FOUND.filter(({ sorted, found }) => sorted.endpoint !== found.endpoint).map(
      ({ sorted, found }) =>
        `${sorted.document}: ${sorted.method} ${sorted.path} (${sorted.id}) is ${sorted.endpoint}, taken as ${found.endpoint}`,
    );
    expect(new Set(SORTED.map(({ document }) => document)).size).toBe(10);
    expect(SORTED.length).toBeGreaterThanOrEqual(300);
    expect(wrong.length / SORTED.length, wrong.join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('A1: no change is classified as a read', () => {
    const wrong = FOUND.filter(
      ({ sorted, found }) => found.endpoint === 'read' && sorted.endpoint !== 'read',
    );
    expect(wrong.map(({ sorted }) => sorted.path)).toEqual([]);
  });
});
