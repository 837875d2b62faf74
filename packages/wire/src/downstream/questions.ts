/** Questions from servers to a client. Each waits for its answer under our own id. */

import { randomUUID } from 'node:crypto';

import { CallsignError, memberText, withMembers } from '@callsign/core';
import type { Call, Caller, Question, Reply } from '@callsign/core';

import { errorJson, replyOf, requestText, UPSTREAM_ERROR } from '@callsign/rpc';

const CLIENT_GONE: Reply = {
  ok: false,
  json: errorJson(UPSTREAM_ERROR, 'The client is not there to answer.'),
};

export class Questions {
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  #lastId = 0;

  /** Sends the question and waits for the answer. */
  put(question: Question, send: (text: string) => boolean): Promise<Reply> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#waiting.set(String(id), resolve);
      const { method, params } = asRequest(question);
      if (!send(requestText(id, method, params))) this.take(String(id), CLIENT_GONE);
    });
  }

  /** Handles an answer; false if no question waits for it. */
  take(id: string | undefined, reply: Reply): boolean {
    const resolve = this.#waiting.get(id ?? '');
    if (id === undefined || !resolve) return false;
    this.#waiting.delete(id);
    resolve(reply);
    return true;
  }

  /** The client is gone: answers all questions with an error. */
  end(): void {
    for (const resolve of this.#waiting.values()) resolve(CLIENT_GONE);
    this.#waiting.clear();
  }
}

/** The capability that a client must declare for each kind of question. */
const CAPABILITIES: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Whether a result can carry this kind of question to a stateless client. */
export function isInputRequest({ method }: Question): boolean {
  return CAPABILITIES.has(method);
}

/** Whether a client declares that it can answer. Unknown kinds of questions are passed on. */
export function canAnswer(caller: Caller, question: Question): boolean {
  const capability = CAPABILITIES.get(question.method);
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

/** The stateless era has no ids for pages to visit; the session era requires one. */
function asRequest(question: Question): Question {
  const { method, params } = question;
  if (!isUrlMode(question) || memberText(params, 'elicitationId') !== undefined) return question;
  return { method, params: withMembers(params, { elicitationId: JSON.stringify(randomUUID()) }) };
}

function isUrlMode({ method, params }: Question): boolean {
  return method === 'elicitation/create' && memberText(params, 'mode') === '"url"';
}
