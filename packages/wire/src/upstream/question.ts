/** Decides which client answers a server's question, and the error if none can. */

import {
  CallsignError,
  type Call,
  type CallsignErrorCode,
  type Question,
  type Reply,
} from '@callsign/core';

import { canAnswer } from '../extensions/request/answerable.js';
import { ask } from '../extensions/request/input-required.js';
import { haveOneAnswer } from '../extensions/request/open-questions.js';
import { replyOf } from '../rpc/message/rpc-error.js';

export interface AskedOptions {
  readonly server: string;
  /** The calls that may have caused the question. */
  readonly calls: readonly Call[];
  /** Answers questions that belong to no call. `undefined`: no client can. */
  readonly answer: ((question: Question, server: string) => Promise<Reply> | undefined) | undefined;
}

/**
 * Asks the caller whose call caused the question. If several callers are possible and one of them
 * could answer, it asks none: a guess could show the data of one to another.
 */
export function putQuestion(question: Question, options: AskedOptions): Promise<Reply> {
  const { server, calls, answer } = options;
  const { method } = question;
  const refuse = (code: CallsignErrorCode): Promise<Reply> =>
    Promise.resolve(replyOf(new CallsignError(code, { server, method })));
  if (calls.length === 0) return answer?.(question, server) ?? refuse('question-without-caller');
  if (!haveOneAnswer(calls, question)) return refuse('question-without-caller');
  const call = calls.findLast(({ context }) => !context.isCancelled);
  if (call === undefined) return refuse('call-cancelled');
  return canAnswer(call.caller, question) ? ask(call, question) : refuse('question-not-supported');
}
