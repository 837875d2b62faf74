/** One request to the sandbox, and functions that read its common parts. */

import { invalid, ApiProblem } from './api-problem.js';
import type { World } from './world/world.js';

/** What a route needs to answer one request. */
export interface Exchange {
  readonly world: World;
  /** The values of the pattern's parameters. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Extra headers of the answer. */
  readonly headers: Map<string, string>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function param({ params }: Exchange, name: string): string {
  return params.get(name) ?? '';
}

/** Some addresses check the form of an identifier before they look it up. */
export function uuidParam(exchange: Exchange, name: string): string {
  const value = param(exchange, name);
  if (!UUID.test(value)) throw invalid(name, 'Not match in UUID', value);
  return value;
}

export function bodyField(exchange: Exchange, name: string): unknown {
  const { body } = exchange;
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  if (value === undefined) throw invalid(`requestBody.${name}`, `'${name}' is required`, undefined);
  return value;
}

export function textField(exchange: Exchange, name: string): string {
  const value = bodyField(exchange, name);
  if (typeof value !== 'string')
    throw invalid(`requestBody.${name}`, 'invalid string value', value);
  return value;
}

/** Marks the answer of a deprecated address. */
export function deprecated({ headers }: Exchange, replacement: string): void {
  headers.set('Deprecation', 'Wed, 10 Jun 2026 00:00:00 GMT');
  headers.set('Sunset', 'Thu, 10 Sep 2026 00:00:00 GMT');
  headers.set('Warning', `299 - "This endpoint is deprecated. Use ${replacement}."`);
}

/** Pages only if both numbers are given and not zero, as Lightdash does. */
export function paged<T>({ query }: Exchange, all: readonly T[]): object {
  const page = numberIn(query, 'page');
  const pageSize = numberIn(query, 'pageSize');
  if (!page || !pageSize) return { data: all };
  for (const [name, value] of Object.entries({ page, pageSize })) {
    if (value < 1) throw new ApiProblem(422, 'PaginationError', `${name} should be greater than 0`);
  }
  return {
    data: all.slice((page - 1) * pageSize, page * pageSize),
    pagination: {
      page,
      pageSize,
      totalPageCount: Math.ceil(all.length / pageSize),
      totalResults: all.length,
    },
  };
}

export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw invalid(name, 'invalid float number', text);
  return value;
}

/** Whether a text contains the search text, ignoring case. */
export function holds(search: string | null, ...texts: readonly (string | undefined)[]): boolean {
  const wanted = search?.toLowerCase() ?? '';
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}
