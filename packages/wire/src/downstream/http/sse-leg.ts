/** The old pair of HTTP endpoints: a stream to read from and an address to post to. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Principal } from '@callsign/core';

import { isJson } from '../../rpc/http-server/json-type.js';
import { BadMessage, readClientMessage } from '../client-message.js';
import { Session } from '../session.js';
import type { Surface } from '../surface.js';
import type { Answer } from './answer.js';
import { isSameParty } from './authenticate.js';
import { readBody } from './body.js';

/** The session that a message is for, and who sent it. */
export interface SseAddress {
  readonly id: string;
  readonly principal: Principal | undefined;
  readonly maxBytes: number;
}

export class SseLeg {
  readonly #sessions = new Map<string, { readonly session: Session; readonly stream: Answer }>();

  sessions(): Session[] {
    return Array.from(this.#sessions.values(), ({ session }) => session);
  }

  open(stream: Answer, surface: Surface): void {
    const session = new Session(surface, (text) => stream.event(text));
    const id = surface.homes?.mark(session.id) ?? session.id;
    this.#sessions.set(id, { session, stream });
    stream.startStream();
    stream.raw(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
    stream.onClose(() => {
      this.#sessions.delete(id);
      session.end();
    });
  }

  get callsUnderWay(): number {
    return this.sessions().reduce((sum, { callsUnderWay }) => sum + callsUnderWay, 0);
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  post(
    request: IncomingMessage,
    response: ServerResponse,
    { id, principal, maxBytes }: SseAddress,
  ): void {
    const say = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
    };
    const found = this.#sessions.get(id);
    // For other principals the session does not exist.
    if (!found || !isSameParty(found.session.principal, principal)) {
      request.resume();
      return say(404, 'Session not found');
    }
    const type = request.headers['content-type'] ?? '';
    if (!isJson(type)) {
      request.resume();
      return say(400, `Error: Unsupported content-type: ${type}`);
    }
    readBody(request, maxBytes, (body) => {
      if (body === 'too-large') return say(413, 'Message too large');
      const message = readClientMessage(body.text, body.hasControl, body.ends);
      if (message instanceof BadMessage) return say(400, message.message);
      say(202, 'Accepted');
      found.session.receive(message);
    });
  }

  keepAlive(): void {
    for (const { stream } of this.#sessions.values()) stream.raw(': keepalive\n\n');
  }

  close(): void {
    for (const { session, stream } of this.#sessions.values()) {
      session.end();
      stream.end();
    }
  }
}
