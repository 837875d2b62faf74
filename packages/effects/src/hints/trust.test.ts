import { expect, it } from 'vitest';

import { TRUSTS, trustedClaim } from './trust.js';

it.each([
  ['readOnlyHint', true, [true, true, undefined]],
  ['readOnlyHint', false, [false, false, false]],
  ['destructiveHint', false, [false, false, undefined]],
  ['destructiveHint', true, [true, true, true]],
  ['idempotentHint', true, [true, true, undefined]],
  ['openWorldHint', false, [false, false, undefined]],
] as const)(
  'the claim %s: %s counts only if it is trusted or raises the risk',
  (hint, claim, counts) => {
    expect(TRUSTS.map((trust) => trustedClaim({ [hint]: claim }, hint, trust))).toEqual(counts);
    expect(trustedClaim({ [hint]: claim }, hint)).toBe(claim);
    expect(trustedClaim({}, hint, 'none')).toBeUndefined();
  },
);
