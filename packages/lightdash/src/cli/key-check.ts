/** Whether a caller knows the key, found out in the same time whatever was sent. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type KeyCheck = (headers: IncomingHttpHeaders) => boolean;

/** Takes the key as a bearer token or as `X-API-Key`. Without a key everybody knows it. */
export function createKeyCheck(key: string | undefined): KeyCheck {
  if (key === undefined) return () => true;
  const expected = digest(key);
  return function knowsKey(headers) {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    const sent = bearer ?? headers['x-api-key'] ?? '';
    return timingSafeEqual(digest(String(sent)), expected);
  };
}

/** Of one length, so that the length tells nothing either. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
