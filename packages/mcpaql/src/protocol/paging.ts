/**
 * One form of paging for callers, for every style of the target. Cursors are signed and cannot be
 * forged.
 */

import { createHmac, randomBytes } from 'node:crypto';

import { valueAt } from '@callsign/core';
import { sameText } from '@callsign/wire/rpc';

import type { Operation, Pagination, Param } from '../adapter/adapter.js';
import type { Warning } from './envelope.js';
import type { Executed } from './executor.js';
import { ProtocolError } from './protocol-error.js';
import type { Params } from './validate.js';

/** The requested page, and the target's parameters for it. */
export interface PagePlan {
  readonly pagination: Pagination;
  readonly size: number;
  /** An offset, a page number or the target's own cursor. `undefined` for the first page of a cursor. */
  readonly position: number | string | undefined;
  /** Whether the caller sent a position, so that the answer has one too. */
  readonly counted: boolean;
  /** The parameters that are not for paging. */
  readonly params: Params;
  /** The target's own parameters for this page. */
  readonly query: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
}

/** Signs cursors. It is new for each process, so a cursor is valid only while this process runs. */
const KEY = randomBytes(32);

const whole = (name: string, minimum: number, description: string): Param => ({
  name,
  type: 'integer',
  minimum,
  required: false,
  description,
});

/** The paging parameters of this operation. */
export function pagingParams({ style, max_limit }: Pagination): Param[] {
  const cursor: Param[] = [
    whole('first', 1, `How many to return, at most ${max_limit}.`),
    {
      name: 'after',
      type: 'string',
      required: false,
      description: 'endCursor of the page before.',
    },
  ];
  if (style === 'offset') {
    return [...cursor, whole('limit', 1, 'Like first.'), whole('offset', 0, 'How many to skip.')];
  }
  if (style === 'page') {
    return [
      ...cursor,
      whole('page_size', 1, 'Like first.'),
      whole('page', 0, 'Number of the page.'),
    ];
  }
  return cursor;
}

export function planPage(operation: Operation, params: Params): PagePlan | undefined {
  const { pagination } = operation;
  if (!pagination) return undefined;
  const { style, default_limit, max_limit, first_page, limit_param, position_param } = pagination;
  const rest = new Map(params);
  const take = (name: string): unknown => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const first = take('first');
  const after = take('after');
  checkTogether(first, after, params);
  // The operation's own parameter may be the target's limit or position.
  const ownLimit = takeOwn(operation, rest, limit_param);
  const ownPosition = takeOwn(operation, rest, position_param);
  const limit = take(style === 'page' ? 'page_size' : 'limit') ?? ownLimit;
  const place = style === 'offset' ? take('offset') : style === 'page' ? take('page') : undefined;
  const wanted = Number(first ?? limit ?? default_limit);
  const cursor = after === undefined ? undefined : readCursor(operation, String(after));
  // A page number counts pages of one size, so a cursor keeps its size.
  const isNumbered = style === 'page' || style === 'link_header';
  const size = cursor && isNumbered ? cursor.size : Math.min(wanted, max_limit);
  const start = { offset: 0, page: first_page, cursor: undefined, link_header: undefined }[style];
  const counted = first === undefined && style !== 'cursor' && style !== 'link_header';
  const position = cursor?.position ?? ((place ?? ownPosition ?? start) as PagePlan['position']);
  const query = new Map([[limit_param, String(size)]]);
  if (position !== undefined) query.set(position_param, String(position));
  const warnings = wanted === size ? [] : [clamped(wanted, size)];
  const isCounted = counted && (limit !== undefined || place !== undefined);
  return { pagination, size, position, counted: isCounted, params: rest, query, warnings };
}

/** The list of an answer with the data for the next page. An answer without a list is unchanged. */
export function pageOf(
  operation: Operation,
  plan: PagePlan,
  { data, nextLink }: Executed,
): unknown {
  const { pagination, position, size } = plan;
  const items = dottedValue(data, pagination.items);
  if (!Array.isArray(items)) return data;
  const counted = dottedValue(data, pagination.total);
  const total = pagination.total !== undefined && typeof counted === 'number' ? counted : undefined;
  const next = nextPosition(plan, items.length, total, data, nextLink);
  if (!plan.counted) {
    const endCursor =
      next === undefined ? {} : { endCursor: writeCursor(operation, { position: next, size }) };
    const totalCount = total === undefined ? {} : { totalCount: total };
    const hasPreviousPage = position !== undefined && Number(position) !== startOf(pagination);
    const pageInfo = {
      hasNextPage: next !== undefined,
      hasPreviousPage,
      ...endCursor,
      ...totalCount,
    };
    return { items, pageInfo };
  }
  const has_more = next !== undefined;
  const totals = total === undefined ? {} : { total_items: total };
  if (pagination.style === 'offset') {
    const returned = items.length;
    return { items, pagination: { limit: size, offset: position, returned, ...totals, has_more } };
  }
  const pages = total === undefined ? {} : { total_pages: Math.ceil(total / size) };
  return { items, pagination: { page: position, page_size: size, ...totals, ...pages, has_more } };
}

/** The value at a dotted path. Without a path it is the whole value. */
function dottedValue(data: unknown, path: string | undefined): unknown {
  return path === undefined ? data : valueAt(data, path.split('.'));
}

function startOf({ style, first_page }: Pagination): number {
  return style === 'page' ? first_page : 0;
}

function nextPosition(
  { pagination, position, size }: PagePlan,
  returned: number,
  total: number | undefined,
  data: unknown,
  nextLink: string | undefined,
): number | string | undefined {
  const { style, next_cursor, position_param } = pagination;
  if (style === 'cursor') {
    const cursor = next_cursor === undefined ? undefined : dottedValue(data, next_cursor);
    return typeof cursor === 'number' || (typeof cursor === 'string' && cursor !== '')
      ? cursor
      : undefined;
  }
  if (style === 'link_header') {
    const isUrl = nextLink !== undefined && URL.canParse(nextLink, 'https://target.invalid');
    const url = isUrl ? new URL(nextLink, 'https://target.invalid') : undefined;
    return url?.searchParams.get(position_param) ?? undefined;
  }
  const at = Number(position);
  const seen = style === 'offset' ? at + returned : (at - pagination.first_page) * size + returned;
  const hasMore = total === undefined ? returned >= size : seen < total && returned > 0;
  if (!hasMore) return undefined;
  return style === 'offset' ? at + returned : at + 1;
}

function takeOwn({ params }: Operation, rest: Map<string, unknown>, wireName: string): unknown {
  for (const [name, { as = name }] of params) {
    if (as !== wireName || !rest.has(name)) continue;
    const value = rest.get(name);
    rest.delete(name);
    return value;
  }
  return undefined;
}

function checkTogether(first: unknown, after: unknown, params: Params): void {
  if (after !== undefined && first === undefined) {
    throw misused("'after' needs 'first': say how many to return.");
  }
  const other = ['limit', 'offset', 'page', 'page_size'].find((name) => params.has(name));
  if (after !== undefined && (other === 'offset' || other === 'page')) {
    throw misused(`'after' and '${other}' both say where the page starts; send one of them.`);
  }
}

function clamped(wanted: number, size: number): Warning {
  const limit = wanted > size ? 'at most ' : '';
  const message = `${wanted} were requested; one page has ${limit}${size}.`;
  return { code: 'VALIDATION_TRUNCATED_WARNING', message };
}

/** Where the next page starts, and the size of the pages before it. */
interface Cursor {
  readonly position: number | string;
  readonly size: number;
}

function writeCursor({ name }: Operation, cursor: Cursor): string {
  const body = Buffer.from(JSON.stringify(cursor)).toString('base64url');
  return `${body}.${seal(name, body)}`;
}

function readCursor({ name }: Operation, cursor: string): Cursor {
  const [body = '', mac = '', ...more] = cursor.split('.', 3);
  if (more.length > 0 || !sameText(mac, seal(name, body))) {
    throw misused(
      "'after' is not a cursor of this operation, or it is too old; start again without it.",
    );
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Cursor;
}

function seal(name: string, body: string): string {
  return createHmac('sha256', KEY).update(`${name}\n${body}`).digest('base64url').slice(0, 16);
}

function misused(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, { param_name: 'after' });
}
