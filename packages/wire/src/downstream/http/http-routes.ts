/** Passes requests that passed all checks to the leg for their path, era and transport. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Principal, Source } from '@callsign/core';

import { isJson } from '../../rpc/http-server/json-type.js';
import { tooLong } from '../client-message.js';
import type { HeldCalls } from '../held-calls.js';
import type { Session } from '../session.js';
import type { Surface } from '../surface.js';
import { MCP_PATH, MCP_URL, profileIn } from './address.js';
import { readBody, type Body } from './body.js';
import { InstanceRelay, type Arrival } from './instance-relay.js';
import { showPage, type Page } from './page.js';
import { PostedWork } from './posted-work.js';
import { refuse } from './refuse.js';
import { SessionLeg } from './session-leg.js';
import { SseLeg } from './sse-leg.js';
import { StatelessLeg } from './stateless-leg.js';

export interface HttpRoutesOptions {
  readonly surface: Surface;
  readonly held: HeldCalls;
  readonly maxBodyBytes: number;
  /** The view for a profile in the path; `undefined` if there is no such profile. */
  readonly viewOf: (profile: string, principal?: Principal) => Source | undefined;
}

/** A request with its address, and the page at that address, if there is one. */
export interface Visit extends Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly page: Page | undefined;
}

export class HttpRoutes {
  /** Requests that belong to other instances, or that must not begin here any more. */
  readonly relay: InstanceRelay;
  readonly #options: HttpRoutesOptions;
  readonly #session = new SessionLeg();
  readonly #stateless = new StatelessLeg();
  readonly #sse = new SseLeg();
  readonly #posted: PostedWork;

  constructor(options: HttpRoutesOptions) {
    this.#options = options;
    const { surface, held } = options;
    const [session, stateless] = [this.#session, this.#stateless];
    const isHere = (id: string): boolean => session.has(id) || this.#sse.has(id);
    this.relay = new InstanceRelay({ homes: surface.homes, held, isHere });
    this.#posted = new PostedWork({ session, stateless, relay: this.relay, held });
  }

  /** Clients that can be asked outside of any call. */
  sessions(): Session[] {
    return [...this.#session.sessions(), ...this.#sse.sessions()];
  }

  /** Requests without an answer. Streams for messages that belong to no request do not count. */
  get callsUnderWay(): number {
    return [this.#session, this.#stateless, this.#sse, this.relay].reduce(
      (sum, { callsUnderWay }) => sum + callsUnderWay,
      0,
    );
  }

  keepAlive(): void {
    for (const leg of [this.#session, this.#stateless, this.#sse]) leg.keepAlive();
  }

  close(): void {
    for (const leg of [this.#session, this.#stateless, this.#sse]) leg.close();
  }

  /** Handles a POST to `/mcp` whose body is here. */
  takePosted(body: Body, arrival: Arrival, principal: Principal | undefined): void {
    this.#posted.take(body, arrival, this.#surfaceFor(principal));
  }

  take(visit: Visit, principal?: Principal): void {
    const { request, response, answer, url, page } = visit;
    const { maxBodyBytes } = this.#options;
    const surface = this.#surfaceFor(principal);
    if (url === MCP_URL) return this.#mcp(visit, surface);
    const { pathname, searchParams } = url;
    const profile = profileIn(pathname);
    const view = profile === undefined ? undefined : this.#options.viewOf(profile, principal);
    if (view || pathname === MCP_PATH) return this.#mcp(visit, surface, view);
    if (pathname === '/sse' && request.method === 'GET') {
      return this.relay.isDraining
        ? this.relay.refuseSession(visit)
        : this.#sse.open(answer, surface);
    }
    if (pathname === '/messages' && request.method === 'POST') {
      const id = searchParams.get('sessionId') ?? '';
      if (!surface.homes || this.#sse.has(id)) {
        return this.#sse.post(request, response, { id, principal, maxBytes: maxBodyBytes });
      }
      return this.relay.forward(visit, request, id, maxBodyBytes);
    }
    if (page && page.mayRead?.(principal) !== false) return void showPage(page, request, answer);
    request.resume();
    if (page) return refuse(answer, 403, `No role of this caller may read ${pathname}.`);
    refuse(answer, 404, `There is nothing at ${pathname}. The MCP endpoint is /mcp.`);
  }

  #surfaceFor(principal: Principal | undefined): Surface {
    const { surface } = this.#options;
    return principal ? { ...surface, principal } : surface;
  }

  #mcp(visit: Visit, own: Surface, view?: Source): void {
    const { request, answer } = visit;
    if (request.method === 'GET' || request.method === 'DELETE') {
      if (this.relay.takesSession(visit)) return;
      if (request.method === 'GET') return this.#session.get(request, answer, own.principal);
      return this.#session.delete(request, answer, own.principal);
    }
    if (request.method !== 'POST') {
      answer.with({ allow: 'GET, POST, DELETE' });
      return refuse(answer, 405, 'Method not allowed.');
    }
    if (!isJson(request.headers['content-type'] ?? '')) {
      request.resume();
      const advice = 'Unsupported Media Type: Content-Type must be application/json';
      return refuse(answer, 415, advice);
    }
    const { maxBodyBytes } = this.#options;
    readBody(request, maxBodyBytes, (body) => {
      if (body === 'too-large') return answer.json(413, tooLong(maxBodyBytes).reply);
      this.#posted.take(body, visit, own, view);
    });
  }
}
