/** The MCP endpoint over Streamable HTTP, for both eras: sessions, and requests that need none. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import {
  memberText,
  type CallsignError,
  type CallsignErrorCode,
  type Principal,
} from '@callsign/core';

import type { Message } from '../../rpc/message/message.js';
import { META, SESSION_VERSIONS } from '../../rpc/message/protocol.js';
import {
  HEADER_MISMATCH,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
} from '../../rpc/message/rpc-error.js';
import { errorText } from '../../rpc/message/rpc-text.js';
import type { Text } from '../../rpc/stream/long-text.js';
import { BadMessage, batchIn, readClientMessage, tooLong } from '../client-message.js';
import { isStatelessMessage } from '../envelope.js';
import type { PendingCalls } from '../pending-calls.js';
import type { Session } from '../session.js';
import { StatelessClient, UNKNOWN_CLIENT, type SentKind } from '../stateless-client.js';
import { servedFor, type ServedPart, type ServedSource } from '../served-source.js';
import { isSameParty } from './authenticate.js';
import { EventMemory } from './event-log.js';
import type { HttpResponse } from './http-response.js';
import { HttpSession } from './http-session.js';
import type { Incoming, InstanceRelay } from './instance-relay.js';
import { isJson, readBody, type Body } from './request-body.js';
import {
  headerError,
  isStateless,
  methodError,
  mismatch,
  paramHeaderError,
  single,
} from './stateless-headers.js';

const MAX_SESSIONS = 10_000;
/** Sessions of one principal, or without one. One more ends the session that is idle longest. */
const MAX_PER_PRINCIPAL = 2_000;
const IDLE_MS = 60 * 60_000;

/** The HTTP status for our own JSON-RPC errors. Others have 200. */
const OWN_STATUS: ReadonlyMap<number, number> = new Map([
  [PARSE_ERROR, 400],
  [INVALID_REQUEST, 400],
  [HEADER_MISMATCH, 400],
  [MISSING_CAPABILITY, 400],
  [UNSUPPORTED_VERSION, 400],
  [METHOD_NOT_FOUND, 404],
]);

export interface StreamableHttpOptions {
  readonly served: ServedSource;
  readonly pending: PendingCalls;
  readonly maxBodyBytes: number;
}

/** The messages of a POST: one message, or a batch in an array. */
export interface Posted {
  readonly messages: readonly [Message, ...Message[]];
  readonly isBatch: boolean;
}

/** Gets requests that passed all checks of the listener. */
export class StreamableHttp {
  readonly #options: StreamableHttpOptions;
  readonly #relay: InstanceRelay;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #memory = new EventMemory();
  /** Stateless requests whose response is a stream. */
  readonly #streams = new Map<HttpResponse, StatelessClient>();
  /** Stateless requests without an answer. Subscriptions do not count: they never get one. */
  #statelessCalls = 0;

  constructor(options: StreamableHttpOptions, relay: InstanceRelay) {
    this.#options = options;
    this.#relay = relay;
  }

  /** Clients that can be asked outside of any call. */
  sessions(): Session[] {
    return Array.from(this.#sessions.values(), ({ session }) => session);
  }

  /** Whether a session is open here. Does not check its owner. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Requests without an answer. */
  get callsUnderWay(): number {
    let calls = this.#statelessCalls;
    for (const session of this.#sessions.values()) calls += session.callsUnderWay;
    return calls;
  }

  /** Handles a request. `part`: what the path shows. Default: the view that fits the client. */
  async take(incoming: Incoming, part?: ServedPart): Promise<void> {
    const { request, response } = incoming;
    if (request.method === 'GET' || request.method === 'DELETE') {
      if (this.#relay.relaysSession(incoming)) return;
      if (request.method === 'GET') this.#listen(incoming);
      else this.#delete(incoming);
    } else if (request.method !== 'POST') {
      response.with({ allow: 'GET, POST, DELETE' }).refuse(405, 'Method not allowed.');
    } else if (!isJson(request.headers['content-type'])) {
      request.resume();
      response.refuse(415, 'Unsupported Media Type: Content-Type must be application/json');
    } else {
      const { maxBodyBytes } = this.#options;
      const body = await readBody(request, maxBodyBytes);
      if (body === 'too-large') response.json(413, tooLong(maxBodyBytes).reply);
      else if (body !== 'gone') this.#post(incoming, body, part);
    }
  }

  keepAlive(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      if (session.isIdle && now - session.lastUsed > IDLE_MS) this.#end(session, 'call-cancelled');
      else session.keepAlive();
    }
    for (const response of this.#streams.keys()) response.comment(': keepalive\n\n');
  }

  /** `what`: what this instance did, for those who wait for answers. */
  close(what: string): void {
    for (const session of this.#sessions.values()) this.#end(session, 'instance-lost', { what });
    for (const [response, client] of this.#streams) {
      client.finish();
      response.end();
    }
  }

  #post(incoming: Incoming, body: Body, part: ServedPart | undefined): void {
    const { request, response, principal } = incoming;
    if (this.#relay.relaysSession(incoming, body.text)) return;
    const read = readPosted(body);
    if (read instanceof BadMessage) return response.json(400, read.reply);
    const { messages, isBatch } = read;
    const [first] = messages;
    const served = servedFor(this.#options.served, principal, part);
    if (!messages.some((message) => isStateless(request, message))) {
      if (this.#relay.relaysNewWork(incoming, messages, body.text)) return;
      return this.#postToSession(incoming, messages, served);
    }
    if (isBatch) {
      const reason = 'Invalid Request: this protocol version has no batches';
      return response.refuse(400, reason, INVALID_REQUEST);
    }
    if (first.method === 'initialize' && !isStatelessMessage(first)) {
      const said = single(request.headers['mcp-protocol-version'])!;
      const wrong = mismatch(said, 'initialize belongs to earlier versions');
      return response.json(400, errorText(first.id, wrong));
    }
    const here = (): void => this.#answerStateless(incoming, first, served);
    if (!this.#relay.relaysState(incoming, first, body.text, here)) here();
  }

  #postToSession(incoming: Incoming, messages: readonly Message[], served: ServedSource): void {
    const { request, response } = incoming;
    const accept = request.headers.accept ?? '';
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
      const advice =
        'Not Acceptable: Client must accept both application/json and text/event-stream';
      return response.refuse(406, advice);
    }
    if (messages.some(({ method }) => method === 'initialize')) {
      return this.#open(incoming, messages, served);
    }
    const session = this.#find(incoming);
    if (session && !session.post(messages, response)) {
      response.refuse(400, 'Invalid Request: The request id is already in use.', INVALID_REQUEST);
    }
  }

  /** Opens the stream of a session, or resumes one of its streams. */
  #listen(incoming: Incoming): void {
    const { request, response } = incoming;
    if (!(request.headers.accept ?? '').includes('text/event-stream')) {
      return response.refuse(406, 'Not Acceptable: Client must accept text/event-stream');
    }
    const session = this.#find(incoming);
    if (!session) return;
    response.with({ 'mcp-session-id': session.id });
    const lastEventId = single(request.headers['last-event-id']);
    if (lastEventId === undefined) {
      if (session.listen(response)) return;
      return response.refuse(409, 'Conflict: Only one SSE stream is allowed per session');
    }
    const resumption = session.resume(lastEventId, response);
    if (resumption === 'unknown') response.refuse(400, 'Invalid event ID format');
    // The only status after which clients do not retry.
    if (resumption === 'abandoned')
      response.refuse(405, 'The request was cancelled, or its answer is no longer kept.');
  }

  #delete(incoming: Incoming): void {
    const session = this.#find(incoming);
    if (!session) return;
    this.#end(session, 'call-cancelled');
    incoming.response.empty(200);
  }

  #open(incoming: Incoming, messages: readonly Message[], served: ServedSource): void {
    const { request, response, principal } = incoming;
    const again = this.#owned(single(request.headers['mcp-session-id']), principal);
    if (messages.length > 1) {
      const reason = 'Invalid Request: Only one initialization request is allowed';
      return response.refuse(400, reason, INVALID_REQUEST);
    }
    if (again)
      return response.refuse(400, 'Invalid Request: Server already initialized', INVALID_REQUEST);
    this.#makeRoom(principal);
    const session = new HttpSession(served, this.#memory);
    this.#sessions.set(session.id, session);
    session.post(messages, response.with({ 'mcp-session-id': session.id }));
  }

  /** The session with this id, if it belongs to this principal. For others it does not exist. */
  #owned(id: string | undefined, principal: Principal | undefined): HttpSession | undefined {
    const found = id === undefined ? undefined : this.#sessions.get(id);
    return found && isSameParty(found.session.principal, principal) ? found : undefined;
  }

  /** The session of a request. Refuses the request if there is none. */
  #find({ request, response, principal }: Incoming): HttpSession | undefined {
    const id = single(request.headers['mcp-session-id']);
    if (id === undefined) {
      response.refuse(400, 'Bad Request: Mcp-Session-Id header is required');
      return undefined;
    }
    const session = this.#owned(id, principal);
    if (!session) {
      response.sessionNotFound();
      return undefined;
    }
    session.session.principal = principal;
    const version = single(request.headers['mcp-protocol-version']);
    if (version !== undefined && !(SESSION_VERSIONS as readonly string[]).includes(version)) {
      const supported = SESSION_VERSIONS.join(', ');
      const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`;
      response.refuse(400, message);
      return undefined;
    }
    return session;
  }

  #end(
    session: HttpSession,
    code: CallsignErrorCode,
    details: CallsignError['details'] = {},
  ): void {
    this.#sessions.delete(session.id);
    session.end(code, details);
  }

  /** A principal with too many sessions loses the one that is idle longest. */
  #makeRoom(principal: Principal | undefined): void {
    const isFull = this.#sessions.size >= MAX_SESSIONS;
    if (!isFull && this.#sessions.size < MAX_PER_PRINCIPAL) return;
    const all = [...this.#sessions.values()];
    const own = all.filter(({ session }) => isSameParty(session.principal, principal));
    if (!isFull && own.length < MAX_PER_PRINCIPAL) return;
    const idle = (own.length < MAX_PER_PRINCIPAL ? all : own).filter(({ isIdle }) => isIdle);
    const [oldest] = idle.toSorted((a, b) => a.lastUsed - b.lastUsed);
    if (oldest) this.#end(oldest, 'call-cancelled');
  }

  /** Each stateless request has its own client object. */
  #answerStateless(
    { request, response, principal }: Incoming,
    message: Message,
    served: ServedSource,
  ): void {
    const { id, method = '' } = message;
    if (id === undefined) {
      const wrong = methodError(request.headers, method);
      return wrong === undefined ? response.empty(202) : response.json(400, errorText(id, wrong));
    }
    const said = single(request.headers['mcp-protocol-version']);
    const claimed = claimedVersion(message, said);
    if (claimed !== undefined && said !== undefined && claimed !== said) {
      const wrong = mismatch(said, `the body claims protocol version ${claimed}`);
      return response.json(400, errorText(id, wrong));
    }
    const read = served.envelopes.read(message);
    if (!read.ok) return response.json(400, errorText(id, read.error));
    const { client: named, version } = read.envelope;
    const wrong =
      headerError(request.headers, message, version) ??
      paramHeaderError(request.headers, message, served.viewFor(named, principal));
    if (wrong !== undefined) return response.json(400, errorText(id, wrong));
    const client: StatelessClient = new StatelessClient(
      { served, pending: this.#options.pending },
      principal?.name ?? identityOf(request),
      (text, kind) => {
        if (kind === 'more') {
          response.startStream();
          this.#streams.set(response, client);
          return response.event(text);
        }
        if (response.isStream) {
          response.event(text);
          response.end();
        } else response.json(statusOf(text, kind), text);
      },
      false,
    );
    const calls = method === 'subscriptions/listen' ? 0 : 1;
    this.#statelessCalls += calls;
    // In this era a client cancels by closing the connection.
    response.onClose(() => {
      this.#statelessCalls -= calls;
      this.#streams.delete(response);
      client.end();
    });
    client.receive(message);
  }
}

export function readPosted({ text: posted, ends }: Body): Posted | BadMessage {
  const elements = batchIn(posted);
  if (elements instanceof BadMessage) return elements;
  if (!elements) {
    const message = readClientMessage(posted, ends);
    return message instanceof BadMessage ? message : { messages: [message], isBatch: false };
  }
  const messages: Message[] = [];
  for (const text of elements) {
    const message = readClientMessage(text);
    if (message instanceof BadMessage) return message;
    messages.push(message);
  }
  const [first, ...others] = messages;
  return { messages: [first!, ...others], isBatch: true };
}

/** A server's own error has status 200, unless a capability or a method is missing. */
function statusOf(text: Text, kind: SentKind): number {
  if (kind === 'result') return 200;
  const code = Number(memberText(memberText(String(text), 'error') ?? '{}', 'code'));
  const isPassedOn = code === MISSING_CAPABILITY || code === METHOD_NOT_FOUND;
  if (kind === 'relayed-error' && !isPassedOn) return 200;
  return OWN_STATUS.get(code) ?? 200;
}

/** The version in the body. Searches first for that of the header, which is nearly always there. */
function claimedVersion(
  { params, metaStart, metaEnd }: Message,
  said: string | undefined,
): string | undefined {
  if (metaStart === -1) return undefined;
  const text = params!.slice(metaStart, metaEnd);
  if (text.includes(`"${META.protocolVersion}":"${said}"`)) return said;
  const meta = JSON.parse(text) as Record<string, unknown> | null;
  const version = meta?.[META.protocolVersion];
  return typeof version === 'string' ? version : undefined;
}

/** Equal credentials mean the same client. Without credentials we cannot know. */
function identityOf({ headers: { authorization } }: IncomingMessage): string {
  if (authorization === undefined) return UNKNOWN_CLIENT;
  return createHash('sha256').update(authorization).digest('base64url');
}
