/** A stateless client: every request holds everything that is needed to answer it. */

import { randomUUID } from 'node:crypto';

import {
  type Call,
  type Caller,
  CallsignError,
  memberText,
  type Reply,
  type Source,
} from '@callsign/core';

import { asksForNextPage } from '../extensions/request/next-page.js';
import { Tasks } from '../extensions/tasks/tasks.js';
import { UnderWay } from '../rpc/fast/under-way.js';
import { completeResult } from '../rpc/message/complete-result.js';
import type { Message } from '../rpc/message/message.js';
import { META, STATELESS_VERSIONS } from '../rpc/message/protocol.js';
import { replyOf } from '../rpc/message/rpc-error.js';
import { errorText, listText, replyText, resultText } from '../rpc/message/rpc-text.js';
import type { Text } from '../rpc/stream/long-text.js';
import { announcedCapabilities } from './announced-capabilities.js';
import { callerOf, type Envelope } from './envelope.js';
import {
  requestStateIn,
  StatelessCallContext,
  type PendingCalls,
  type Outcome,
} from './pending-calls.js';
import { prepareList, statelessList } from './listing.js';
import {
  foundLater,
  idInUse,
  isStatelessCall,
  LIST_KINDS,
  namesReady,
  prepareCall,
  tokenOf,
  withHidden,
  type LateTarget,
  type Prepared,
} from './prepared-call.js';
import { readSubscriptionFilter, subscribe } from './subscription.js';
import type { ServedSource } from './served-source.js';

export interface StatelessOptions {
  readonly served: ServedSource;
  readonly pending: PendingCalls;
}

/** The kind of a message: one of several, the reply, or an error from us or from the server. */
export type SentKind = 'more' | 'result' | 'own-error' | 'relayed-error';

/**
 * Sends a message to the client. Every kind except `more` ends the request. `answered`: its id.
 * Returns false if the client reads too slowly to get it.
 */
export type StatelessSend = (text: Text, kind: SentKind, answered?: string) => boolean | void;

/** A request that is not answered yet. */
interface Running {
  /** The client has cancelled the request. */
  stop(): void;
  /** Ends the request on our side. */
  finish?(): void;
}

/** The identity of unknown clients. */
export const UNKNOWN_CLIENT = 'nobody';

export class StatelessClient {
  readonly #options: StatelessOptions;
  /** The identity behind the requests, if the listener knows it. */
  readonly #identity: string;
  readonly #send: StatelessSend;
  /** Whether an empty subscription stays open, as on a pipe. */
  readonly #keepsEmpty: boolean;
  readonly #running = new UnderWay<string, Running>();
  #latest: { readonly envelope: Envelope; readonly caller: Caller } | undefined;

  constructor(
    options: StatelessOptions,
    identity: string,
    send: StatelessSend,
    keepsEmpty: boolean = true,
  ) {
    this.#options = options;
    this.#identity = identity;
    this.#send = send;
    this.#keepsEmpty = keepsEmpty;
  }

  receive(message: Message): void {
    const { id, method } = message;
    if (method === undefined) return;
    if (id === undefined) this.takes(message);
    else this.#onRequest(message, method, id);
  }

  /** Handles a cancel notification. */
  takes({ method, params = '{}' }: Message): boolean {
    if (method !== 'notifications/cancelled') return false;
    const running = this.#running.get(memberText(params, 'requestId') ?? '');
    running?.stop();
    return running !== undefined;
  }

  /** The client has disconnected. */
  end(): void {
    for (const { stop } of this.#running.values()) stop();
  }

  /** Ends all subscriptions, at shutdown. */
  finish(): void {
    for (const { finish } of this.#running.values()) finish?.();
  }

  #onRequest(message: Message, method: string, id: string): void {
    const failed = (error: unknown): void => {
      this.#running.delete(id);
      this.#fail(id, replyOf(error).json);
    };
    try {
      const read = this.#options.served.envelopes.read(message);
      if (!read.ok) return this.#fail(id, read.error);
      if (this.#running.has(id)) return this.#fail(id, idInUse().json);
      this.#answered(message, method, id, read.envelope).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Resolves when a request has its answer, or is a subscription. */
  #answered(message: Message, method: string, id: string, envelope: Envelope): Promise<void> {
    if (method === 'subscriptions/listen') return this.#listen(message, id, envelope);
    if (isStatelessCall(method)) return this.#call(message, method, id, envelope);
    if (LIST_KINDS.has(method)) return this.#list(message, method, id, envelope);
    return this.#answer(method, id, envelope);
  }

  async #list({ params }: Message, method: string, id: string, envelope: Envelope): Promise<void> {
    if (asksForNextPage(params!)) throw new CallsignError('unknown-cursor');
    const { served } = this.#options;
    await served.whenListed(envelope.client);
    const meta = JSON.stringify({ [META.serverInfo]: served.self });
    const view = this.#view(envelope.client);
    const kind = LIST_KINDS.get(method)!;
    await prepareList(view, kind);
    this.#send(listText(id, statelessList(kind, view.offer, meta)), 'result', id);
    served.onListed?.();
  }

  async #answer(method: string, id: string, { client }: Envelope): Promise<void> {
    const { served } = this.#options;
    await served.whenPlaced(client);
    if (method !== 'server/discover') throw new CallsignError('method-not-found', { method });
    const view = this.#view(client);
    const { instructions } = view;
    const discovered = {
      resultType: 'complete',
      supportedVersions: STATELESS_VERSIONS,
      capabilities: announcedCapabilities(served, view, 'stateless'),
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [META.serverInfo]: served.self },
    };
    this.#respond(id, { ok: true, json: JSON.stringify(discovered) });
  }

  async #call(message: Message, method: string, id: string, envelope: Envelope): Promise<void> {
    const { pending, served } = this.#options;
    const caller = this.#caller(envelope);
    const context = new StatelessCallContext(id);
    const view = (): Source => this.#view(envelope.client);
    const prepare = (): Prepared => prepareCall(message, method, view(), caller, context, served);
    const naming = namesReady(view(), method);
    if (naming && !(await this.#wanted(naming, id))) return;
    const found = this.#prepare({ served, view, prepare }, id);
    const prepared = found instanceof Promise ? await found : found;
    if (prepared === undefined) return;
    if ('reply' in prepared) {
      const { unknown } = prepared;
      if (unknown) served.onUnknown?.(await withHidden(unknown, view()));
      return this.#fail(id, (await prepared.reply).json);
    }
    const { call, route } = prepared;
    const binding = `${this.#identity}\0${caller.client.name}\0${method}\0${call.name}`;
    const state = requestStateIn(message.params!);
    const isOurs = state !== undefined && pending.isOurs(state);
    const answers = isOurs ? memberText(message.params!, 'inputResponses') : undefined;
    const resumed = isOurs ? pending.resume(state, binding, call, answers) : undefined;
    if (isOurs && !resumed) throw new CallsignError('request-state-invalid');
    const active = resumed?.call ?? call;
    const detach = this.#attach(active, id, message, envelope);
    let outcome: Outcome;
    try {
      outcome = await (resumed?.outcome ??
        pending.begin(call, binding, () =>
          Tasks.isFor(call) ? served.tasks.send(call, route) : route.send(call),
        ));
    } finally {
      detach();
    }
    if (active.context.isCancelled) return;
    const { ok, json } =
      'reply' in outcome ? outcome.reply : { ok: true, json: outcome.inputRequired };
    this.#respond(id, { ok, json: ok ? completeResult(json, method, served.self) : json });
  }

  /** Waits. Returns false if the request was cancelled meanwhile. */
  async #wanted(until: Promise<void>, id: string): Promise<boolean> {
    const waiting = { stop: () => this.#running.delete(id) };
    this.#running.set(id, waiting);
    await until;
    // A cancelled request's id may be in use again.
    return this.#running.get(id) === waiting && this.#running.delete(id);
  }

  /** An unknown target may belong to a server that is starting. `undefined`: cancelled. */
  #prepare(
    late: Omit<LateTarget, 'isWanted'>,
    id: string,
  ): Prepared | Promise<Prepared | undefined> {
    const prepared = late.prepare();
    if (!('unknown' in prepared) || late.served.isSettled()) return prepared;
    let isWanted = true;
    const stop = (): void => {
      isWanted = !this.#running.delete(id);
    };
    this.#running.set(id, { stop });
    return foundLater({ ...late, isWanted: () => isWanted }).then((found) => {
      if (found) stop();
      return found;
    });
  }

  /** Attaches a call to the request that waits for it, until the request is answered. */
  #attach(call: Call, id: string, message: Message, { logLevel }: Envelope): () => void {
    const context = call.context as StatelessCallContext;
    context.request = {
      token: tokenOf(message),
      logLevel,
      send: (text) => this.#send(text, 'more'),
    };
    this.#running.set(id, {
      stop: () => {
        this.#running.delete(id);
        call.context.cancel('The client cancelled the request.');
      },
    });
    return () => {
      this.#running.delete(id);
      context.request = undefined;
    };
  }

  async #listen(message: Message, id: string, envelope: Envelope): Promise<void> {
    const filter = readSubscriptionFilter(message.params!);
    if (filter === undefined) {
      const reason = "'notifications' is required and must be a valid SubscriptionFilter";
      throw new CallsignError('invalid-params', { reason });
    }
    const { served } = this.#options;
    const { stop, isEmpty } = subscribe(filter, id, {
      served,
      view: this.#view(envelope.client),
      caller: this.#caller(envelope),
      send: (text) => this.#send(text, 'more'),
      fail: (error) => {
        if (this.#running.delete(id)) this.#fail(id, error);
      },
    });
    const running = {
      stop: () => {
        this.#running.delete(id);
        stop();
      },
      finish: () => {
        running.stop();
        const meta = `{"${META.subscriptionId}":${id},"${META.serverInfo}":${JSON.stringify(served.self)}}`;
        this.#send(resultText(id, `{"resultType":"complete","_meta":${meta}}`), 'result');
      },
    };
    this.#running.set(id, running);
    if (isEmpty && !this.#keepsEmpty) running.finish();
  }

  #view(client: Envelope['client']): Source {
    const { served } = this.#options;
    return served.viewFor(client, served.principal, served.connection);
  }

  /** Most requests of a client have the same envelope, and so the same caller. */
  #caller(envelope: Envelope): Caller {
    const { served } = this.#options;
    // Unknown clients are never treated as the same client.
    if (this.#identity === UNKNOWN_CLIENT) return callerOf(envelope, randomUUID(), served);
    if (this.#latest?.envelope !== envelope) {
      this.#latest = { envelope, caller: callerOf(envelope, this.#identity, served) };
    }
    return this.#latest.caller;
  }

  /** A server's reply, or our own successful one. */
  #respond(id: string, reply: Reply): void {
    this.#send(replyText(id, reply), reply.ok ? 'result' : 'relayed-error', id);
  }

  #fail(id: string, error: string): void {
    this.#send(errorText(id, error), 'own-error', id);
  }
}
