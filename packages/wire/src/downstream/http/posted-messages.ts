/** The messages of a POST: one, or several in an array. */

import { elementsOf } from '@callsign/core';

import type { Message } from '../../message/message.js';
import { INVALID_REQUEST, PARSE_ERROR } from '../../message/rpc-error.js';
import { NO_MESSAGE, readClientMessage } from '../client-message.js';
import type { Body } from './body.js';

const MAX_BATCH = 100;

export type Posted =
  | { readonly messages: readonly [Message, ...Message[]]; readonly isBatch: boolean }
  | { readonly wrong: string; readonly code: number };

export function readPosted({ text: body, hasControl }: Body): Posted {
  const isBatch = body.trimStart().startsWith('[');
  if (!isBatch) {
    const message = readClientMessage(body, hasControl);
    return message ? { messages: [message], isBatch } : { code: PARSE_ERROR, wrong: NO_MESSAGE };
  }
  const elements = elementsOf(body);
  if (elements?.length === 0 || (elements?.length ?? 0) > MAX_BATCH) {
    return {
      code: INVALID_REQUEST,
      wrong: `Invalid Request: a batch has 1 to ${MAX_BATCH} messages`,
    };
  }
  const [first, ...others] = elements?.map((text) => readClientMessage(text)) ?? [];
  if (!first || others.includes(undefined)) {
    return { code: PARSE_ERROR, wrong: NO_MESSAGE };
  }
  return { messages: [first, ...(others as Message[])], isBatch };
}
