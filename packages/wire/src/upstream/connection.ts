/** JSON-RPC over one channel to a server: ids, open requests, cancellation, progress, questions. */

import {
  type Call,
  CallsignError,
  type CallsignErrorCode,
  membersOf,
  type Reply,
} from '@callsign/core';

import { MAX_QUESTIONS } from '../extensions/request/open-questions.js';
import { MessageOrder } from '../rpc/message/message-order.js';
import { type Message, readMessage } from '../rpc/message/message.js';
import {
  errorReply,
  INVALID_PARAMS,
  INVALID_REQUEST,
  replyIn,
  replyOf,
} from '../rpc/message/rpc-error.js';
import {
  cancelledParams,
  errorText,
  notificationText,
  requestText,
  resultText,
} from '../rpc/message/rpc-text.js';
import { unreadable } from '../rpc/message/unreadable.js';
import type { Channel } from '../rpc/stream/channel.js';
import { ownId } from '../rpc/stream/own-id.js';
import type { ConnectionOptions, Pending, Repair, Rewrite } from './connection-options.js';
import { PendingRequests } from './pending-requests.js';
import { ServerQuestions } from './server-questions.js';

/** Opens its channel at once. After `closedBecause` is set, it cannot be used again. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #channel: Channel;
  readonly #pending = new PendingRequests();
  readonly #questions: ServerQuestions;
  readonly #order = new MessageOrder(readMessage);
  #closed: string | undefined;
  /** Set as soon as nothing more can be sent. Calls under way may still be answered. */
  #ending: string | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#questions = new ServerQuestions({
      ask: (question, calls, isNamed) => options.events.onQuestion(question, calls, isNamed),
      answer: (id, reply) => this.#answer(id, reply),
    });
    this.#channel = options.open({
      onText: (text, about) =>
        this.#order.read(text, (message) => this.#take(message, text, about)),
      onFault: (id, code, details) => this.#fail(id, code, details),
      onEnding: (reason) => this.#onEnding(reason),
      // Messages that came before the end are read first: they may be answers.
      onClose: (reason) =>
        this.#order.whenRead(() => this.#onClose(reason, options.explain?.(reason))),
    });
  }

  get isClosed(): boolean {
    return this.closedBecause !== undefined;
  }

  /** Why it is closed, for people. */
  get closedBecause(): string | undefined {
    return this.#closed ?? this.#ending;
  }

  /** Nothing can be sent, but calls under way wait for their answers. */
  get isEnding(): boolean {
    return this.#closed === undefined && this.#ending !== undefined;
  }

  /** Calls of clients that wait for an answer. */
  get callsUnderWay(): number {
    return this.#pending.calls.length;
  }

  /** How many requests were sent. */
  get sent(): number {
    return this.#pending.sent;
  }

  /** Questions of the server that have no answer yet. */
  get openQuestions(): number {
    return this.#questions.waiting;
  }

  /** Sends a request of our own, such as the handshake. Rejects after `timeoutMs`. */
  request(
    method: string,
    params: string | undefined,
    timeoutMs: number,
    onUnreadable?: Repair,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const id = this.#pending.nextId();
      const { server } = this.#options;
      const timer = setTimeout(() => {
        this.#pending.take(id);
        this.#channel.abandon(id);
        reject(new CallsignError('upstream-timeout', { server, seconds: timeoutMs / 1000 }));
      }, timeoutMs);
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        resolve(reply);
      };
      this.#post({ id, method, params, call: undefined, resolve: settle, onUnreadable });
    });
  }

  /**
   * Sends a request that is answered by a stream, such as a subscription. `onEnd` gets its end.
   * Returns a function that ends it.
   */
  listen(method: string, params: string, onEnd: (reply: Reply) => void): () => void {
    const id = this.#pending.nextId();
    const resolve = this.#pending.stream(onEnd);
    this.#post({ id, method, params, call: undefined, resolve });
    return () => this.#cancel(id, undefined);
  }

  /** A server that is far behind is not told. */
  notify(method: string, params?: string): void {
    if (this.isClosed || this.#isBehind()) return;
    this.#channel.send(notificationText(method, params), { method });
  }

  /** Sends a client's call under the server's own name for the item. Failures are error replies. */
  forward(call: Call, nameJson: string | undefined, rewrite?: Rewrite): Promise<Reply> {
    const { server, maxPending } = this.#options;
    if (call.context.isStopped)
      return Promise.resolve(replyOf(new CallsignError('call-cancelled')));
    const pending = this.#pending.answerable;
    if (pending >= maxPending || this.#isBehind()) {
      const busy = new CallsignError('upstream-busy', { server, pending });
      return Promise.resolve(replyOf(busy));
    }
    return new Promise((resolve) => {
      const id = this.#pending.nextId();
      const spliced = call.paramsWith(nameJson, String(id));
      const rewritten = rewrite ? rewrite(spliced) : spliced;
      const params = this.#options.rewrite?.(rewritten) ?? rewritten;
      call.context.onCancel((reason) => this.#cancel(id, reason));
      const [method, item] = [call.method, call.target?.item];
      const { isProvenRead } = call;
      const { wasRefused } = call.context;
      const about = { method, params, name: item?.name, item, isProvenRead, wasRefused };
      this.#post({ id, ...about, call, resolve });
    });
  }

  close(reason = 'closed by us'): Promise<void> {
    this.#onClose(reason);
    return this.#channel.close();
  }

  #isBehind(): boolean {
    return this.#channel.backlog > this.#options.maxBacklog;
  }

  #post(pending: Pending): void {
    if (this.#closed !== undefined) {
      const details = { server: this.#options.server, reason: this.#closed };
      return pending.resolve(replyOf(new CallsignError('upstream-unavailable', details)));
    }
    const { id, method, params } = pending;
    this.#pending.add(pending);
    this.#channel.send(requestText(id, method, params), pending);
  }

  #cancel(id: number, reason: string | undefined): void {
    const pending = this.#pending.take(id);
    if (!pending) return;
    if (!this.#channel.abandon(id)) {
      if (pending.call) this.#questions.cancelled(id, pending.call);
      const { notificationMeta } = this.#options;
      this.notify('notifications/cancelled', cancelledParams(id, reason, notificationMeta));
    }
    pending.resolve(replyOf(new CallsignError('call-cancelled')));
  }

  #take(message: Message | undefined, text: string, about?: number): boolean {
    // Text that is not a message is ignored. The connection stays open.
    if (message === undefined) return this.#onUnreadable(text, about);
    if (message.method === undefined) return this.#onAnswer(message);
    return message.id === undefined
      ? this.#onNotification(message, message.method, about)
      : this.#onQuestion(message, message.method, message.id, about);
  }

  /** An answer that cannot be read still ends the request that waits for it, and a request gets an error. */
  #onUnreadable(text: string, about: number | undefined): boolean {
    const meant = unreadable(text);
    if (meant.is === 'request')
      return this.#refuse(meant.id!, errorReply(INVALID_REQUEST, 'Invalid request'));
    const isForOwn = about !== undefined && text.includes(`"id":${about}`);
    const id = meant.is === 'answer' || isForOwn ? (about ?? ownId(meant.id)) : undefined;
    const repaired = id === undefined ? undefined : this.#pending.get(id)?.onUnreadable?.(text);
    const message = repaired === undefined ? undefined : readMessage(repaired);
    if (message && message.method === undefined) return this.#onAnswer(message);
    return id !== undefined && this.#fail(id, 'answer-unreadable');
  }

  #fail(id: number, code: CallsignErrorCode, details: CallsignError['details'] = {}): boolean {
    const pending = this.#pending.take(id);
    if (!pending) return false;
    const { call } = pending;
    if (call) this.#questions.ruleOut(call);
    const { server } = this.#options;
    const tool = call?.target?.canonical ?? server;
    pending.resolve(replyOf(new CallsignError(code, { server, tool, ...details })));
    return true;
  }

  #onAnswer({ id, result, error }: Message): boolean {
    const number = ownId(id);
    if (number === undefined) return false;
    const pending = this.#pending.take(number);
    // The id is unknown, or its call was cancelled.
    if (!pending) return this.#questions.late(number);
    if (pending.call) this.#questions.ruleOut(pending.call);
    const { server } = this.#options;
    const reply = replyIn(result, error);
    pending.resolve(reply ?? replyOf(new CallsignError('answer-unreadable', { server })));
    return true;
  }

  #onNotification(message: Message, method: string, about: number | undefined): boolean {
    const { params } = message;
    if (method === 'notifications/progress') return this.#onProgress(message);
    if (method === 'notifications/cancelled') return this.#questions.takeBack(params ?? '', about);
    const call = about === undefined ? undefined : this.#pending.get(about)?.call;
    this.#options.events.onNotification(method, params, call ? [call] : this.#underWay());
    return call !== undefined;
  }

  #onQuestion(message: Message, method: string, id: string, about: number | undefined): boolean {
    const params = message.params === 'null' ? '{}' : (message.params ?? '{}');
    const own = about === undefined ? undefined : this.#pending.get(about);
    if (method === 'ping') {
      this.#answer(id, { ok: true, json: '{}' });
      return false;
    }
    if (!params.startsWith('{'))
      return this.#refuse(id, errorReply(INVALID_PARAMS, '"params" must be an object'));
    if (about !== undefined && !own)
      return this.#refuse(id, replyOf(new CallsignError('call-cancelled')));
    const calls = own ? [own.call].filter((each) => each !== undefined) : this.#underWay();
    this.#options.events.onAsked?.(method, calls);
    if (!this.#questions.put({ id, about, method, params }, calls, this.#pending.size)) {
      const limits = { limit: MAX_QUESTIONS, what: 'open questions' };
      return this.#refuse(id, replyOf(new CallsignError('too-many', limits)));
    }
    return calls.length > 0;
  }

  /** Not awaited, so a server that asks too much is read slowly. */
  #refuse(id: string, reply: Reply): false {
    this.#answer(id, reply);
    return false;
  }

  /** All calls that the server may be working on. */
  #underWay(): readonly Call[] {
    return [...this.#questions.cancelledCalls, ...this.#pending.calls];
  }

  /** A server that asks and does not read the answers is ended. */
  #answer(id: string, { ok, json }: Reply): void {
    if (this.isClosed) return;
    if (this.#isBehind()) void this.close('it does not read the answers to its questions');
    else this.#channel.send(ok ? resultText(id, json) : errorText(id, json), {});
  }

  #onProgress({ params }: Message): boolean {
    const token = params === undefined ? undefined : membersOf(params)?.get('progressToken');
    if (params === undefined || !token) return false;
    const id = ownId(params.slice(token.start, token.end));
    const call = id === undefined ? undefined : this.#pending.get(id)?.call;
    if (!call) return false;
    call.context.timer?.restart();
    return call.context.progress?.(params, token.start, token.end) !== false;
  }

  /** `forCallers`: the reason that callers see. */
  #onClose(reason: string, forCallers = reason): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    const { server, events } = this.#options;
    const closed = replyOf(new CallsignError('upstream-closed', { server, reason: forCallers }));
    this.#questions.end();
    this.#pending.end(closed);
    if (this.#ending === undefined) events.onClose(reason);
  }

  #onEnding(reason: string): void {
    if (this.isClosed) return;
    this.#ending = reason;
    this.#options.events.onClose(reason);
  }
}
