/** A message as clients really send it: one that can be answered, whatever stands before its first brace. */

import { readMessage, type Message } from '../message/message.js';

/** The mark that some systems put before a text. */
const BYTE_ORDER_MARK = '\ufeff';

/** What is said of anything else. */
export const NO_MESSAGE =
  'Parse error: not one JSON-RPC message, or one that is nested too deeply or has a key twice';

/** The message; `undefined` if it is none, or has an id that is neither text nor a number. */
export function readClientMessage(text: string, hasControl?: boolean): Message | undefined {
  const isMarked = text.startsWith(BYTE_ORDER_MARK);
  const message = readMessage(isMarked ? text.slice(1) : text, hasControl);
  return message?.id === undefined || /^["\d-]/.test(message.id) ? message : undefined;
}

/** The id under which a text that we do not take can still be answered: JSON it may be, too deep or with a key twice. */
export function idOfRefused(text: string): string | undefined {
  try {
    const { id, method } = JSON.parse(text) as { id?: unknown; method?: unknown };
    const isRequest = typeof method === 'string' && ['string', 'number'].includes(typeof id);
    return isRequest ? JSON.stringify(id) : undefined;
  } catch {
    return undefined;
  }
}
