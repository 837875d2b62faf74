// Upstream: servers behind us.
export { ChildGroups } from './rpc/child/process-group.js';
export { openChild } from './rpc/child/child-channel.js';
export type { ChildOptions } from './rpc/child/child-channel.js';
export { openHttp } from './upstream/http-channel.js';
export type { HttpOptions } from './upstream/http-channel.js';
export type { HttpCredentials } from './rpc/http/http-credentials.js';
export { openHttpOrSse } from './upstream/http-or-sse.js';
export { openSse } from './upstream/sse-channel.js';
export { Upstream } from './upstream/upstream.js';
export type { MovingTransport, Transport } from './upstream/link-options.js';
export { LIST_LIMITS } from './upstream/list-budget.js';
export type { ListLimits } from './upstream/list-budget.js';
export type { UpstreamOptions } from './upstream/upstream-options.js';
export type { UpstreamState } from './upstream/upstream-state.js';
export type { CachedOffer } from './upstream/offered.js';
export type { RestartPolicy } from './rpc/stream/backoff.js';

// Downstream: the listeners.
export { openStdioListener } from './downstream/stdio-listener.js';
export type { StdioListener, StdioListenerOptions } from './downstream/stdio-listener.js';
export { HttpListener } from './downstream/http/http-listener.js';
export type { HttpListenerOptions, RelayedFor } from './downstream/http/http-listener.js';
export { OriginCheck } from './downstream/http/origin-check.js';
export type { OriginCheckOptions } from './downstream/http/origin-check.js';
export { CONNECTION_LIMITS } from './downstream/http/connection-limits.js';
export type {
  ConnectionLimitOptions,
  ConnectionStatus,
} from './downstream/http/connection-limits.js';
export type {
  Authenticate,
  Refused,
  StatedCaller,
  StatedCallers,
} from './downstream/http/authenticate.js';
export { PendingCalls } from './downstream/pending-calls.js';
export { RESULT_ID_PREFIX } from './downstream/session-routing.js';
export type { SessionRouting, Marked, Relay, RelayOptions } from './downstream/session-routing.js';
export type { Session } from './downstream/session.js';
export { createServedSource, ResourceWatch } from './downstream/served-source.js';
export type {
  ClientSession,
  PrincipalWaits,
  ServeOptions,
  ServedSource,
} from './downstream/served-source.js';

export { serve } from './downstream/serve.js';
export type { Served, ServeHttpOptions } from './downstream/serve.js';
