/**
 * HTTP for channels: requests, bodies and failures. Separate from the index, so that stdio servers
 * load no HTTP code.
 */

export { EventFeed } from './http/event-feed.js';
export { HandshakeGate } from './http/handshake-gate.js';
export { failedAnswer, refusalOf, takeAll, tellFailure } from './http/http-answer.js';
export { readEvents } from './http/http-body.js';
export type { HttpCredentials } from './http/http-credentials.js';
export { failureOf, HttpFailure } from './http/http-failure.js';
export { HttpPost } from './http/http-post.js';
export { OneWayPosts, POST_COST } from './http/one-way-posts.js';
export { ServerClient } from './http/server-client.js';
export { SessionPass } from './http/session-pass.js';
export { statelessHeaders } from './http/stateless-headers.js';
