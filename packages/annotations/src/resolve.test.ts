import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../test/requirements/shows.js';
import { HINTS, SPEC_DEFAULTS } from './hints.js';
import { type EffectiveHints, resolveHints } from './resolve.js';
import { mayRetry, riskOf, RISKS } from './risk.js';
import { everyStatement } from './testing/statements.js';

const STATEMENTS = everyStatement();

function hintValues(effective: EffectiveHints): Record<string, boolean> {
  return Object.fromEntries(HINTS.map((hint) => [hint, effective[hint].value]));
}

function sources(effective: EffectiveHints): string[] {
  return HINTS.map((hint) => effective[hint].source);
}

describe('resolving hints', () => {
  it('falls back to the spec where nobody says anything', () => {
    const effective = resolveHints({});
    expect(hintValues(effective)).toEqual(SPEC_DEFAULTS);
    expect(sources(effective)).toEqual(['default', 'default', 'default', 'default']);
  });

  it('asks the operator, then the server, then the assumption, then the spec', () => {
    const effective = resolveHints({
      trust: 'trusted',
      override: { readOnlyHint: true },
      claim: { readOnlyHint: false, destructiveHint: false },
      assumed: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
    expect(effective).toEqual({
      readOnlyHint: { value: true, source: 'override' },
      destructiveHint: { value: false, source: 'claim' },
      idempotentHint: { value: true, source: 'assumed' },
      openWorldHint: { value: true, source: 'default' },
    });
  });

  it(
    'never reads the name: a search and a delete without hints are the same',
    shows('ANN-08', () => {
      const search = { name: 'search_files', annotations: undefined };
      const remove = { name: 'delete_files', annotations: undefined };
      expect(resolveHints({ claim: search.annotations, trust: 'trusted' })).toEqual(
        resolveHints({ claim: remove.annotations, trust: 'trusted' }),
      );
    }),
  );

  it(
    'holds a tool without any hint to be destructive',
    shows('ANN-09', () => {
      expect(riskOf(resolveHints({ claim: {}, trust: 'trusted' }))).toBe('destructive');
    }),
  );

  it(
    'takes a claim that is no boolean for no claim',
    shows('ANN-06', () => {
      const claim = {
        readOnlyHint: 'true',
        destructiveHint: 0,
        idempotentHint: null,
        openWorldHint: [],
      };
      expect(resolveHints({ claim, trust: 'trusted' })).toEqual(resolveHints({}));
    }),
  );

  it('takes any claim at all without failing', () => {
    fc.assert(
      fc.property(fc.anything(), (claim) => {
        expect(Object.keys(resolveHints({ claim, trust: 'trusted' }))).toEqual([...HINTS]);
      }),
    );
  });
});

describe('an untrusted claim', () => {
  it('is what a claim is unless the server is trusted', () => {
    const claim = { readOnlyHint: true };
    expect(resolveHints({ claim })).toEqual(resolveHints({ claim, trust: 'untrusted' }));
    expect(resolveHints({ claim }).readOnlyHint).toEqual({ value: false, source: 'default' });
  });

  it('may raise what the operator assumed', () => {
    const claim = {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    };
    const assumed = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const effective = resolveHints({ claim, assumed });
    expect(hintValues(effective)).toEqual(claim);
    expect(sources(effective)).toEqual(['claim', 'claim', 'claim', 'claim']);
  });

  it('counts as said where it repeats a dangerous default', () => {
    const effective = resolveHints({ claim: { destructiveHint: true } });
    expect(effective.destructiveHint).toEqual({ value: true, source: 'claim' });
  });

  it('does not take the credit for what the operator assumed', () => {
    const effective = resolveHints({
      claim: { readOnlyHint: true },
      assumed: { readOnlyHint: true },
    });
    expect(effective.readOnlyHint).toEqual({ value: true, source: 'assumed' });
  });

  it(
    'never lowers any risk, whatever it says and whatever the operator says',
    shows('ANN-10', () => {
      for (const override of STATEMENTS) {
        for (const assumed of [
          undefined,
          { readOnlyHint: true },
          { readOnlyHint: true, destructiveHint: true },
          { destructiveHint: true, idempotentHint: true },
        ]) {
          const without = resolveHints({ override, assumed });
          for (const claim of STATEMENTS) {
            expectNoSafer(resolveHints({ override, assumed, claim }), without);
          }
        }
      }
    }),
  );
});

describe('the operator’s override', () => {
  it('is changed by no claim and no assumption', () => {
    for (const override of STATEMENTS) {
      const kept = HINTS.filter((hint) => override[hint] !== undefined);
      for (const claim of STATEMENTS) {
        for (const voices of [
          { claim },
          { claim, trust: 'trusted' },
          { assumed: claim },
        ] as const) {
          const effective = resolveHints({ override, ...voices });
          expect(kept.map((hint) => effective[hint].value)).toEqual(
            kept.map((hint) => override[hint]),
          );
        }
      }
    }
  });

  it('decides the risk alone where it calls a tool read-only or speaks of both hints', () => {
    for (const override of STATEMENTS) {
      const isDecisive =
        override.readOnlyHint === true ||
        (override.readOnlyHint === false && override.destructiveHint !== undefined);
      if (!isDecisive) continue;
      const alone = riskOf(resolveHints({ override }));
      for (const claim of STATEMENTS) {
        for (const voices of [
          { claim },
          { claim, trust: 'trusted' },
          { assumed: claim },
        ] as const) {
          expect(riskOf(resolveHints({ override, ...voices }))).toBe(alone);
        }
      }
    }
  });
});

function expectNoSafer(effective: EffectiveHints, without: EffectiveHints): void {
  for (const hint of HINTS) {
    const changed = effective[hint].value !== without[hint].value;
    if (changed) expect(effective[hint].value).toBe(SPEC_DEFAULTS[hint]);
  }
  expect(RISKS.indexOf(riskOf(effective))).toBeGreaterThanOrEqual(RISKS.indexOf(riskOf(without)));
  if (mayRetry(effective)) expect(mayRetry(without)).toBe(true);
}
