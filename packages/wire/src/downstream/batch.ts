/** Reads batches: arrays of messages, which clients of version 2025-03-26 may send. */

import { elementsOf } from '@callsign/core';

import { INVALID_REQUEST, PARSE_ERROR } from '../rpc/message/rpc-error.js';
import { BadMessage, withoutMark } from './client-message.js';

const MAX_BATCH = 100;
const BRACE = 123;

/** The texts of the messages in a batch. `undefined`: the text is not a batch. */
export function batchIn(text: string): readonly string[] | BadMessage | undefined {
  // A byte order mark counts as white space here.
  if (text.charCodeAt(0) === BRACE || !text.trimStart().startsWith('[')) return undefined;
  const elements = elementsOf(withoutMark(text));
  if (!elements) return new BadMessage(PARSE_ERROR, 'Parse error: the text is not valid JSON');
  if (elements.length > 0 && elements.length <= MAX_BATCH) return elements;
  const limits = `Invalid Request: a batch has 1 to ${MAX_BATCH} messages`;
  return new BadMessage(INVALID_REQUEST, limits);
}
