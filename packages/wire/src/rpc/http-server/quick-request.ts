/**
 * Reads the most common request without Node's HTTP server: a POST of JSON with a length. Node gets
 * everything that is unusual, wrong or ambiguous.
 */

import type { IncomingMessage } from 'node:http';

import { isJson } from './json-type.js';

/** What is read of a request before its body. */
export type RequestHead = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'rawHeaders' | 'socket'
>;

/** The head of a quick request. */
export interface QuickHead extends Pick<RequestHead, 'headers' | 'rawHeaders'> {
  /** Everything before the body. */
  readonly text: string;
  /** Bytes of the body. */
  readonly bodyLength: number;
}

const END = Buffer.from('\r\n\r\n');
/** Bytes. Node accepts more. */
const MAX_HEAD = 8 * 1024;
/** Names of letters and usual signs, and values of printable ASCII. */
const HEADER_LINES = /^(?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e]*\r\n)+$/;
const LENGTH = /^\d{1,9}$/;
/** Headers that change how the request is read, or what happens to the connection. */
const UNUSUAL = ['transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'origin'];

/** Whether these bytes may be the beginning of a head. */
export function isCutHead(bytes: Buffer): boolean {
  return bytes.length <= MAX_HEAD && !bytes.includes(END);
}

/**
 * The head at the start of these bytes; `undefined` if Node should read them. `last` is the head of
 * an earlier request, which is returned again if it is the same.
 */
export function readQuickHead(
  bytes: Buffer,
  path: string,
  last: QuickHead | undefined,
): QuickHead | undefined {
  const end = bytes.indexOf(END);
  if (end === -1 || end > MAX_HEAD) return undefined;
  const text = bytes.toString('latin1', 0, end + END.length);
  if (text === last?.text) return last;
  const start = `POST ${path} HTTP/1.1\r\n`;
  const lines = text.slice(start.length, -2);
  if (!text.startsWith(start) || !HEADER_LINES.test(lines)) return undefined;
  const headers: Record<string, string> = Object.create(null);
  const rawHeaders: string[] = [];
  for (const line of lines.slice(0, -2).split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const key = name.toLowerCase();
    if (headers[key] !== undefined) return undefined;
    const value = line.slice(colon + 1).trim();
    headers[key] = value;
    rawHeaders.push(name, value);
  }
  const { 'content-length': length = '', 'content-type': type = '', connection } = headers;
  if (!LENGTH.test(length) || !isJson(type)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
  if (UNUSUAL.some((name) => name in headers)) return undefined;
  return { text, headers, rawHeaders, bodyLength: Number(length) };
}
