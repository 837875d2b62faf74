/** Headers that repeat parts of a stateless request's body, for proxies that do not read bodies. */

import { memberText, valueAt } from '@callsign/core';

import { encodeHeader } from '../message/header-text.js';
import { headerText, paramHeaders } from '../message/param-headers.js';
import { NAMED_IN_HEADER, NEWEST_STATELESS } from '../message/protocol.js';
import type { Outgoing } from '../stream/channel.js';

/**
 * The headers for one request: version, method, name, and the arguments that the tool's schema
 * declares as headers.
 */
export function statelessHeaders(about: Outgoing): Record<string, string> {
  const { method } = about;
  const headers: Record<string, string> = { 'mcp-protocol-version': NEWEST_STATELESS };
  if (method === undefined) return headers;
  headers['mcp-method'] = encodeHeader(method);
  const name = nameOf(about);
  if (name !== undefined) headers['mcp-name'] = encodeHeader(name);
  if (method === 'tools/call') addParams(headers, about);
  return headers;
}

function nameOf({ method = '', name, params }: Outgoing): string | undefined {
  const key = NAMED_IN_HEADER.get(method);
  if (key === undefined) return undefined;
  // A resource may have been found by its template. The header must be the URI in the body.
  if (name !== undefined && key === 'name') return name;
  const text = params === undefined ? undefined : memberText(params, key);
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return typeof value === 'string' ? value : undefined;
}

function addParams(headers: Record<string, string>, { item, params }: Outgoing): void {
  const declared = item === undefined ? [] : paramHeaders(item);
  if (declared.length === 0 || params === undefined) return;
  const text = memberText(params, 'arguments');
  if (text === undefined) return;
  const args: unknown = JSON.parse(text);
  for (const { header, path } of declared) {
    const value = headerText(valueAt(args, path));
    if (value !== undefined) headers[header] = encodeHeader(value);
  }
}
