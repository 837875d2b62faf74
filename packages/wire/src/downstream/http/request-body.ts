/** Reads the body of a request, up to a limit. */

import type { IncomingMessage } from 'node:http';

import { LONG_JSON } from '@callsign/core';

import { longEnds } from '../../rpc/message/message-order.js';

/** Bytes to read of a body that is too large: a client that still sends reads no refusal. */
const MAX_DRAINED = 64 * 1024 * 1024;

/** A body that was read. */
export interface Body {
  readonly text: string;
  /** The ends of long values, if it is long. */
  readonly ends?: ReadonlyMap<number, number> | undefined;
}

/**
 * Resolves with the text, or with `too-large`. Never holds more than the limit. `gone`: the client
 * has disconnected.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Body | 'too-large' | 'gone'> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const gone = (): void => {
      // Every request is closed. Node handles a second result in a turn of its own.
      if (!request.readableEnded) resolve('gone');
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        if (length > MAX_DRAINED) resolve('too-large');
      }
    });
    request.on('end', () => resolve(length > maxBytes ? 'too-large' : bodyOf(chunks)));
    request.on('error', gone);
    request.on('close', gone);
  });
}

/** Most bodies are short and come in one piece: these are not copied, and nothing is awaited. */
function bodyOf(chunks: readonly Buffer[]): Body | Promise<Body> {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return text.length < LONG_JSON ? { text } : longEnds(text).then((ends) => ({ text, ends }));
}

/** Whether this is the media type of JSON. */
export function isJson(type: string = ''): boolean {
  return type === 'application/json' || /^application\/json *(?:;|$)/i.test(type);
}
