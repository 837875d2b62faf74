/**
 * The console and the admin API over HTTP. The files are public and contain no data. Data needs a
 * sign-in.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRecord } from '@callsign/config';

import type { AdminCaller } from '../router/admin-caller.js';
import { readJsonBody, sendJson } from '../router/admin-http.js';
import { ADMIN_PATH } from '../router/admin-router.js';
import type { ConsoleAccess } from './console-access.js';
import { PAGE_HEADERS, readConsoleFiles, type ConsoleFiles } from './console-files.js';

export interface ConsoleSiteOptions {
  /** The folder with the built console. */
  readonly folder: string;
  /** Default: only API keys sign in, as on addresses that other machines can reach. */
  readonly access?: ConsoleAccess;
  /** The owner of an API key of the configuration, or the reason why the key does not open the console. */
  readonly keyHolder?: (
    request: IncomingMessage,
  ) => Promise<AdminCaller | { readonly wrong: string }>;
  /** Serves a request whose caller is known. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, caller: AdminCaller) => void;
  /** Origins besides our own. */
  readonly allowedOrigins?: readonly string[];
  /** Returns false if there is no console here. */
  readonly isOffered?: () => boolean;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const CONSOLE_PATH = '/console';
const SESSION_PATH = `${ADMIN_PATH}/session`;
const SIGN_IN = 'Sign in first. To get a link: callsign console';

/** Two paths: `/console` for the files, and the admin API for the data. */
export class ConsoleSite {
  readonly #options: ConsoleSiteOptions;
  #files: ConsoleFiles | undefined;

  constructor(options: ConsoleSiteOptions) {
    this.#options = options;
  }

  /** The handler for a path; `undefined` if the path is not ours. */
  readonly siteAt = (path: string): Handler | undefined => {
    if (this.#options.isOffered?.() === false) return undefined;
    if (path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`)) {
      return (request, response) => this.#show(path, request, response);
    }
    if (path !== ADMIN_PATH && !path.startsWith(`${ADMIN_PATH}/`)) return undefined;
    return (request, response) => {
      this.#admin(path, request, response).catch(() => response.destroy());
    };
  };

  #show(path: string, request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...PAGE_HEADERS, allow: 'GET' }).end();
      return;
    }
    if (path === CONSOLE_PATH) {
      // Relative, so that it also works behind a proxy that adds a path.
      response.writeHead(308, { ...PAGE_HEADERS, location: 'console/' }).end();
      return;
    }
    const file = this.#file(path.slice(CONSOLE_PATH.length + 1));
    if (!file) {
      response.writeHead(404, { ...PAGE_HEADERS, 'content-type': 'text/plain' });
      response.end('There is no such file in the console. It starts at /console/\n');
      return;
    }
    response.writeHead(200, { ...file.headers, 'content-length': file.body.length });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  }

  #file(name: string): ReturnType<ConsoleFiles['get']> {
    try {
      this.#files ??= readConsoleFiles(this.#options.folder);
    } catch {
      const body = Buffer.from('The console was not built. Run: npm run setup\n');
      return { body, headers: { ...PAGE_HEADERS, 'content-type': 'text/plain' } };
    }
    return this.#files.get(name);
  }

  async #admin(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wrong = this.#originProblem(request);
    if (wrong !== undefined) {
      request.resume();
      return sendJson(response, 403, { error: wrong });
    }
    if (path === SESSION_PATH && request.method === 'POST') return this.#signIn(request, response);
    const caller = await this.#callerOf(request);
    if ('wrong' in caller) {
      request.resume();
      return sendJson(response, 401, { error: caller.wrong });
    }
    if (path !== SESSION_PATH) return this.#options.serve(request, response, caller);
    request.resume();
    if (request.method === 'DELETE') this.#options.access?.revoke(bearerOf(request) ?? '');
    sendJson(response, 200, { role: caller.role, name: caller.principal?.name ?? null });
  }

  /**
   * The origin must match, port included: a page of another port may call `/mcp` but not this API.
   */
  #originProblem({ headers: { origin, host } }: IncomingMessage): string | undefined {
    if (origin === undefined || this.#options.allowedOrigins?.includes(origin)) return undefined;
    const isOwn = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
    return isOwn ? undefined : `Invalid Origin: ${origin}`;
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJsonBody(request).catch(() => undefined);
    const token = isRecord(body) ? body['token'] : undefined;
    const granted = typeof token === 'string' ? this.#options.access?.exchange(token) : undefined;
    if (granted) return sendJson(response, 200, granted);
    const error =
      'This link was already used, or is older than a minute. To get a new one: callsign console';
    sendJson(response, 401, { error });
  }

  async #callerOf(request: IncomingMessage): Promise<AdminCaller | { readonly wrong: string }> {
    const key = bearerOf(request);
    if (key === undefined) return { wrong: SIGN_IN };
    const role = this.#options.access?.roleOf(key);
    if (role !== undefined) return { role };
    return (await this.#options.keyHolder?.(request)) ?? { wrong: SIGN_IN };
  }
}

function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}
