/** Defines the routes of the sandbox and matches requests to them. */

import { ApiProblem, notFound } from './api-problem.js';
import type { Exchange } from './exchange.js';
import type { World } from './world/world.js';

export interface Route {
  readonly method: string;
  /** Its segments. One in braces matches any value. */
  readonly segments: readonly string[];
  /** Returns the results for the envelope. */
  readonly answer: (exchange: Exchange) => unknown;
}

/** `route('GET /api/v1/projects/{projectUuid}', answer)` */
export function route(address: string, answer: Route['answer']): Route {
  const [method = '', pattern = ''] = address.split(' ');
  return { method, segments: pattern.split('/'), answer };
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export function answerCall(
  routes: readonly Route[],
  world: World,
  { method, path, query, body }: ApiCall,
  headers: Map<string, string>,
): unknown {
  const segments = path.split('/').map(decoded);
  for (const each of routes) {
    const params = each.method === method ? matched(each.segments, segments) : undefined;
    if (params) return each.answer({ world, params, query, body, headers });
  }
  throw notFound('API endpoint not found');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiProblem(400, 'URIError', `Failed to decode param '${segment}'`);
  }
}

function matched(
  pattern: readonly string[],
  segments: readonly string[],
): Map<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    if (part.startsWith('{')) params.set(part.slice(1, -1), segment);
    else if (part !== segment) return undefined;
  }
  return params;
}
