/** Whether a client can answer a server's question, by the capabilities that it declares. */

import {
  type Call,
  type Caller,
  CallsignError,
  memberText,
  type Question,
  type Reply,
} from '@callsign/core';

import { replyOf } from '../../rpc/message/rpc-error.js';

/** The capability that a client must declare for each kind of question. */
export const QUESTION_CAPABILITIES: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Whether a result can carry this kind of question to a stateless client. */
export function isInputRequest({ method }: Question): boolean {
  return QUESTION_CAPABILITIES.has(method);
}

/** Whether a client declares that it can answer. Unknown kinds of questions are passed on to it. */
export function canAnswer(caller: Caller, question: Question): boolean {
  const capability = QUESTION_CAPABILITIES.get(question.method);
  if (capability === undefined) return true;
  if (!caller.can(capability)) return false;
  if (capability !== 'elicitation') return true;
  const declared = memberText(caller.capabilities, capability) ?? '{}';
  const [form, url] = ['form', 'url'].map((mode) => memberText(declared, mode));
  // Clients that declare no mode support forms.
  return isUrlMode(question) ? url !== undefined : form !== undefined || url === undefined;
}

/** The reply to a server whose question the client cannot answer. */
export function unanswerable(call: Call | undefined, { method }: Question): Reply {
  const server = call?.target?.ref.server ?? '';
  return replyOf(new CallsignError('question-not-supported', { method, server }));
}

/** Whether the question asks the user to open a page. */
export function isUrlMode({ method, params }: Question): boolean {
  return method === 'elicitation/create' && memberText(params, 'mode') === '"url"';
}
