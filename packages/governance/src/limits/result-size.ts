/** Limits the size of a reply. A larger reply is refused as a whole, since cut JSON is not JSON. */

import { CallsignError } from '@callsign/core';
import type { Interceptor } from '@callsign/core';

/** The limit is in bytes of UTF-8. Short replies are not counted. */
export function resultSize(maxBytes: () => number): Interceptor {
  return async (call, next) => {
    const reply = await next();
    const limit = maxBytes();
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (reply.json.length * 3 <= limit) return reply;
    const bytes = utf8Length(reply.json);
    if (bytes <= limit) return reply;
    throw new CallsignError('result-too-large', { tool: call.target!.canonical, bytes, limit });
  };
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // A surrogate pair takes four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
