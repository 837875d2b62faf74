/** Reads a server's long answer while it is still bytes, in slices. */

import { NOWHERE, type LongResult, type Slices } from '@callsign/core';

import { ByteScan } from './byte-scan.js';
import type { Message } from './message.js';

const CARRIAGE_RETURN = 13;
const OPEN_BRACE = 123;

/** An answer with a result in bytes. */
export interface LongAnswer extends Pick<Message, 'id'> {
  readonly method: undefined;
  readonly result: LongResult;
  readonly error: undefined;
}

/**
 * `undefined`: this is not a plain answer with a result, or has white space that would have to be
 * changed. It must be read as text.
 */
export function* longAnswerIn(bytes: Buffer, hasControl: boolean): Slices<LongAnswer | undefined> {
  const scan = new ByteScan(bytes, hasControl);
  const seen = new Set<string>();
  const textAt = (start: number, end: number): string => bytes.toString('latin1', start, end);
  let id: string | undefined;
  let result: Buffer | undefined;
  let isError = false;
  const inResult = function* inResult(key: string | undefined, start: number): Slices<number> {
    const end = yield* scan.skipValue(start);
    if (key === undefined || (key === 'isError' && isTwice(seen, 'result.isError'))) return NOWHERE;
    if (key === 'isError') isError = textAt(start, end) === 'true';
    return end;
  };
  const end = yield* scan.visitObject(scan.skipSpace(0), function* inMessage(key, start) {
    if (key === undefined || isTwice(seen, key)) return NOWHERE;
    if (key === 'result' && bytes[start] === OPEN_BRACE) {
      const resultEnd = yield* scan.visitObject(start, inResult);
      result = bytes.subarray(start, resultEnd);
      return resultEnd;
    }
    const valueEnd = yield* scan.skipValue(start);
    if (key === 'id') id = textAt(start, valueEnd);
    else if (key !== 'jsonrpc' || textAt(start, valueEnd) !== '"2.0"') return NOWHERE;
    return valueEnd;
  });
  if (end === NOWHERE || scan.skipSpace(end) !== bytes.length || !result) return undefined;
  if (hasControl && result.includes(CARRIAGE_RETURN)) return undefined;
  return { id, method: undefined, result: longResult(result, isError), error: undefined };
}

function longResult(bytes: Buffer, isError: boolean): LongResult {
  // As UTF-8: a long text of another encoding would be outside of V8's heap, in memory that is kept.
  return { bytes, isError, text: () => bytes.toString('utf8') };
}

function isTwice(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}
