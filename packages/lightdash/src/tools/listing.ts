/** Lists that cost few tokens: one page at a time, a few fields per item, and the total. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';

import type { Page, PageRequest } from '../client/page.js';
import { answer } from './answer.js';
import { selected, type FieldShape } from './selection.js';

const USUAL_PAGE = 25;
const LONGEST_PAGE = 100;
const LAST_PAGE = 100_000;

/** The arguments of every list. */
interface ListInput<Field extends string> {
  readonly page: z.ZodDefault<z.ZodInt>;
  readonly pageSize: z.ZodDefault<z.ZodInt>;
  readonly fields: z.ZodDefault<z.ZodArray<z.ZodEnum<{ [Each in Field]: Each }>>>;
}

/** One page of a list. */
export interface ListPage extends PageRequest {
  readonly items: readonly object[];
  /** Over all pages. */
  readonly total: number;
}

export interface Listing<Field extends string> {
  readonly input: ListInput<Field>;
  readonly output: z.ZodObject;
  answer(page: ListPage, fields: readonly Field[]): CallToolResult;
}

/**
 * A list under the key `things`. Items have the fields `usual`, unless the caller asks for others
 * of `shape`.
 */
export function listing<Shape extends FieldShape>(
  things: string,
  shape: Shape,
  usual: readonly (keyof Shape & string)[],
): Listing<keyof Shape & string> {
  type Field = keyof Shape & string;
  const names = Object.keys(shape) as [Field, ...Field[]];
  return {
    input: {
      page: z.int().min(1).max(LAST_PAGE).default(1).describe('Which page, from 1.'),
      pageSize: z
        .int()
        .min(1)
        .max(LONGEST_PAGE)
        .default(USUAL_PAGE)
        .describe('How many of them on a page.'),
      fields: z
        .array(z.enum(names))
        .min(1)
        .default([...usual])
        .describe(
          'The fields to return of each. Ask for more only if you need them.',
        ) as ListInput<Field>['fields'],
    },
    output: z.object({
      [things]: z.array(z.object(shape).partial()),
      total: z.number().describe('How many there are over all pages.'),
      page: z.number(),
      pageSize: z.number(),
      pageCount: z.number(),
    }),
    answer({ items, total, page, pageSize }, fields) {
      return answer({
        [things]: items.map((item) => selected(item, shape, fields)),
        total,
        page,
        pageSize,
        pageCount: Math.ceil(total / pageSize),
      });
    },
  };
}

/** One page of a list that Lightdash only returns as a whole. */
export function pageOf(items: readonly object[], { page, pageSize }: PageRequest): ListPage {
  const start = (page - 1) * pageSize;
  return { items: items.slice(start, start + pageSize), total: items.length, page, pageSize };
}

/** A page from Lightdash, or the whole list from a server without pages. */
export function pageFrom({ data, pagination }: Page<object>, request: PageRequest): ListPage {
  if (!pagination) return pageOf(data, request);
  const { page, pageSize } = request;
  return { items: data, total: pagination.totalResults, page, pageSize };
}

/** Items whose name contains the text. */
export function named<T extends { readonly name: string }>(
  items: readonly T[],
  searchQuery: string | undefined,
): readonly T[] {
  const wanted = searchQuery?.toLowerCase();
  if (wanted === undefined) return items;
  return items.filter(({ name }) => String(name).toLowerCase().includes(wanted));
}
