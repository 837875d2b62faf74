/** Reads the body of a response up to a limit, and no further. */

import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';

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

const BYTE_ORDER_MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * In the charset of a byte order mark, which is dropped, else in that of the content type. Without either, text that is
 * not UTF-8 is read as windows-1252, which is what old servers send.
 */
export function textOf(bytes: Uint8Array, contentType = ''): string {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, i) => bytes[i] === byte));
  const [, named] = /;\s*charset="?([^\s";]+)/i.exec(contentType) ?? [];
  const known = decoderFor(marked?.[1] ?? named);
  if (known) return decoded(bytes, known);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decoded(bytes, new TextDecoder(contentType === '' ? 'utf-8' : 'windows-1252'));
  }
}

/** In two steps, because Node 20 reads windows-1252 as Latin-1 in one. */
function decoded(bytes: Uint8Array, decoder: TextDecoder): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** `undefined` for an unknown charset. */
function decoderFor(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
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
