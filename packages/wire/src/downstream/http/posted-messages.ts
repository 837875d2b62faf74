/** Reads the messages of a POST: one message, or a batch in an array. */

import type { Message } from '../../rpc/message/message.js';
import { batchIn } from '../batch.js';
import { BadMessage, readClientMessage } from '../client-message.js';
import type { Body } from './body.js';

/** At least one message. */
export interface Posted {
  readonly messages: readonly [Message, ...Message[]];
  readonly isBatch: boolean;
}

export function readPosted({ text: posted, hasControl, ends }: Body): Posted | BadMessage {
  const elements = batchIn(posted);
  if (elements instanceof BadMessage) return elements;
  if (!elements) {
    const message = readClientMessage(posted, hasControl, ends);
    return message instanceof BadMessage ? message : { messages: [message], isBatch: false };
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
