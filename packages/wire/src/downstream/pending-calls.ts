/**
 * Calls to session-era servers that stay open while a stateless client collects answers. The client
 * comes back with a `requestState`, which only its caller can use, once.
 */

import { createHmac, randomBytes } from 'node:crypto';

import {
  CallContext,
  CallsignError,
  membersOf,
  memberText,
  type Call,
  type Question,
  type Reply,
} from '@callsign/core';

import { canAnswer, isInputRequest, unanswerable } from '../extensions/request/answerable.js';
import { ownerOf } from '../extensions/tasks/task-table.js';
import { failedReply, replyOf } from '../rpc/message/rpc-error.js';
import { notificationText } from '../rpc/message/rpc-text.js';
import { sameText } from '../rpc/message/same-text.js';
import type { SessionRouting, Marked } from './session-routing.js';
import { passesLevel, type LogLevel } from './log-level.js';

/** The request that waits for the reply. */
export interface WaitingRequest {
  /** The client's progress token as JSON text, if it sent one. */
  readonly token: string | undefined;
  /** Default: the client wants no log messages. */
  readonly logLevel: LogLevel | undefined;
  readonly send: (text: string) => boolean | void;
}

/**
 * The context of a stateless call: sends its messages back to the client. A call that waits for
 * answers outlives its request and is attached to the next one.
 */
export class StatelessCallContext extends CallContext {
  override readonly requestId: string;
  /** Unset between two requests of the client. Messages are then dropped. */
  request: WaitingRequest | undefined;
  /** Carries a question to the client with the reply to its request. Set before sending. */
  onQuestion: ((question: Question) => Promise<Reply>) | undefined;

  constructor(requestId: string) {
    super();
    this.requestId = requestId;
  }

  override ask(question: Question): Promise<Reply> {
    return this.onQuestion!(question);
  }

  override progress(params: string, start: number, end: number): boolean | void {
    const { token, send } = this.request ?? {};
    if (token === undefined || !send) return;
    return send(
      notificationText(
        'notifications/progress',
        params.slice(0, start) + token + params.slice(end),
      ),
    );
  }

  override log(params: string): void {
    const { logLevel, send } = this.request ?? {};
    if (logLevel === undefined || !send || !passesLevel(params, logLevel)) return;
    send(notificationText('notifications/message', params));
  }
}

/** What a pending call needs next: its end, or more answers. */
export type Outcome = { readonly reply: Reply } | { readonly inputRequired: string };

/** A pending call that continues. */
export interface Resumed {
  readonly call: Call;
  readonly outcome: Promise<Outcome>;
}

/** A call that is open at its server. */
interface PendingCall {
  readonly id: string;
  readonly call: Call;
  /** Identifies caller and call. Only the same caller may continue it, with the same call. */
  readonly binding: string;
  readonly asked: Map<
    string,
    { readonly question: Question; readonly resolve: (reply: Reply) => void }
  >;
  /** How often the client was asked. */
  rounds: number;
  /** The round that waits for answers. Unset while the server works. */
  awaited: number | undefined;
  lastKey: number;
  ended: Reply | undefined;
  wake: (() => void) | undefined;
  /** Waits for further questions of a round. */
  gathering: NodeJS.Timeout | undefined;
  /** Waits for the client's answers. */
  timer: NodeJS.Timeout | undefined;
}

const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));
/** Questions that come within this time of each other are asked together. */
const GATHER_MS = 10;

export interface PendingCallsOptions {
  /** How long a client may take for its answers. Default: 10 minutes. */
  readonly timeoutMs?: number;
  /** For one principal, or without one. Default: 1,024. */
  readonly maxPerPrincipal?: number;
  /** In total. Default: 5,120. */
  readonly maxPending?: number;
  /** Set if there are several instances. */
  readonly routing?: SessionRouting | undefined;
}

/** Shared by all listeners, since a client may come back on another connection. */
export class PendingCalls {
  readonly #secret = randomBytes(32);
  readonly #prefix: string;
  readonly #routing: SessionRouting | undefined;
  readonly #pending = new Map<string, PendingCall>();
  readonly #timeoutMs: number;
  readonly #maxPerPrincipal: number;
  readonly #maxPending: number;

  constructor({
    timeoutMs = 600_000,
    maxPerPrincipal = 1_024,
    maxPending = 5_120,
    routing,
  }: PendingCallsOptions = {}) {
    this.#routing = routing;
    // States of a gateway behind this one have another prefix, or a seal that we cannot open.
    this.#prefix = routing ? 'callsign.' : `callsign.${randomBytes(6).toString('base64url')}.`;
    this.#timeoutMs = timeoutMs;
    this.#maxPerPrincipal = maxPerPrincipal;
    this.#maxPending = maxPending;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Whether we created a `requestState`. Any other belongs to the server. */
  isOurs(state: string): boolean {
    return this.#read(state) !== undefined;
  }

  /** The way to the instance that holds the call; `undefined` if it is this one, or unknown. */
  relayOf(state: string): Marked['relay'] {
    return this.#read(state)?.relay;
  }

  /** Sends a call and waits for its end or its first questions. Most calls have none. */
  begin(call: Call, binding: string, send: () => Promise<Reply>): Promise<Outcome> {
    return new Promise((resolve) => {
      let pending: PendingCall | undefined;
      (call.context as StatelessCallContext).onQuestion = (question) => {
        if (!pending) {
          pending = pendingCall(call, binding);
          resolve(this.#next(pending));
        }
        return this.#ask(pending, question);
      };
      const onEnd = (reply: Reply): void => {
        if (pending) this.#onEnd(pending, reply);
        else resolve({ reply });
      };
      send().then(onEnd, (error: unknown) => onEnd(failedReply(call, error)));
    });
  }

  /**
   * Continues a pending call. `answers` is the JSON text of `inputResponses`. A state works once, for
   * the caller that got it and with the same arguments, until it expires. `undefined`: the state is
   * not valid.
   */
  resume(
    state: string,
    binding: string,
    { argumentsJson }: Pick<Call, 'argumentsJson'>,
    answers: string | undefined,
  ): Resumed | undefined {
    const [id = '', round = '', mac = '', ...rest] = (this.#read(state)?.text ?? '').split('.');
    const pending = this.#pending.get(id);
    const isGenuine = rest.length === 0 && sameText(mac, this.#mac(id, round, binding));
    if (
      !pending ||
      !isGenuine ||
      pending.binding !== binding ||
      String(pending.awaited) !== round
    ) {
      return undefined;
    }
    // The server has the first ones already.
    if (argumentsJson !== pending.call.argumentsJson) return undefined;
    clearTimeout(pending.timer);
    pending.awaited = undefined;
    return { call: pending.call, outcome: this.#continue(pending, answers) };
  }

  /** Gives the answers to the server, if the call is still allowed. */
  async #continue(pending: PendingCall, answers: string | undefined): Promise<Outcome> {
    const { context } = pending.call;
    try {
      await context.recheck?.();
    } catch (error) {
      context.stop('The call is no longer allowed.');
      this.#drop(pending);
      return { reply: failedReply(pending.call, error) };
    }
    const given = answers === undefined ? undefined : membersOf(answers);
    for (const [key, { start, end }] of given ?? []) {
      const asked = pending.asked.get(key);
      const json = answers!.slice(start, end);
      // An answer that is not an object does not count. The question stays open.
      if (!asked || !json.startsWith('{')) continue;
      pending.asked.delete(key);
      asked.resolve({ ok: true, json });
    }
    return this.#next(pending);
  }

  #ask(pending: PendingCall, question: Question): Promise<Reply> {
    const { call, asked, id } = pending;
    if (!isInputRequest(question) || !canAnswer(call.caller, question)) {
      return Promise.resolve(unanswerable(call, question));
    }
    const limit = this.#pending.has(id) ? undefined : this.#reachedLimit(call);
    if (limit !== undefined) {
      const what = 'calls that wait for answers';
      return Promise.resolve(replyOf(new CallsignError('too-many', { limit, what })));
    }
    return new Promise((resolve) => {
      this.#pending.set(id, pending);
      const key = `q${++pending.lastKey}`;
      asked.set(key, { question, resolve });
      void question.withdrawn?.then(() => asked.delete(key) && resolve(CANCELLED));
      clearTimeout(pending.gathering);
      pending.gathering = setTimeout(() => pending.wake?.(), GATHER_MS);
    });
  }

  /** The limit that one more call would exceed. */
  #reachedLimit({ caller }: Call): number | undefined {
    const all = this.#pending.size;
    if (all >= this.#maxPending) return this.#maxPending;
    if (all < this.#maxPerPrincipal) return undefined;
    const owner = ownerOf(caller);
    let own = 0;
    for (const { call } of this.#pending.values()) if (ownerOf(call.caller) === owner) own++;
    return own >= this.#maxPerPrincipal ? this.#maxPerPrincipal : undefined;
  }

  /** Waits until there is something to send to the client. */
  async #next(pending: PendingCall): Promise<Outcome> {
    while (pending.ended === undefined && pending.asked.size === 0) {
      await new Promise<void>((resolve) => {
        pending.wake = resolve;
      });
    }
    pending.wake = undefined;
    if (pending.ended !== undefined) {
      this.#drop(pending);
      return { reply: pending.ended };
    }
    const round = ++pending.rounds;
    pending.awaited = round;
    pending.timer = setTimeout(() => this.#expire(pending), this.#timeoutMs);
    pending.timer.unref();
    const requests = Array.from(pending.asked, ([key, { question }]) => {
      const { method, params } = question;
      return `"${key}":{"method":${JSON.stringify(method)},"params":${params}}`;
    });
    const text = `${pending.id}.${round}.${this.#mac(pending.id, String(round), pending.binding)}`;
    const state = `${this.#prefix}${this.#routing?.mark(text) ?? text}`;
    return {
      inputRequired: `{"resultType":"input_required","inputRequests":{${requests.join(',')}},"requestState":"${state}"}`,
    };
  }

  /** The server has answered. The client gets the reply when it comes back with its answers. */
  #onEnd(pending: PendingCall, reply: Reply): void {
    pending.ended = reply;
    if (pending.awaited === undefined) this.#drop(pending);
    pending.wake?.();
  }

  #expire(pending: PendingCall): void {
    this.#drop(pending);
    pending.call.context.cancel('The client did not come back with its answers.');
  }

  #drop({ id, timer, gathering, asked }: PendingCall): void {
    clearTimeout(timer);
    clearTimeout(gathering);
    this.#pending.delete(id);
    for (const { resolve } of asked.values()) resolve(CANCELLED);
    asked.clear();
  }

  #read(state: string): Marked | undefined {
    if (!state.startsWith(this.#prefix)) return undefined;
    const text = state.slice(this.#prefix.length);
    return this.#routing ? this.#routing.open(text) : { text };
  }

  #mac(id: string, round: string, binding: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${id}\0${round}\0${binding}`)
      .digest('base64url');
  }
}

/** The `requestState` in the parameters of a request; `undefined` if there is none. */
export function requestStateIn(params: string): string | undefined {
  // Almost no request has it, and a search is much cheaper than a scan.
  const text = params.includes('"requestState"') ? memberText(params, 'requestState') : undefined;
  const state: unknown = text === undefined ? undefined : JSON.parse(text);
  return typeof state === 'string' ? state : undefined;
}

function pendingCall(call: Call, binding: string): PendingCall {
  return {
    id: randomBytes(9).toString('base64url'),
    call,
    binding,
    asked: new Map(),
    rounds: 0,
    awaited: undefined,
    lastKey: 0,
    ended: undefined,
    wake: undefined,
    gathering: undefined,
    timer: undefined,
  };
}
