/**
 * HTTP for channels: requests, bodies and failures. Separate from the index, so that stdio servers
 * load no HTTP code.
 */

export { HandshakeGate } from './http/handshake-gate.js';
export { answerTo, failedAnswer, messagesIn, refusalOf, tellFailure } from './http/http-answer.js';
export { discard, readEvents, readText } from './http/http-body.js';
export { HttpClient } from './http/http-client.js';
export type { Exchange, HttpResponse } from './http/http-client.js';
export type { HttpCredentials } from './http/http-credentials.js';
export { failureOf, HttpFailure } from './http/http-failure.js';
export { SessionPass } from './http/session-pass.js';
export { statelessHeaders } from './http/stateless-headers.js';
