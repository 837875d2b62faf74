/** Reading a request's body, up to a limit. */

import type { IncomingMessage } from 'node:http';

/** So much is read of a body that is too large: who is still sending does not hear that it is. */
const MAX_DRAINED = 64 * 1024 * 1024;

/** The body as text, or `too-large`; what is over the limit is never held. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<string | 'too-large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        if (length > MAX_DRAINED) resolve('too-large');
      }
    });
    request.once('end', () => {
      if (length > maxBytes) resolve('too-large');
      else if (chunks.length === 1) resolve(chunks[0]!.toString());
      else resolve(Buffer.concat(chunks).toString());
    });
    request.once('error', reject);
    request.once('aborted', () => reject(new Error('the client went away')));
  });
}
