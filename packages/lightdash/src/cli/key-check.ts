/** Checks a caller's key in constant time, so that the time reveals nothing about it. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type KeyCheck = (headers: IncomingHttpHeaders) => boolean;

/** Accepts the key as a bearer token or as `X-API-Key`. Without a key all callers are allowed. */
export function createKeyCheck(key: string | undefined): KeyCheck {
  if (key === undefined) return () => true;
  const expected = digest(key);
  return function knowsKey(headers) {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    const sent = bearer ?? headers['x-api-key'] ?? '';
    return timingSafeEqual(digest(String(sent)), expected);
  };
}

/** Hashed to one length, so that the time does not reveal the length either. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
