/** Headers that repeat what a stateless request says in its body, so that what stands between can read it. */

import { memberText } from '@callsign/core';

import {
  argumentAt,
  encodeHeader,
  headerText,
  NEWEST_STATELESS,
  paramHeaders,
} from '@callsign/rpc';
import type { Outgoing } from '@callsign/rpc';

/** The methods that name a thing, and where. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

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
  const key = NAMED[method];
  if (key === undefined) return undefined;
  // A resource may be called by its template, but the header is the URI that stands in the body.
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
    const value = headerText(argumentAt(args, path));
    if (value !== undefined) headers[header] = encodeHeader(value);
  }
}
