/** Reads the body of a response up to a limit, and no further. */

/** Thrown when a body is larger than the limit. */
export class BodyTooLarge extends Error {
  /** Bytes that were read before giving up. */
  readonly size: number;
  readonly maxBytes: number;

  constructor(size: number, maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes.`);
    this.name = 'BodyTooLarge';
    this.size = size;
    this.maxBytes = maxBytes;
  }
}

/** Counts bytes after decompression, so that a small compressed body cannot fill the memory. */
export async function readLimitedBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge(size, maxBytes);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** The same as text. */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  return (await readLimitedBytes(response, maxBytes)).toString('utf8');
}
