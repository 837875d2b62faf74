/**
 * Tests text against a pattern of an adapter, within a time limit: some patterns take forever on
 * some texts.
 */

import { createContext, Script } from 'node:vm';

/** The second limit is for a busy machine, where a quick test may miss the first. */
const LIMITS_MS = [100, 1_000];
/** Created once, at the first use: creating a context takes a thousand times as long as using it. */
let tester: { readonly test: Script; readonly context: Record<string, unknown> } | undefined;

/** `undefined` if the test did not end in time. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  const { test, context } = (tester ??= {
    test: new Script('new RegExp(pattern, "u").test(text)'),
    context: createContext({}),
  });
  Object.assign(context, { pattern, text });
  for (const timeout of LIMITS_MS) {
    try {
      return test.runInContext(context, { timeout }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        return undefined;
    }
  }
  return undefined;
}
