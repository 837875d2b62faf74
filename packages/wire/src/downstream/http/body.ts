/** Reading a request's body, up to a limit. */

import type { IncomingMessage } from 'node:http';

/** The body as text, or `too-large`; what is over the limit is never held. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<string | 'too-large'> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) {
    request.resume();
    return Promise.resolve('too-large');
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('too-large');
      }
    });
    request.once('end', () =>
      resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()),
    );
    request.once('error', reject);
    request.once('aborted', () => reject(new Error('the client went away')));
  });
}
