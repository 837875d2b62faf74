/** A session over HTTP: a stream per request, one stream for everything else, and a log of each. */

import { CallsignError, type CallsignErrorCode, memberText } from '@callsign/core';

import { UnderWay } from '../../rpc/fast/under-way.js';
import type { Message } from '../../rpc/message/message.js';
import { replyOf } from '../../rpc/message/rpc-error.js';
import { errorText } from '../../rpc/message/rpc-text.js';
import type { Text } from '../../rpc/stream/long-text.js';
import { Session } from '../session.js';
import type { ServedSource } from '../served-source.js';
import { EventLog, FinishedStreams, streamOf, type EventMemory } from './event-log.js';
import type { HttpResponse } from './http-response.js';

/** One POST: its requests and its response. */
interface Exchange {
  /** Set once the response is a stream. */
  log: EventLog | undefined;
  readonly requests: readonly string[];
  /** Requests without a reply. */
  left: number;
  response: HttpResponse;
  isStream: boolean;
  /** When the response becomes a stream that can be resumed. On `performance.now()`. */
  readonly streamsAt: number;
  /** Runs while the client is gone and may still resume the stream. */
  lost: NodeJS.Timeout | undefined;
}

/** `abandoned`: the stream cannot be resumed any more. `unknown`: there never was such an event. */
export type Resumption = 'resumed' | 'unknown' | 'abandoned';

/** A request that takes longer gets a stream, so that a lost connection can be resumed. */
const PATIENCE_MS = 1_000;
const RETRY_MS = 1_000;
/** How long a client may take to resume a stream. Then its calls are cancelled. Clients try again within seconds. */
const RESUME_MS = 30_000;
/** As JSON text. */
const GONE = '"The client disconnected."';
/** Clients of earlier versions do not expect an event without data. */
const FIRST_PRIMED = '2025-11-25';
/** How many streams without a reply are remembered, for clients that still ask for them. */
const MAX_ABANDONED = 256;

/** Connects a `Session` to the HTTP responses of its client. */
export class HttpSession {
  readonly session: Session;
  /** The id that the client knows. It names our instance, if there are several. */
  readonly id: string;
  /** On the clock of `performance.now()`. */
  lastUsed: number = performance.now();
  /** Open streams by id, and exchanges by their unanswered requests. */
  readonly #streams = new Map<string, Exchange>();
  readonly #byRequest = new UnderWay<string, Exchange>();
  readonly #finished = new FinishedStreams();
  readonly #abandoned = new Set<string>();
  readonly #memory: EventMemory;
  readonly #ownLog: EventLog;
  #ownStream: HttpResponse | undefined;
  #lastStream = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(served: ServedSource, memory: EventMemory) {
    this.#memory = memory;
    this.#ownLog = new EventLog('own', memory);
    this.session = new Session(
      served,
      (text, about, isAnswer) => this.#send(text, about, isAnswer === true),
      (id) => this.#abandon(id),
    );
    this.id = served.routing?.mark(this.session.id) ?? this.session.id;
  }

  get callsUnderWay(): number {
    return this.#byRequest.size;
  }

  get isIdle(): boolean {
    return this.#byRequest.size === 0 && !this.#ownStream?.isOpen;
  }

  /** Handles the messages of one POST. Returns false if a request id is already in use. */
  post(messages: readonly Message[], response: HttpResponse): boolean {
    this.lastUsed = performance.now();
    const requests: string[] = [];
    for (const { id, method } of messages) {
      if (id === undefined || method === undefined) continue;
      if (this.#byRequest.has(id) || requests.includes(id)) return false;
      requests.push(id);
    }
    if (requests.length === 0) response.empty(202);
    else this.#openExchange(requests, response);
    for (const message of messages) this.session.receive(message);
    return true;
  }

  /** Opens the stream for messages that belong to no request. Returns false if it is already open. */
  listen(response: HttpResponse): boolean {
    this.lastUsed = performance.now();
    if (this.#ownStream?.isOpen) return false;
    this.#ownStream = response;
    response.startStream();
    this.#prime(this.#ownLog, response);
    return true;
  }

  /** Resumes a lost stream: sends the missed events, then new ones. */
  resume(lastEventId: string, response: HttpResponse): Resumption {
    this.lastUsed = performance.now();
    const streamId = streamOf(lastEventId);
    if (this.#abandoned.has(streamId)) return 'abandoned';
    const exchange = this.#streams.get(streamId);
    const log =
      streamId === this.#ownLog.streamId
        ? this.#ownLog
        : (exchange?.log ?? this.#finished.get(streamId));
    const missed = log?.after(lastEventId);
    if (!log || !missed) return 'unknown';
    if (log.isForgotten && log !== this.#ownLog) return 'abandoned';
    response.startStream();
    for (const { id, data } of missed) if (data !== '') response.event(data, id);
    if (log === this.#ownLog) {
      this.#ownStream?.end();
      this.#ownStream = response;
    } else if (exchange) {
      exchange.response.end();
      clearTimeout(exchange.lost);
      this.#attach(exchange, response);
    } else response.end();
    return 'resumed';
  }

  keepAlive(): void {
    this.#finished.sweep();
    this.#ownStream?.comment(': keepalive\n\n');
    for (const { response } of this.#streams.values()) response.comment(': keepalive\n\n');
  }

  /** Calls under way get this error. A status such as 404 would say that they were never made. */
  end(code: CallsignErrorCode, details: CallsignError['details'] = {}): void {
    this.session.end();
    this.#ownStream?.end();
    clearTimeout(this.#patience);
    const { json } = replyOf(new CallsignError(code, details));
    for (const { requests } of new Set(this.#byRequest.values())) {
      for (const id of requests) this.#send(errorText(id, json), id, true);
    }
    this.#byRequest.clear();
    for (const { log } of this.#streams.values()) log?.forget();
    this.#streams.clear();
    this.#ownLog.forget();
    this.#finished.clear();
  }

  #openExchange(requests: readonly string[], response: HttpResponse): void {
    const exchange: Exchange = {
      log: undefined,
      requests,
      left: requests.length,
      response,
      isStream: false,
      streamsAt: this.lastUsed + PATIENCE_MS,
      lost: undefined,
    };
    for (const id of requests) this.#byRequest.set(id, exchange);
    this.#attach(exchange, response);
    this.#patience ??= setTimeout(() => this.#openLateStreams(), PATIENCE_MS);
  }

  #attach(exchange: Exchange, response: HttpResponse): void {
    exchange.response = response;
    response.onClose(() => {
      if (exchange.left > 0 && exchange.response === response) this.#onDisconnect(exchange);
    });
  }

  /** A client can resume only a stream of which it knows an event. Other requests are cancelled at once. */
  #onDisconnect(exchange: Exchange): void {
    const cancel = (): void => {
      for (const id of exchange.requests)
        if (this.#byRequest.get(id) === exchange) this.session.cancel(id, GONE);
    };
    const isResumable = exchange.log?.hasEvents === true && !exchange.log.isForgotten;
    if (isResumable) exchange.lost = setTimeout(cancel, RESUME_MS).unref();
    else cancel();
  }

  /** One timer for all requests, and none if there are no requests. */
  #openLateStreams(): void {
    this.#patience = undefined;
    const now = performance.now();
    let next = Infinity;
    for (const exchange of this.#byRequest.values()) {
      if (exchange.streamsAt <= now) this.#openStream(exchange);
      else next = Math.min(next, exchange.streamsAt);
    }
    if (next === Infinity) return;
    this.#patience = setTimeout(() => this.#openLateStreams(), next - now);
  }

  #send(text: Text, about: string | undefined, isAnswer: boolean): boolean {
    const exchange = about === undefined ? undefined : this.#byRequest.get(about);
    if (!exchange) return about === undefined && this.#sendOwn(String(text));
    if (isAnswer) this.#settle(exchange, about!);
    const isLast = isAnswer && exchange.left === 0;
    if (isLast && !exchange.isStream) {
      exchange.response.json(200, text);
      return true;
    }
    this.#openStream(exchange);
    const isSent = this.#sendOn(exchange, text);
    if (isLast) this.#finish(exchange);
    return isAnswer || isSent;
  }

  /** Sends a message that belongs to no request: on its own stream, or with any open request. */
  #sendOwn(text: string): boolean {
    const own = this.#ownStream;
    if (own?.isOpen) return !own.drops(text) && own.event(text, this.#ownLog.add(text));
    const exchange = this.#youngest();
    if (exchange) {
      this.#openStream(exchange);
      return this.#sendOn(exchange, text);
    }
    // A notification can wait for the stream to be resumed. A question must not.
    const isNotice = memberText(text, 'id') === undefined;
    if (this.#ownStream && isNotice) this.#ownLog.add(text);
    return false;
  }

  #youngest(): Exchange | undefined {
    const open = [...this.#byRequest.values()].filter(({ response }) => response.isOpen);
    return open.toSorted((a, b) => b.streamsAt - a.streamsAt)[0];
  }

  /** A lost stream may be resumed, so the client counts as there. Returns false if it reads too slowly. */
  #sendOn({ response, log }: Exchange, text: Text): boolean {
    if (response.drops(text)) return false;
    response.event(text, log!.add(text));
    return true;
  }

  #openStream(exchange: Exchange): void {
    if (exchange.isStream) return;
    exchange.isStream = true;
    const log = new EventLog(`s${++this.#lastStream}`, this.#memory);
    exchange.log = log;
    this.#streams.set(log.streamId, exchange);
    exchange.response.startStream();
    this.#prime(log, exchange.response);
  }

  /** Sends an event without data, so that the client can resume before the first message. */
  #prime(log: EventLog, response: HttpResponse | undefined): void {
    if ((this.session.version ?? '') < FIRST_PRIMED) response?.comment(': open\n\n');
    else response?.comment(`id: ${log.add('')}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  #settle(exchange: Exchange, request: string): void {
    this.#byRequest.delete(request);
    if (--exchange.left === 0) clearTimeout(exchange.lost);
  }

  /** All requests of the exchange are answered. */
  #finish({ log, response }: Exchange): void {
    this.#streams.delete(log!.streamId);
    this.#finished.add(log!);
    response.end();
  }

  /** A request was cancelled and gets no reply, so the stream must not wait for one. */
  #abandon(id: string): void {
    const exchange = this.#byRequest.get(id);
    if (!exchange) return;
    this.#settle(exchange, id);
    if (exchange.left > 0) return;
    const { response, log } = exchange;
    if (!log) return response.empty(202);
    this.#streams.delete(log.streamId);
    log.forget();
    this.#abandoned.add(log.streamId);
    for (const first of this.#abandoned) {
      if (this.#abandoned.size <= MAX_ABANDONED) break;
      this.#abandoned.delete(first);
    }
    response.end();
  }
}
