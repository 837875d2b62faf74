/**
 * Arguments that a tool's schema wants repeated in HTTP headers (`x-mcp-header`), and their text.
 */

import { memberText, type Item } from '@callsign/core';

/** One argument and its header. */
export interface ParamHeader {
  /** The header's name, in lower case. */
  readonly header: string;
  /** The path to the argument. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** By definition: a call must not read the schema again. */
const known = new WeakMap<Item, readonly ParamHeader[]>();
const NONE: readonly ParamHeader[] = [];

/** The headers that a tool asks for. Cached. */
export function paramHeaders(item: Item): readonly ParamHeader[] {
  let headers = known.get(item);
  if (headers === undefined) {
    headers = item.json.includes('"x-mcp-header"') ? readHeaders(item) : NONE;
    known.set(item, headers);
  }
  return headers;
}

/** The text of an argument in its header; `undefined` if it cannot be written there. */
export function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function readHeaders(item: Item): ParamHeader[] {
  const text = memberText(item.json, 'inputSchema');
  return text === undefined ? [] : Array.from(declared(JSON.parse(text), []));
}

function* declared(schema: unknown, path: readonly string[]): Generator<ParamHeader> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = schema as Record<string, unknown>;
  if (typeof properties !== 'object' || properties === null) return;
  for (const [key, property] of Object.entries(properties)) {
    const { 'x-mcp-header': name, type } = (property ?? {}) as Record<string, unknown>;
    const isToken = typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
    if (isToken && (type === 'string' || type === 'integer' || type === 'boolean')) {
      yield { header: `mcp-param-${name.toLowerCase()}`, path: [...path, key], type };
    }
    yield* declared(property, [...path, key]);
  }
}
