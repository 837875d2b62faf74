/** The old pair of HTTP endpoints: a stream to read from and an address to post to. */

import { BadMessage, readClientMessage } from '../client-message.js';
import { Session } from '../session.js';
import { servedFor, type ServedSource } from '../served-source.js';
import { isSameParty } from './authenticate.js';
import type { HttpResponse } from './http-response.js';
import type { Incoming, InstanceRelay } from './instance-relay.js';
import { isJson, readBody } from './request-body.js';

export interface SseEndpointsOptions {
  readonly served: ServedSource;
  readonly maxBodyBytes: number;
}

export class SseEndpoints {
  readonly #options: SseEndpointsOptions;
  readonly #relay: InstanceRelay;
  readonly #sessions = new Map<
    string,
    { readonly session: Session; readonly stream: HttpResponse }
  >();

  constructor(options: SseEndpointsOptions, relay: InstanceRelay) {
    this.#options = options;
    this.#relay = relay;
  }

  sessions(): Session[] {
    return Array.from(this.#sessions.values(), ({ session }) => session);
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  get callsUnderWay(): number {
    return this.sessions().reduce((sum, { callsUnderWay }) => sum + callsUnderWay, 0);
  }

  /** Opens a session and its stream. */
  open(incoming: Incoming): void {
    if (this.#relay.isDraining) return this.#relay.refuseSession(incoming);
    const { response: stream, principal } = incoming;
    const served = servedFor(this.#options.served, principal);
    const session = new Session(served, (text) => stream.event(text));
    const id = served.routing?.mark(session.id) ?? session.id;
    this.#sessions.set(id, { session, stream });
    stream.startStream();
    stream.comment(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
    stream.onClose(() => {
      this.#sessions.delete(id);
      session.end();
    });
  }

  /** Handles a message for the session with this id. */
  async post(incoming: Incoming, id: string): Promise<void> {
    const { request, response, principal } = incoming;
    const { served, maxBodyBytes } = this.#options;
    const found = this.#sessions.get(id);
    if (!found && served.routing) {
      const body = await readBody(request, maxBodyBytes);
      const isTaken =
        typeof body === 'object' && this.#relay.relaysSession(incoming, body.text, id);
      return isTaken ? undefined : response.sessionNotFound();
    }
    const say = (status: number, text: string): void => response.text(status, 'text/plain', text);
    // For other principals the session does not exist.
    if (!found || !isSameParty(found.session.principal, principal)) {
      request.resume();
      return say(404, 'Session not found');
    }
    const { 'content-type': type } = request.headers;
    if (!isJson(type)) {
      request.resume();
      return say(400, `Error: Unsupported content-type: ${type ?? ''}`);
    }
    const body = await readBody(request, maxBodyBytes);
    if (body === 'gone') return;
    if (body === 'too-large') return say(413, 'Message too large');
    const message = readClientMessage(body.text, body.ends);
    if (message instanceof BadMessage) return say(400, message.message);
    say(202, 'Accepted');
    found.session.receive(message);
  }

  keepAlive(): void {
    for (const { stream } of this.#sessions.values()) stream.comment(': keepalive\n\n');
  }

  close(): void {
    for (const { session, stream } of this.#sessions.values()) {
      session.end();
      stream.end();
    }
  }
}
