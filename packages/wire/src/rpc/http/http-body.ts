/** Reads the body of a response to its end, and never past a limit. */

import type { Readable } from 'node:stream';

import { readBytes, textOf, whenBroken } from '@callsign/outbound';

import { EventStreamReader, type StreamEvent } from '../stream/event-stream.js';
import { readFairly } from '../stream/fair-pipe.js';
import { failureOf, tooLarge, type HttpFailure } from './http-failure.js';

export interface BodyOptions {
  readonly maxBytes: number;
  /** The address, for error messages. */
  readonly url: URL;
}

/** The whole body as text. Rejects with an `HttpFailure` if it is too long or breaks off. */
export async function readText(body: Readable, { maxBytes, url }: BodyOptions): Promise<string> {
  const bytes = await readBytes(body, maxBytes).catch((error: unknown) => {
    throw failureOf(error, url);
  });
  return textOf(bytes);
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

function read(
  body: Readable,
  url: URL,
  start: (stop: (failure: HttpFailure) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    start((failure) => {
      reject(failure);
      body.destroy();
    });
    body.once('end', () => resolve());
    whenBroken(body, (error) => reject(failureOf(error, url)));
  });
}
