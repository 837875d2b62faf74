/** Guesses the paging of an operation from the names of its parameters and response fields. */

import { memberOf } from '@callsign/core';

import type { PaginationDocument, PaginationStyle } from '../../adapter/adapter-document.js';
import { snakeName } from '../imported/snake-names.js';
import { childOf, type SpecNode, textOf } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';
import type { WireParam } from './parameter-reader.js';
import type { ReadResponse } from './response-reader.js';

/** Always a guess: OpenAPI does not describe paging, so a person should check it. */
export interface PaginationGuess {
  readonly pagination: PaginationDocument;
  /** The parameters that the protocol's paging parameters replace. */
  readonly replaced: ReadonlySet<string>;
}

const LIMITS =
  /^(?:limit|per_page|page_size|pagesize|perpage|max_results|maxresults|count|size|first|top|rows|take)$/;
const POSITIONS: readonly (readonly [PaginationStyle, RegExp])[] = [
  [
    'cursor',
    /^(?:cursor|after|starting_after|page_token|next_token|next_page_token|continuation(?:_token)?|marker)$/,
  ],
  ['offset', /^(?:offset|skip|start|from|start_at|start_index)$/],
  ['page', /^(?:page|page_number|page_no|pagenum|p)$/],
];
const TOTALS =
  /^(?:total|total_count|total_items|total_results|total_size|count|result_count|total_records)$/;
const CURSORS =
  /^(?:next_cursor|next|cursor|next_token|next_page_token|next_page|end_cursor|continuation(?:_token)?|after|marker|next_marker)$/;
/** Objects with data about the page, not about its elements. */
const ENVELOPES =
  /^(?:meta|metadata|paging|pagination|page_info|page|links|data|response_metadata|next|next_page)$/;
/** Objects that may have the position of the next page under the name of the parameter. */
const NEXT = /^(?:next|next_page)\./i;
const FIELD = /^[A-Za-z_][\w-]*$/;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const HARD_LIMIT = 1000;

export function guessPagination(
  params: readonly WireParam[],
  response: ReadResponse,
  reader: SpecReader,
): PaginationGuess | undefined {
  if (response.format !== 'json') return undefined;
  const query = params.filter(({ place, param }) => place === 'query' && !param.required);
  const limit = query.find(({ wireName }) => LIMITS.test(folded(wireName)));
  const found = POSITIONS.flatMap(([style, names]) => {
    const param = query.find((each) => names.test(folded(each.wireName)) && !isTime(each));
    // A text that the API returned is a cursor under any name: "offset=0" would be refused.
    return param ? [{ style: isCounted(param) ? style : ('cursor' as const), param }] : [];
  })[0];
  const position = found?.param;
  if (!found || !position || (!limit && found.style !== 'page' && !response.hasLink))
    return undefined;
  const style: PaginationStyle = response.hasLink ? 'link_header' : found.style;
  const places = response.schema ? placesIn(response.schema, position.wireName, reader) : undefined;
  // Counting needs the path of the list. Continuing needs the next cursor.
  if (places === undefined && !response.hasLink) return undefined;
  if (style === 'cursor' && places?.next_cursor === undefined) return undefined;
  const max = Math.min(Math.max(limit?.param.maximum ?? MAX_LIMIT, 1), HARD_LIMIT);
  const standard = typeof limit?.param.default === 'number' ? limit.param.default : DEFAULT_LIMIT;
  const { items, total, next_cursor } = places ?? {};
  return {
    pagination: {
      style,
      default_limit: Math.round(Math.min(Math.max(standard, 1), max)),
      max_limit: Math.floor(max),
      limit_param: limit?.wireName ?? 'limit',
      position_param: position.wireName,
      ...(style === 'page' && position.param.default === 0 ? { first_page: 0 } : {}),
      ...(items === undefined ? {} : { items }),
      ...(total === undefined || style === 'cursor' ? {} : { total }),
      ...(next_cursor === undefined || style !== 'cursor' ? {} : { next_cursor }),
    },
    replaced: new Set([limit?.wireName, position.wireName].filter((name) => name !== undefined)),
  };
}

interface Places {
  readonly items?: string;
  readonly total?: string;
  readonly next_cursor?: string;
}

/** The paths of the list, the total and the next cursor in an answer. `undefined` without a list. */
function placesIn(schema: SpecNode, position: string, reader: SpecReader): Places | undefined {
  if (memberOf(schema.value, 'type') === 'array') return {};
  const leaves = leavesOf(schema, reader);
  const list = leaves.find(({ node }) => memberOf(node.value, 'type') === 'array');
  if (!list) return undefined;
  const total = leaves.find(({ key, node }) => TOTALS.test(folded(key)) && isNumber(node));
  const next = leaves.find(
    ({ key, path, node }) =>
      (CURSORS.test(folded(key)) || (NEXT.test(path) && key === position)) && !hasParts(node),
  );
  return {
    items: list.path,
    ...(total ? { total: total.path } : {}),
    ...(next ? { next_cursor: next.path } : {}),
  };
}

interface Leaf {
  readonly key: string;
  readonly path: string;
  readonly node: SpecNode;
}

/** The properties of an answer, and one level deeper in objects about paging. */
function leavesOf(schema: SpecNode, reader: SpecReader, prefix = ''): Leaf[] {
  const nodes = [schema, ...reader.elements(reader.at(schema, 'allOf'))];
  const own = nodes.flatMap((node) => reader.entries(childOf(node, 'properties')));
  const leaves = own
    .filter(([key]) => FIELD.test(key))
    .map(([key, node]) => ({ key, path: prefix + key, node }));
  if (prefix !== '') return leaves;
  const inner = leaves
    .filter(({ key }) => ENVELOPES.test(folded(key)))
    .flatMap(({ path, node }) => leavesOf(node, reader, `${path}.`));
  return [...leaves, ...inner];
}

/** Whether it has parts of its own, so that it is not a value to send back. */
function hasParts({ value }: SpecNode): boolean {
  return ['properties', 'allOf'].some((key) => memberOf(value, key) !== undefined);
}

/** A position that counts: a number, or a text that is one by default. */
function isCounted({ param }: WireParam): boolean {
  const { type, one_of = [], default: standard, format } = param;
  if (type === 'string') return /^\d+$/.test(String(standard)) || /^u?int/.test(format ?? '');
  return type !== 'union' || one_of.some((form) => form.type !== 'string');
}

/** `after` and `from` may be a day. */
function isTime({ param: { type, format } }: WireParam): boolean {
  return type === 'string' && /^(?:date|time)/.test(format ?? '');
}

function isNumber(node: SpecNode): boolean {
  const type = textOf(node, 'type');
  return type === 'integer' || type === 'number';
}

function folded(name: string): string {
  return snakeName(name) ?? '';
}
