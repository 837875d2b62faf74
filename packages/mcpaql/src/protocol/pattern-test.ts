/** Tests text against an adapter's own pattern, within a time: some patterns take for ever on some texts. */

import { createContext, Script } from 'node:vm';

const TIME_MS = 100;
const TEST = new Script('new RegExp(pattern, "u").test(text)');
/** Making one takes a thousand times as long as using it. */
const CONTEXT: Record<string, unknown> = createContext({});

/** `undefined` if the pattern could not be decided in time. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  try {
    Object.assign(CONTEXT, { pattern, text });
    return TEST.runInContext(CONTEXT, { timeout: TIME_MS }) as boolean;
  } catch {
    return undefined;
  }
}
