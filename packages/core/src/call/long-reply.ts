/** Replies with a long result that is still bytes. A text is made of it only if one is needed. */

import type { Reply } from './reply.js';

/** A result of ASCII characters on one line. */
export interface LongResult {
  readonly bytes: Uint8Array;
  /** Makes a text of the bytes. */
  readonly text: () => string;
  /** Whether the tool says that it has failed. */
  readonly isError: boolean;
}

/** By the reply itself: a copy of it may have another result. */
const RESULTS = new WeakMap<Reply, LongResult>();

export function longReply(result: LongResult): Reply {
  let text: string | undefined;
  const reply: Reply = {
    ok: true,
    get json() {
      return (text ??= result.text());
    },
  };
  RESULTS.set(reply, result);
  return reply;
}

/** `undefined` for all other replies. */
export function longResultOf(reply: Reply): LongResult | undefined {
  return RESULTS.get(reply);
}

/** Characters of the result or error. */
export function sizeOfReply(reply: Reply): number {
  return longResultOf(reply)?.bytes.length ?? reply.json.length;
}
