import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { explain } from '../label/explain.js';
import type { StatedHints } from './hints.js';
import { type LabelledTool, labelTool } from '../label/label.js';
import { isContradictory, mayRetry, riskOf, RISKS } from './risk.js';
import { everyStatement } from '../testing/statements.js';

const hintsOf = (tool: Omit<LabelledTool, 'name'>) => labelTool({ name: 'thing', ...tool }).hints;
const said = (annotations: StatedHints) => hintsOf({ annotations, trust: 'full' });
const EVERY_CLAIM = everyStatement().map(said);

describe('risk', () => {
  it(
    'is read for a read-only tool, which needs no confirmation',
    shows('ANN-12', () => {
      expect(riskOf(said({ readOnlyHint: true }))).toBe('read');
      for (const effective of EVERY_CLAIM.filter((each) => riskOf(each) === 'read')) {
        expect(explain(effective)).not.toContain('ask before');
        expect(explain(effective)).toContain('safe to');
      }
    }),
  );

  it('is write for a tool that says it destroys nothing', () => {
    expect(riskOf(said({ destructiveHint: false }))).toBe('write');
  });

  it(
    'is destructive for a tool that says so, which needs a confirmation',
    shows('ANN-14', () => {
      expect(riskOf(said({ readOnlyHint: false, destructiveHint: true }))).toBe('destructive');
      for (const effective of EVERY_CLAIM.filter((each) => riskOf(each) === 'destructive')) {
        expect(explain(effective)).toContain('ask before each call');
        expect(explain(effective)).not.toContain('safe to call');
      }
    }),
  );

  it(
    'is one word for every set of hints, so that no tool is both safe and destructive',
    shows('ANN-17', () => {
      expect(new Set(EVERY_CLAIM.map(riskOf))).toEqual(new Set(RISKS));
      for (const effective of EVERY_CLAIM) {
        const isRead = riskOf(effective) === 'read';
        const isOpen = effective.openWorldHint.value;
        // A read of another system is safe to repeat, but not safe in every way.
        expect(explain(effective).includes('safe to call')).toBe(isRead && !isOpen);
        expect(explain(effective).includes('check what')).toBe(isRead && isOpen);
        expect(explain(effective).includes('ask before')).toBe(riskOf(effective) === 'destructive');
      }
    }),
  );

  it(
    'of a closed read-only search is read, although its unsaid destructiveHint defaults to true',
    shows('ANN-18', () => {
      const search = said({ readOnlyHint: true, openWorldHint: false });
      expect(search.destructiveHint).toEqual({ value: true, evidence: { by: 'default' } });
      expect(riskOf(search)).toBe('read');
    }),
  );

  it(
    'of a closed delete that cannot be repeated is destructive, and it is not retried',
    shows('ANN-19', () => {
      const remove = said({ destructiveHint: true, idempotentHint: false, openWorldHint: false });
      expect(riskOf(remove)).toBe('destructive');
      expect(mayRetry(remove)).toBe(false);
    }),
  );
});

describe('a tool called both read-only and destructive', () => {
  it.each([
    [
      'its server',
      hintsOf({ annotations: { readOnlyHint: true, destructiveHint: true }, trust: 'full' }),
    ],
    ['the operator', hintsOf({ override: { readOnlyHint: true, destructiveHint: true } })],
    [
      'its server, and the operator against it',
      hintsOf({
        override: { destructiveHint: true },
        annotations: { readOnlyHint: true },
        trust: 'full',
      }),
    ],
    [
      'the assumption for its server, and the server against it',
      hintsOf({ assumed: { readOnlyHint: true }, annotations: { destructiveHint: true } }),
    ],
    [
      'the assumption for its server',
      hintsOf({ assumed: { readOnlyHint: true, destructiveHint: true } }),
    ],
  ])('by %s counts as destructive', (_, effective) => {
    expect(isContradictory(effective)).toBe(true);
    expect(riskOf(effective)).toBe('destructive');
    expect(mayRetry(effective)).toBe(false);
  });

  it.each([
    [
      'a server contradicts the operator',
      hintsOf({ override: { readOnlyHint: true }, annotations: { destructiveHint: true } }),
    ],
    [
      'a server with full trust contradicts the operator',
      hintsOf({
        override: { readOnlyHint: true },
        annotations: { destructiveHint: true },
        trust: 'full',
      }),
    ],
    [
      'an assumption contradicts the operator',
      hintsOf({ override: { readOnlyHint: true }, assumed: { destructiveHint: true } }),
    ],
    [
      'an assumption contradicts a server',
      hintsOf({
        annotations: { readOnlyHint: true },
        trust: 'full',
        assumed: { destructiveHint: true },
      }),
    ],
  ])('keeps its lower risk where only %s', (_, effective) => {
    expect(isContradictory(effective)).toBe(false);
    expect(riskOf(effective)).toBe('read');
    expect(mayRetry(effective)).toBe(true);
  });

  it('is retried only if it says that it is idempotent', () => {
    const effective = said({ readOnlyHint: true, destructiveHint: true, idempotentHint: true });
    expect(mayRetry(effective)).toBe(true);
  });
});

describe('a retry', () => {
  it(
    'is safe for a read-only tool that says nothing about idempotence',
    shows('ANN-13', () => {
      expect(mayRetry(said({ readOnlyHint: true }))).toBe(true);
      expect(mayRetry(said({ readOnlyHint: true, idempotentHint: false }))).toBe(true);
    }),
  );

  it(
    'is safe for a write that says it is idempotent, even a destructive one',
    shows('ANN-15', () => {
      expect(mayRetry(said({ destructiveHint: false, idempotentHint: true }))).toBe(true);
      expect(mayRetry(said({ destructiveHint: true, idempotentHint: true }))).toBe(true);
    }),
  );

  it(
    'is never allowed for a write that is not idempotent, stated or by default',
    shows('ANN-16', () => {
      for (const effective of EVERY_CLAIM) {
        const { readOnlyHint, idempotentHint } = effective;
        if (!readOnlyHint.value && !idempotentHint.value) expect(mayRetry(effective)).toBe(false);
      }
    }),
  );
});
