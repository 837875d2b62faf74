/** One JSON-RPC message, scanned once: the few fields that route it, and the rest as the text it came as. */

import { JsonScan, NOWHERE } from '@callsign/core';

export interface Message {
  /** The id as JSON text, so that `1`, `"1"` and `1.0` stay what they were. */
  readonly id: string | undefined;
  readonly method: string | undefined;
  /** Parameters as text; `undefined` if there were none. */
  readonly params: string | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
  /** Ranges within `params`; -1 if absent. `name` stands for the `name` or `uri` of what is called. */
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly tokenStart: number;
  readonly tokenEnd: number;
  readonly metaStart: number;
  readonly metaEnd: number;
}

/**
 * Reads one message; `undefined` if the text is not one JSON object that can be routed. A routing key
 * that stands twice is refused: we and the receiver might read different ones.
 */
export function readMessage(text: string): Message | undefined {
  const scan = new JsonScan(text);
  const seen = new Set<string>();
  let id: string | undefined;
  let method: string | undefined;
  let params: string | undefined;
  let result: string | undefined;
  let error: string | undefined;
  let nameStart = NOWHERE;
  let nameEnd = NOWHERE;
  let tokenStart = NOWHERE;
  let tokenEnd = NOWHERE;
  let metaStart = NOWHERE;
  let metaEnd = NOWHERE;
  let hasName = false;

  const visitMeta = (key: string, start: number): number => {
    const end = scan.skipValue(start);
    if (key === 'progressToken') {
      if (tokenStart !== NOWHERE) return NOWHERE;
      [tokenStart, tokenEnd] = [start, end];
    }
    return end;
  };
  const visitParams = (key: string, start: number): number => {
    if (key === '_meta') {
      if (metaStart !== NOWHERE) return NOWHERE;
      const isObject = text.charCodeAt(start) === 123;
      const end = isObject ? scan.visitObject(start, visitMeta) : scan.skipValue(start);
      [metaStart, metaEnd] = [start, end];
      return end;
    }
    const end = scan.skipValue(start);
    if (key === 'name' || key === 'uri') {
      // Both at once would leave open which one is called; `name` is the one that tools and prompts have.
      if (key === 'name' ? hasName : nameStart !== NOWHERE && !hasName) return NOWHERE;
      if (key === 'name' || !hasName) [nameStart, nameEnd] = [start, end];
      if (key === 'name') hasName = true;
    }
    return end;
  };
  const visitMessage = (key: string, start: number): number => {
    if (key === 'params') {
      if (params !== undefined) return NOWHERE;
      const isObject = text.charCodeAt(start) === 123;
      const end = isObject ? scan.visitObject(start, visitParams) : scan.skipValue(start);
      params = text.slice(start, end);
      if (isObject) {
        nameStart = shift(nameStart, start);
        nameEnd = shift(nameEnd, start);
        tokenStart = shift(tokenStart, start);
        tokenEnd = shift(tokenEnd, start);
        metaStart = shift(metaStart, start);
        metaEnd = shift(metaEnd, start);
      }
      return end;
    }
    const end = scan.skipValue(start);
    if (end === NOWHERE) return NOWHERE;
    // Left out it is forgiven; another version is another protocol.
    if (key === 'jsonrpc') return text.slice(start, end) === '"2.0"' ? end : NOWHERE;
    if (key === 'id' || key === 'method' || key === 'result' || key === 'error') {
      if (seen.has(key)) return NOWHERE;
      seen.add(key);
      const value = text.slice(start, end);
      if (key === 'id') id = value;
      else if (key === 'result') result = value;
      else if (key === 'error') error = value;
      else if (value.charCodeAt(0) !== 34) return NOWHERE;
      else method = JSON.parse(value) as string;
    }
    return end;
  };

  const end = scan.visitObject(scan.skipSpace(0), visitMessage);
  if (end === NOWHERE || scan.skipSpace(end) !== text.length) return undefined;
  if (method === undefined && result === undefined && error === undefined) return undefined;
  return {
    id: id === 'null' ? undefined : id,
    method,
    params,
    result,
    error,
    nameStart,
    nameEnd,
    tokenStart,
    tokenEnd,
    metaStart,
    metaEnd,
  };
}

function shift(position: number, by: number): number {
  return position === NOWHERE ? NOWHERE : position - by;
}
