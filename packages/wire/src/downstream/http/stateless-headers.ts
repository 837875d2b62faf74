/** Headers that repeat the body of a stateless request, for proxies that do not read bodies. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { membersOf, valueAt, type Source } from '@callsign/core';

import { taskIdIn } from '../../extensions/tasks/task-id-text.js';
import { decodeHeader } from '../../rpc/message/header-text.js';
import type { Message } from '../../rpc/message/message.js';
import { headerText, paramHeaders } from '../../rpc/message/param-headers.js';
import { isStatelessVersion, NAMED_IN_HEADER } from '../../rpc/message/protocol.js';
import { errorJson, HEADER_MISMATCH } from '../../rpc/message/rpc-error.js';
import { isStatelessMessage } from '../envelope.js';
import { calledName } from '../prepared-call.js';

/** The error if headers are missing or do not match the body; `undefined` if they do. */
export function headerError(
  headers: IncomingHttpHeaders,
  message: Message,
  version: string,
): string | undefined {
  const { method = '' } = message;
  const said = single(headers['mcp-protocol-version']);
  if (said === undefined) return mismatch('(missing)', 'MCP-Protocol-Version is required');
  if (said !== version) return mismatch(said, `the body claims protocol version ${version}`);
  if (headers['mcp-method'] === undefined) return mismatch('(missing)', 'Mcp-Method is required');
  const wrong = methodError(headers, method);
  if (wrong !== undefined) return wrong;
  const name = NAMED_IN_HEADER.has(method) ? namedIn(message) : undefined;
  if (name === undefined) return undefined;
  const saidName = single(headers['mcp-name']);
  if (saidName === undefined) return mismatch('(missing)', 'Mcp-Name is required');
  return decodeHeader(saidName) === name ? undefined : mismatch(saidName, `the body names ${name}`);
}

/** The name, the URI or the task id in the body. */
function namedIn(message: Message): string | undefined {
  const { method = '', params = '{}' } = message;
  return method.startsWith('tasks/') ? taskIdIn(params) : calledName(message);
}

/** The error if the header names another method than the body. */
export function methodError(headers: IncomingHttpHeaders, method: string): string | undefined {
  const said = single(headers['mcp-method']);
  return said === undefined || said === method
    ? undefined
    : mismatch(said, `the body calls ${method}`);
}

export function mismatch(header: string, body: string): string {
  const message = `Bad Request: the request headers and body disagree: ${body}`;
  return errorJson(HEADER_MISMATCH, message, { mismatch: { header, body } });
}

/** A header's value without white space around it. */
export function single(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (text === undefined) return undefined;
  // Most values have no such space and need no copy.
  return isSpace(text.charCodeAt(0)) || isSpace(text.charCodeAt(text.length - 1))
    ? text.trim()
    : text;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

/** The body decides. The header counts only if the body says nothing. */
export function isStateless({ headers }: IncomingMessage, message: Message): boolean {
  if (isStatelessMessage(message)) return true;
  const said = single(headers['mcp-protocol-version']);
  return said !== undefined && isStatelessVersion(said) && message.method !== undefined;
}

/** Compares headers that repeat arguments with the arguments. */
export function paramHeaderError(
  headers: IncomingHttpHeaders,
  message: Message,
  view: Source,
): string | undefined {
  const { method, params } = message;
  const name = method === 'tools/call' ? calledName(message) : undefined;
  const item = name === undefined ? undefined : view.route('tool', name)?.item;
  const declared = item ? paramHeaders(item) : [];
  if (declared.length === 0) return undefined;
  const range = membersOf(params!)?.get('arguments');
  const args: unknown = range && JSON.parse(params!.slice(range.start, range.end));
  for (const { header, path } of declared) {
    const value = valueAt(args, path);
    const expected = headerText(value);
    if (value === undefined || value === null || expected === undefined) continue;
    const said = single(headers[header]);
    if (said === undefined) return mismatch('(missing)', `${header} is required`);
    const decoded = decodeHeader(said);
    const isSame = typeof value === 'number' ? Number(decoded) === value : decoded === expected;
    if (!isSame) return mismatch(said, `the argument ${path.join('.')} is ${expected}`);
  }
  return undefined;
}
