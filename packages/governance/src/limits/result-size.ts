/** Limits the size of a reply. A larger reply is refused as a whole, since cut JSON is not JSON. */

import { CallsignError, longResultOf, sizeOfReply } from '@callsign/core';
import type { Interceptor } from '@callsign/core';

/** The limit is in bytes of UTF-8. Short replies are not counted. */
export function resultSize(maxBytes: () => number): Interceptor {
  return async (call, next) => {
    const reply = await next();
    const limit = maxBytes();
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (sizeOfReply(reply) * 3 <= limit) return reply;
    const bytes = longResultOf(reply)?.bytes.length ?? Buffer.byteLength(reply.json);
    if (bytes <= limit) return reply;
    throw new CallsignError('result-too-large', { tool: call.target!.canonical, bytes, limit });
  };
}
