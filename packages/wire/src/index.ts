// Upstream: servers behind us.
export { openChild } from './upstream/child-channel.js';
export { ChildGroups } from './upstream/process-group.js';
export type { ChildOptions } from './upstream/child-channel.js';
export { openHttp } from './upstream/http-channel.js';
export type { HttpOptions } from './upstream/http-channel.js';
export type { HttpCredentials } from './upstream/http-credentials.js';
export { openHttpOrSse } from './upstream/http-or-sse.js';
export { openSse } from './upstream/sse-channel.js';
export { Upstream } from './upstream/upstream.js';
export type { Transport } from './upstream/link.js';
export type { UpstreamOptions, UpstreamState } from './upstream/upstream.js';
export type { RestartPolicy } from './upstream/backoff.js';

// Downstream: the listeners.
export { openStdioListener } from './downstream/stdio-listener.js';
export type { StdioListener, StdioListenerOptions } from './downstream/stdio-listener.js';
export { HttpListener } from './downstream/http/http-listener.js';
export type { HttpListenerOptions, Site } from './downstream/http/http-listener.js';
export { OriginCheck } from './downstream/http/origin-check.js';
export type { OriginCheckOptions } from './downstream/http/origin-check.js';
export type { Authenticate, Refused } from './downstream/http/authenticate.js';
export { HeldCalls } from './downstream/held-calls.js';
export { createSurface } from './downstream/surface.js';
export type { ServeOptions, Surface } from './downstream/surface.js';

export { serve } from './downstream/serve.js';
export type { Served, ServeHttpOptions, ServeStdioOptions } from './downstream/serve.js';

// What both sides speak.
export type { Implementation } from './message/protocol.js';
