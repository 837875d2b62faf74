/** Reads the body of a response up to a limit, and no further. */

import type { Readable } from 'node:stream';

/** The body is longer than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  /** Bytes that were read before giving up. */
  readonly size: number;
  readonly maxBytes: number;

  constructor(size: number, maxBytes: number) {
    super(`The answer is longer than ${maxBytes} bytes.`);
    this.size = size;
    this.maxBytes = maxBytes;
  }
}

/** Counts bytes after decompression, so that a small compressed body cannot fill the memory. */
export function readBytes(body: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) body.destroy(new BodyTooLarge(size, maxBytes));
      else chunks.push(chunk);
    });
    body.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    whenBroken(body, reject);
  });
}

/** Reads a body as text. `maxBytes` counts after decompression. */
export async function readText(body: Readable, maxBytes: number): Promise<string> {
  return textOf(await readBytes(body, maxBytes));
}

const decoder = new TextDecoder();

/** Drops a byte order mark, which JSON does not allow and some servers send. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Called if the body ends too early. An end without an error is a lost connection. */
export function whenBroken(body: Readable, broken: (error: Error) => void): void {
  const closed = (): void => {
    const lost = Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
    broken(body.errored ?? lost);
  };
  if (body.destroyed) return closed();
  body.once('error', broken);
  body.once('close', closed);
}

const MAX_UNREAD = 65_536;
const DISCARD_MS = 1_000;

/**
 * Reads a body that is not needed, so that its connection can be used again. A long or slow body
 * closes the connection instead.
 */
export function discard(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), DISCARD_MS).unref();
  void drain(body).then(() => clearTimeout(timer));
}

/** Reads a body that is not needed, however slow it is. Resolves when it has ended. Never rejects. */
export function drain(body: Readable): Promise<void> {
  return readBytes(body, MAX_UNREAD).then(
    () => undefined,
    () => undefined,
  );
}
