/** For tests: every combination of stated and missing hints. */

import type { HintSet, StatedHints } from '../hints/hints.js';

const BOOLEANS = [true, false] as const;
const STATED = [true, false, undefined] as const;

/** All 16 decided sets, from T T T T to F F F F. */
export function everyHintSet(): HintSet[] {
  return BOOLEANS.flatMap((readOnlyHint) =>
    BOOLEANS.flatMap((destructiveHint) =>
      BOOLEANS.flatMap((idempotentHint) =>
        BOOLEANS.map((openWorldHint) => ({
          readOnlyHint,
          destructiveHint,
          idempotentHint,
          openWorldHint,
        })),
      ),
    ),
  );
}

/** All 81 statements: each hint true, false or missing. */
export function everyStatement(): StatedHints[] {
  return STATED.flatMap((readOnlyHint) =>
    STATED.flatMap((destructiveHint) =>
      STATED.flatMap((idempotentHint) =>
        STATED.map((openWorldHint) => ({
          readOnlyHint,
          destructiveHint,
          idempotentHint,
          openWorldHint,
        })),
      ),
    ),
  );
}
