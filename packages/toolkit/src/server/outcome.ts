/** How a call ended: the client's result, and the outcome in one word. */

import type { ToolResult } from './sdk-server.js';

/**
 * `done`: the tool answered. `failed`: it said or threw an error. `cancelled`: the client cancelled it.
 * `refused`: an interceptor did not let it run. `dry-run`: an interceptor reported what it would have done.
 */
export type Status = 'done' | 'failed' | 'cancelled' | 'refused' | 'dry-run';

/** The end of a call. Interceptors read and replace it; the client gets only `result`. */
export interface Outcome {
  readonly status: Status;
  readonly result: ToolResult;
}

/** An interceptor's refusal. Say why, and what to do about it. */
export function refused(why: string): Outcome {
  return { status: 'refused', result: errorResult(why) };
}

/** A result that tells the model that the tool failed, and why. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
