/** Streamable HTTP for clients with sessions: POST, GET and DELETE, and the headers of each. */

import type { CallsignErrorCode, Principal } from '@callsign/core';

import type { RequestHead } from '../../rpc/http-server/quick-request.js';
import type { Message } from '../../rpc/message/message.js';
import { SESSION_VERSIONS } from '../../rpc/message/protocol.js';
import { INVALID_REQUEST } from '../../rpc/message/rpc-error.js';
import type { Session } from '../session.js';
import type { Surface } from '../surface.js';
import type { Answer } from './answer.js';
import { isSameParty } from './authenticate.js';
import { EventMemory } from './event-memory.js';
import { single } from './headers.js';
import { HttpSession } from './http-session.js';
import { refuse, sessionNotFound } from './refuse.js';

const MAX_SESSIONS = 10_000;
/** Sessions of one principal, or without one. One more ends the session that is idle longest. */
const MAX_PER_PRINCIPAL = 2_000;
const IDLE_MS = 60 * 60_000;

/** All sessions over Streamable HTTP. */
export class SessionLeg {
  readonly #sessions = new Map<string, HttpSession>();
  readonly #memory = new EventMemory();

  /** Sessions whose clients can be asked outside of any call. */
  sessions(): Session[] {
    return Array.from(this.#sessions.values(), ({ session }) => session);
  }

  /** Whether a session is open here. Does not check its owner. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  get callsUnderWay(): number {
    let calls = 0;
    for (const session of this.#sessions.values()) calls += session.callsUnderWay;
    return calls;
  }

  post(request: RequestHead, messages: readonly Message[], answer: Answer, surface: Surface): void {
    const accept = request.headers.accept ?? '';
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
      const message =
        'Not Acceptable: Client must accept both application/json and text/event-stream';
      return refuse(answer, 406, message);
    }
    if (messages.some(({ method }) => method === 'initialize')) {
      return this.#open(request, messages, answer, surface);
    }
    const session = this.#find(request, answer, surface.principal);
    if (!session) return;
    if (!session.post(messages, answer)) {
      refuse(answer, 400, 'Invalid Request: The request id is already in use.', INVALID_REQUEST);
    }
  }

  get(request: RequestHead, answer: Answer, principal: Principal | undefined): void {
    if (!(request.headers.accept ?? '').includes('text/event-stream')) {
      return refuse(answer, 406, 'Not Acceptable: Client must accept text/event-stream');
    }
    const session = this.#find(request, answer, principal);
    if (!session) return;
    const stream = answer.with({ 'mcp-session-id': session.id });
    const lastEventId = single(request.headers['last-event-id']);
    if (lastEventId !== undefined) {
      const resumption = session.resume(lastEventId, stream);
      if (resumption === 'unknown') refuse(answer, 400, 'Invalid event ID format');
      // The only status after which clients do not retry.
      if (resumption === 'abandoned') {
        const reason = 'The request was cancelled, or its answer is no longer kept.';
        refuse(answer, 405, reason);
      }
    } else if (!session.listen(stream)) {
      refuse(answer, 409, 'Conflict: Only one SSE stream is allowed per session');
    }
  }

  delete(request: RequestHead, answer: Answer, principal: Principal | undefined): void {
    const session = this.#find(request, answer, principal);
    if (!session) return;
    this.#end(session, 'call-cancelled');
    answer.empty(200);
  }

  keepAlive(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      if (session.isIdle && now - session.lastUsed > IDLE_MS) this.#end(session, 'call-cancelled');
      else session.keepAlive();
    }
  }

  close(): void {
    for (const session of this.#sessions.values()) this.#end(session, 'instance-lost');
  }

  #open(
    request: RequestHead,
    messages: readonly Message[],
    answer: Answer,
    surface: Surface,
  ): void {
    const again = this.#owned(single(request.headers['mcp-session-id']), surface.principal);
    if (messages.length > 1) {
      const reason = 'Invalid Request: Only one initialization request is allowed';
      return refuse(answer, 400, reason, INVALID_REQUEST);
    }
    if (again)
      return refuse(answer, 400, 'Invalid Request: Server already initialized', INVALID_REQUEST);
    this.#makeRoom(surface.principal);
    const session = new HttpSession(surface, this.#memory);
    this.#sessions.set(session.id, session);
    session.post(messages, answer.with({ 'mcp-session-id': session.id }));
  }

  /** The session with this id, if it belongs to this principal. For others it does not exist. */
  #owned(id: string | undefined, principal: Principal | undefined): HttpSession | undefined {
    const found = id === undefined ? undefined : this.#sessions.get(id);
    return found && isSameParty(found.session.principal, principal) ? found : undefined;
  }

  #find(
    request: RequestHead,
    answer: Answer,
    principal: Principal | undefined,
  ): HttpSession | undefined {
    const id = single(request.headers['mcp-session-id']);
    if (id === undefined) {
      refuse(answer, 400, 'Bad Request: Mcp-Session-Id header is required');
      return undefined;
    }
    const session = this.#owned(id, principal);
    if (!session) {
      sessionNotFound(answer);
      return undefined;
    }
    session.session.principal = principal;
    const version = single(request.headers['mcp-protocol-version']);
    if (version !== undefined && !(SESSION_VERSIONS as readonly string[]).includes(version)) {
      const supported = SESSION_VERSIONS.join(', ');
      const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`;
      refuse(answer, 400, message);
      return undefined;
    }
    return session;
  }

  #end(session: HttpSession, code: CallsignErrorCode): void {
    this.#sessions.delete(session.id);
    session.end(code);
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
}
