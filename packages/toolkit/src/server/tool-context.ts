/** What a handler gets besides its arguments. */

import type { AuthInfo } from '@modelcontextprotocol/server';

import type { ReportProgress } from './progress.js';

/** One call, as its handler and the interceptors see it. */
export interface ToolContext {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
  /** The caller, if the transport authenticated it. */
  readonly auth: AuthInfo | undefined;
  /** Unset: the transport has no sessions. */
  readonly sessionId: string | undefined;
  /** The SDK's own context, for everything else. */
  readonly sdk: unknown;
}
