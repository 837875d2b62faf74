/** Reads the body of a request, up to a limit. */

import type { IncomingMessage } from 'node:http';

import { LONG_JSON } from '@callsign/core';

import { longEnds } from '../../rpc/message/message-order.js';
import { CONTROL, TextBytes } from '../../rpc/stream/text-bytes.js';

/** Bytes to read of a body that is too large: a client that still sends reads no refusal. */
const MAX_DRAINED = 64 * 1024 * 1024;

/** A body that was read. */
export interface Body {
  readonly text: string;
  /** Whether the text has control characters, such as line breaks. */
  readonly hasControl: boolean;
  /** The ends of long values, if it is long. */
  readonly ends?: ReadonlyMap<number, number> | undefined;
}

/**
 * Calls back once with the text, or with `too-large`. Never holds more than the limit. Does not
 * call back if the client disconnects first.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  take: (body: Body | 'too-large') => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isTaken = false;
  const takeOnce = (body: Body | 'too-large'): void => {
    if (!isTaken) take(body);
    isTaken = true;
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      if (length > MAX_DRAINED) takeOnce('too-large');
    }
  });
  request.on('end', () => {
    if (length > maxBytes) return takeOnce('too-large');
    const body = decoded(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    if (body.text.length < LONG_JSON) return takeOnce(body);
    void longEnds(body.text, body.hasControl).then((ends) => takeOnce({ ...body, ends }));
  });
  request.on('error', () => undefined);
}

/** Reads bytes as text. */
export function decoded(bytes: Buffer): Body {
  const text = new TextBytes(bytes);
  const found = text.look(0, bytes.length);
  return { text: text.decode(0, bytes.length, found), hasControl: (found & CONTROL) !== 0 };
}
