/** Reads the messages of a POST: one message, or a batch in an array. */

import { elementsOf } from '@callsign/core';

import { INVALID_REQUEST, PARSE_ERROR, type Message } from '@callsign/rpc';
import { BadMessage, readClientMessage, withoutMark } from '../client-message.js';
import type { Body } from './body.js';

const MAX_BATCH = 100;

/** At least one message. */
export interface Posted {
  readonly messages: readonly [Message, ...Message[]];
  readonly isBatch: boolean;
}

export function readPosted({ text: posted, hasControl, ends }: Body): Posted | BadMessage {
  // A byte order mark counts as white space here.
  if (!posted.trimStart().startsWith('[')) {
    const message = readClientMessage(posted, hasControl, ends);
    return message instanceof BadMessage ? message : { messages: [message], isBatch: false };
  }
  const elements = elementsOf(withoutMark(posted));
  if (!elements) return new BadMessage(PARSE_ERROR, 'Parse error: the text is not valid JSON');
  if (elements.length === 0 || elements.length > MAX_BATCH) {
    const limits = `Invalid Request: a batch has 1 to ${MAX_BATCH} messages`;
    return new BadMessage(INVALID_REQUEST, limits);
  }
  const messages: Message[] = [];
  for (const text of elements) {
    const message = readClientMessage(text);
    if (message instanceof BadMessage) return message;
    messages.push(message);
  }
  const [first, ...others] = messages;
  return { messages: [first!, ...others], isBatch: true };
}
