/** Maps methods and paths of the admin API to handlers. Knows nothing of HTTP connections. */

import { OWNER, type AdminCaller } from './admin-caller.js';
import { AdminError } from './admin-error.js';

interface AdminRequest {
  /** The value in the path for each `:name`. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  /** The JSON body; `undefined` if there was none. */
  readonly body: unknown;
  readonly caller: AdminCaller;
  /** Aborted if the client disconnects before it has its reply. */
  readonly signal: AbortSignal;
}

/** Returns the JSON reply, or a `ReadableStream` of events, or throws an `AdminError`. */
export type AdminHandler = (request: AdminRequest) => unknown;

export interface AdminAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What a request needs besides its method, path and body. */
export interface AdminRequestOptions {
  /** Default: the user who runs the gateway. */
  readonly caller?: AdminCaller;
  readonly signal?: AbortSignal;
}

interface AdminRoute {
  readonly method: string;
  readonly words: readonly string[];
  readonly handler: AdminHandler;
}

/** The path of this version of the API. The socket takes paths with and without it. */
export const ADMIN_PATH = '/admin/v1';

/** One router serves both the admin socket and the console, so that both have the same paths. */
export class AdminRouter {
  readonly #routes: AdminRoute[] = [];
  #pause: Promise<void> | undefined;

  /** From now on requests wait until the returned function is called, because paths are still missing. */
  hold(): () => void {
    let release!: () => void;
    this.#pause = new Promise((done) => (release = done));
    return () => {
      this.#pause = undefined;
      release();
    };
  }

  /** Handles requests for a path such as `/approvals/:id`. Only operators may use methods other than GET. */
  on(method: 'GET' | 'POST' | 'DELETE', path: string, handler: AdminHandler): void {
    this.#routes.push({ method, words: wordsOf(path), handler });
  }

  /** Every method and path, such as `GET /tools/:name`. */
  get routes(): readonly string[] {
    return this.#routes.map(({ method, words }) => `${method} /${words.join('/')}`);
  }

  /** Never rejects: errors of handlers become a status and a message. */
  async answer(
    method: string,
    target: string,
    body: unknown,
    { caller = OWNER, signal = new AbortController().signal }: AdminRequestOptions = {},
  ): Promise<AdminAnswer> {
    try {
      if (this.#pause) await this.#pause;
      const { pathname, searchParams: query } = new URL(ownPath(target), 'http://gateway');
      const words = wordsOf(pathname);
      const matching = this.#routes.flatMap((route) => {
        const params = paramsOf(route.words, words);
        return params ? [{ route, params }] : [];
      });
      if (matching.length === 0) throw new AdminError(404, `There is no path ${pathname}.`);
      const found = matching.find(({ route }) => route.method === method);
      if (!found) throw new AdminError(405, `${pathname} does not allow ${method}.`);
      if (method !== 'GET' && caller.role !== 'operator') {
        throw new AdminError(403, 'Your key is for viewing only. Use the key of an operator.');
      }
      const { route, params } = found;
      return { status: 200, body: await route.handler({ params, query, body, caller, signal }) };
    } catch (error) {
      return { status: statusOf(error), body: { error: (error as Error).message } };
    }
  }
}

/** The path without the version in front. */
function ownPath(target: string): string {
  return target.startsWith(`${ADMIN_PATH}/`) ? target.slice(ADMIN_PATH.length) : target;
}

function statusOf(error: unknown): number {
  if (error instanceof AdminError) return error.status;
  // An invalid escape in the path is the client's error.
  return error instanceof URIError ? 400 : 500;
}

function wordsOf(path: string): string[] {
  return path.split('/').filter((word) => word !== '');
}

function paramsOf(
  pattern: readonly string[],
  words: readonly string[],
): ReadonlyMap<string, string> | undefined {
  if (pattern.length !== words.length) return undefined;
  const params = new Map<string, string>();
  for (const [i, part] of pattern.entries()) {
    if (part.startsWith(':')) params.set(part.slice(1), decodeURIComponent(words[i]!));
    else if (part !== words[i]) return undefined;
  }
  return params;
}
