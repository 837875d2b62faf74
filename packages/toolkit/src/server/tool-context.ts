/** What a handler gets besides its arguments. */

import type { AuthInfo } from '@modelcontextprotocol/server';

import type { ReportProgress } from './progress.js';

export interface ToolContext {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
  /** The caller, if the transport authenticated it. */
  readonly auth: AuthInfo | undefined;
  readonly sessionId: string | undefined;
  /** The SDK's own context, for everything else. */
  readonly sdk: unknown;
}
