/** The credential of a request: one `Authorization` header with one bearer token or API key. */

import type { IncomingMessage } from 'node:http';

/** The credential, or what is wrong with it. */
export type Bearer =
  | { readonly credential: string }
  /** There is none, it is of another kind, or there are two. */
  | { readonly wrong: 'missing' | 'malformed' | 'twice' };

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** Reads the raw headers: Node silently drops a second header, which a proxy may have used. */
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
