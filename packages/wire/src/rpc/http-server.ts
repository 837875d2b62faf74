/** The listening side of HTTP. Separate from the index, so that stdio listeners load no HTTP code. */

export { CONNECTION_LIMITS, ConnectionLimits } from './http-server/connection-limits.js';
export type { ConnectionLimitOptions, ConnectionStatus } from './http-server/connection-limits.js';
export { isJson } from './http-server/json-type.js';
export { listenOn } from './http-server/listen-on.js';
export { RequestQueue } from './http-server/request-queue.js';
export { Outbox, type Account } from './http-server/outbox.js';
export type { RequestHead } from './http-server/quick-request.js';
export { createQuickServer } from './http-server/quick-server.js';
export { NodeResponder, type Responder } from './http-server/responder.js';
