/** What a handler gets besides its arguments. */

import type { AuthInfo } from '@modelcontextprotocol/server';

import type { ProgressStep, ReportProgress } from './progress.js';

/** One call, as its handler and the interceptors see it. */
export interface ToolContext {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
  /** `progress` with one object as its argument. */
  readonly sendProgress: (step: ProgressStep) => Promise<void>;
  /** The caller, if the transport authenticated it. */
  readonly auth: AuthInfo | undefined;
  /** Absent if the transport has no sessions. */
  readonly sessionId: string | undefined;
  /** The SDK's own context, for everything else. */
  readonly sdk: unknown;
}
