/** The admin API of a running gateway: methods, paths and their handlers. */

interface AdminRequest {
  /** The value in the path for each `:name`. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  /** The JSON body; `undefined` if there was none. */
  readonly body: unknown;
}

/** Returns the JSON reply, or a `ReadableStream` of events, or throws an `AdminError`. */
export type AdminHandler = (request: AdminRequest) => unknown;

export interface AdminAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A refused request, with the reason. */
export class AdminError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'AdminError';
    this.status = status;
  }
}

interface AdminRoute {
  readonly method: string;
  readonly words: readonly string[];
  readonly handler: AdminHandler;
}

export class AdminRouter {
  readonly #routes: AdminRoute[] = [];

  /** Handles requests for a path such as `/approvals/:id`. */
  on(method: 'GET' | 'POST' | 'DELETE', path: string, handler: AdminHandler): void {
    this.#routes.push({ method, words: wordsOf(path), handler });
  }

  async answer(method: string, target: string, body: unknown): Promise<AdminAnswer> {
    try {
      const { pathname, searchParams: query } = new URL(target, 'http://gateway');
      const words = wordsOf(pathname);
      const matching = this.#routes.flatMap((route) => {
        const params = paramsOf(route.words, words);
        return params ? [{ route, params }] : [];
      });
      if (matching.length === 0) throw new AdminError(404, `There is nothing at ${pathname}.`);
      const found = matching.find(({ route }) => route.method === method);
      if (!found) throw new AdminError(405, `${pathname} does not take ${method}.`);
      const { route, params } = found;
      return { status: 200, body: await route.handler({ params, query, body }) };
    } catch (error) {
      return { status: statusOf(error), body: { error: (error as Error).message } };
    }
  }
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
