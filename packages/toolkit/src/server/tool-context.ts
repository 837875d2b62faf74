/** What a handler gets beside its arguments. */

import type { AuthInfo } from '@modelcontextprotocol/server';

import type { ReportProgress } from './progress.js';

export interface ToolContext {
  /** Aborts when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
  /** Who is calling, where the transport verified it. */
  readonly auth: AuthInfo | undefined;
  readonly sessionId: string | undefined;
  /** The SDK's own context, for what is not here. */
  readonly sdk: unknown;
}
