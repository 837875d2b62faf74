/** Questions from servers to one client. Each waits for its answer under our own id. */

import { randomUUID } from 'node:crypto';

import {
  type CallContext,
  CallsignError,
  memberText,
  type Question,
  type Reply,
  withMembers,
} from '@callsign/core';

import { errorJson, replyOf, UPSTREAM_ERROR } from '../../rpc/message/rpc-error.js';
import { notificationText, requestText } from '../../rpc/message/rpc-text.js';
import { isUrlMode } from './answerable.js';

const CLIENT_GONE: Reply = {
  ok: false,
  json: errorJson(UPSTREAM_ERROR, 'The client disconnected and cannot answer.'),
};

const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** If a client leaves more without an answer, the oldest is given up. */
const MAX_WAITING = 1_024;

/** One per client. */
export class Questions {
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  #lastId = 0;

  /** Sends the question and waits for its answer. Never rejects: it may be an error reply. */
  put(
    question: Question,
    send: (text: string) => boolean,
    /** The call that it belongs to. */
    context?: CallContext,
  ): Promise<Reply> {
    const id = ++this.#lastId;
    const answered = this.#answerTo(String(id), send, question.withdrawn, context);
    const { method, params } = asRequest(question);
    if (!send(requestText(id, method, params))) this.take(String(id), CLIENT_GONE);
    const page = question.completed && memberText(params, 'elicitationId');
    const done = `{"elicitationId":${page}}`;
    if (page !== undefined)
      void question.completed!.then(() =>
        send(notificationText('notifications/elicitation/complete', done)),
      );
    return answered;
  }

  /** Does not keep the question itself, which may be long. */
  #answerTo(
    id: string,
    send: (text: string) => boolean,
    withdrawn: Question['withdrawn'],
    context: CallContext | undefined,
  ): Promise<Reply> {
    const [oldest] = this.#waiting.size < MAX_WAITING ? [] : this.#waiting.keys();
    if (oldest !== undefined) this.take(oldest, CANCELLED);
    return new Promise((resolve) => {
      // No one waits for the answer any more, so the client need not show the question.
      const onCancel = (): void => {
        if (this.take(id, CANCELLED))
          send(notificationText('notifications/cancelled', `{"requestId":${id}}`));
      };
      context?.onCancel(onCancel);
      this.#waiting.set(id, (reply) => {
        context?.offCancel(onCancel);
        resolve(reply);
      });
      void withdrawn?.then(onCancel);
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

/** In the session era a page to open needs an id; the stateless era has none. */
function asRequest(question: Question): Question {
  const { method, params } = question;
  if (!isUrlMode(question) || memberText(params, 'elicitationId') !== undefined) return question;
  return { method, params: withMembers(params, { elicitationId: JSON.stringify(randomUUID()) }) };
}
