/** Reads the body of a response to its end, and never past a limit. */

import type { Readable } from 'node:stream';

import { EventStreamReader, type StreamEvent } from '../stream/event-stream.js';
import { readFairly } from '../stream/fair-pipe.js';
import { textPassed } from '../stream/reclaim.js';
import { failureOf, HttpFailure, tooLarge } from './http-failure.js';

export interface BodyOptions {
  readonly maxBytes: number;
  /** The address, for error messages. */
  readonly url: URL;
}

// Drops a byte order mark, which JSON does not allow and some servers send.
const decoder = new TextDecoder();

/** The whole body as text. Rejects with an `HttpFailure` if it is too long or breaks off. */
export async function readText(body: Readable, { maxBytes, url }: BodyOptions): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  await read(body, url, (stop) => {
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) stop(tooLarge({ bytes: length, limit: maxBytes }, url));
      else chunks.push(chunk);
    });
  });
  textPassed(length);
  return decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length));
}

/**
 * Resolves when the stream ends properly. Rejects if it breaks off or has an event past the limit.
 * `take` returns true if the event was awaited. Others, and comments, are read slowly.
 */
export function readEvents(
  body: Readable,
  { maxBytes, url }: BodyOptions,
  take: (event: StreamEvent) => boolean,
): Promise<void> {
  return read(body, url, (stop) => {
    let isWanted = false;
    const onEvent = (event: StreamEvent): void => {
      if (take(event)) isWanted = true;
    };
    const onTooLong = (bytes: number): void => stop(tooLarge({ bytes, limit: maxBytes }, url));
    const reader = new EventStreamReader({ maxBytes, onEvent, onTooLong });
    readFairly(body, (chunk) => {
      isWanted = false;
      reader.push(chunk);
      return isWanted || reader.isInEvent;
    });
  });
}

/** How long a body that is not needed may take. */
const DISCARD_MS = 1_000;

/**
 * Reads a body that is not needed, so that its connection can be used again. A long or slow body
 * closes the connection instead.
 */
export function discard(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), DISCARD_MS).unref();
  void drain(body).then(() => clearTimeout(timer));
}

/** The same for a body that may be slow. Resolves when it has ended. Never rejects. */
export function drain(body: Readable): Promise<void> {
  let length = 0;
  body.on('error', () => undefined);
  body.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > 65_536) body.destroy();
  });
  return new Promise((resolve) => {
    if (body.destroyed) resolve();
    else body.once('end', resolve).once('close', resolve);
  });
}

function read(
  body: Readable,
  url: URL,
  start: (stop: (failure: HttpFailure) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (failure: HttpFailure): void => {
      reject(failure);
      body.destroy();
    };
    if (body.destroyed) reject(new HttpFailure('the connection was closed', { url }));
    start(stop);
    body.once('end', () => resolve());
    body.once('error', (error) => reject(failureOf(error, url)));
    body.once('close', () => reject(new HttpFailure('the connection was closed', { url })));
  });
}
