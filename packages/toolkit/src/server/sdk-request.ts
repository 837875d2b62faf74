/** Reads one call of the SDK: the same facts from the contexts of versions 1 and 2. */

import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';

export interface SdkRequest {
  readonly signal: AbortSignal;
  /** Present when the client asked for progress. */
  readonly progressToken: string | number | undefined;
  /** Present if the transport authenticated the caller. */
  readonly auth: AuthInfo | undefined;
  readonly sessionId: string | undefined;
  notify(notification: { method: string; params: Record<string, unknown> }): Promise<void>;
}

/** The parts of version 1's `RequestHandlerExtra` that we read. */
interface LegacyContext {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number };
  readonly authInfo?: AuthInfo;
  readonly sessionId?: string;
  sendNotification(notification: object): Promise<void>;
}

/** Version 2 has the request in `mcpReq`; version 1 has no such member. */
export function sdkRequest(context: unknown): SdkRequest {
  return 'mcpReq' in (context as object)
    ? modernRequest(context as ServerContext)
    : legacyRequest(context as LegacyContext);
}

function modernRequest({ mcpReq, http, sessionId }: ServerContext): SdkRequest {
  const { signal, _meta: meta } = mcpReq;
  return {
    signal,
    progressToken: meta?.progressToken,
    auth: http?.authInfo,
    sessionId,
    notify: (notification) => mcpReq.notify(notification),
  };
}

function legacyRequest(context: LegacyContext): SdkRequest {
  const { signal, _meta: meta, authInfo, sessionId } = context;
  return {
    signal,
    progressToken: meta?.progressToken,
    auth: authInfo,
    sessionId,
    notify: (notification) => context.sendNotification(notification),
  };
}
