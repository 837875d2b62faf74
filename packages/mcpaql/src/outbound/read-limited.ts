/** The body of a response as text, no longer than it may be: what is beyond is not even fetched. */

export class BodyTooLarge extends Error {
  /** How much had come when it was given up. */
  readonly size: number;

  constructor(size: number, maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes.`);
    this.name = 'BodyTooLarge';
    this.size = size;
  }
}

/** Counts what is unpacked, so that a small packed body cannot become a large one. */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge(size, maxBytes);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}
