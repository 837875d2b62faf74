/** The credential of a request: one `Authorization` header with one bearer token or key. */

import type { IncomingMessage } from 'node:http';

export type Bearer =
  | { readonly credential: string }
  /** There is none, or it is no bearer's, or it is not clear which one counts. */
  | { readonly wrong: 'missing' | 'malformed' | 'twice' };

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** Reads the headers as they came: Node drops a second one in silence, a proxy may have gone by it. */
export function readBearer({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Bearer {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return { wrong: 'twice' };
    value = rawHeaders[i + 1]!;
  }
  if (value === undefined) return { wrong: 'missing' };
  const credential = BEARER.exec(value.trim())?.[1];
  return credential === undefined ? { wrong: 'malformed' } : { credential };
}
