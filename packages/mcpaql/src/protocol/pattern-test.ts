/**
 * Tests text against a pattern of an adapter, within a time limit: some patterns take forever on
 * some texts.
 */

import { createContext, Script } from 'node:vm';

/** The second limit is for a busy machine, where a quick test may miss the first. */
const LIMITS_MS = [100, 1_000];
const TEST = new Script('new RegExp(pattern, "u").test(text)');
/** Created once: creating a context takes a thousand times as long as using it. */
const CONTEXT: Record<string, unknown> = createContext({});

/** `undefined` if the test did not end in time. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  Object.assign(CONTEXT, { pattern, text });
  for (const timeout of LIMITS_MS) {
    try {
      return TEST.runInContext(CONTEXT, { timeout }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        return undefined;
    }
  }
  return undefined;
}
