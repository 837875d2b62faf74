/** Parses a client's message. Accepts a byte order mark before it. */

import { readMessage, type Message } from '../message/message.js';

/** The byte order mark that some systems write before a text. */
const BYTE_ORDER_MARK = '\ufeff';

/** The error for anything else. */
export const NO_MESSAGE =
  'Parse error: not one JSON-RPC message, or one that is nested too deeply or has a key twice';

/** The message; `undefined` if it is not one, or if its id is neither text nor a number. */
export function readClientMessage(text: string, hasControl?: boolean): Message | undefined {
  const isMarked = text.startsWith(BYTE_ORDER_MARK);
  const message = readMessage(isMarked ? text.slice(1) : text, hasControl);
  return message?.id === undefined || /^["\d-]/.test(message.id) ? message : undefined;
}

/** The id for the error reply to a text that we refuse: it may be JSON, but too deep or with a duplicate key. */
export function idOfRefused(text: string): string | undefined {
  try {
    const { id, method } = JSON.parse(text) as { id?: unknown; method?: unknown };
    const isRequest = typeof method === 'string' && ['string', 'number'].includes(typeof id);
    return isRequest ? JSON.stringify(id) : undefined;
  } catch {
    return undefined;
  }
}
