/** Reads a small JSON answer from another instance. */

import type { ClientRequest } from 'node:http';

const MAX_BYTES = 64 * 1024;

/** Sends a request without a body. Rejects if there is no valid answer within `ms` milliseconds. */
export function fetchJson(request: ClientRequest, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => request.destroy(new Error('no answer in time')), ms);
    request.once('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_BYTES) request.destroy(new Error('too long'));
      });
      response.on('error', reject);
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
          resolve(JSON.parse(text));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end();
  });
}
