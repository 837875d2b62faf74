/** A message as clients really send it: one that can be answered, whatever stands before its first brace. */

import { readMessage, type Message } from '../message.js';

/** The mark that some systems put before a text. */
const BYTE_ORDER_MARK = '\ufeff';

/** The message; `undefined` if it is none, or has an id that is neither text nor a number. */
export function readClientMessage(text: string): Message | undefined {
  const message = readMessage(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  return message?.id === undefined || /^["\d-]/.test(message.id) ? message : undefined;
}
