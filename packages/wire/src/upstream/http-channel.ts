/** A channel over Streamable HTTP: one POST per message, answered by JSON or by a stream. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { Era } from '@callsign/core';
import { discard, type HttpClient } from '@callsign/outbound';

import { EventFeed } from '../rpc/http/event-feed.js';
import { HandshakeGate } from '../rpc/http/handshake-gate.js';
import { takeAll, tellFailure } from '../rpc/http/http-answer.js';
import type { HttpCredentials } from '../rpc/http/http-credentials.js';
import type { HttpFailure } from '../rpc/http/http-failure.js';
import { HttpPost } from '../rpc/http/http-post.js';
import { OneWayPosts } from '../rpc/http/one-way-posts.js';
import { ServerClient } from '../rpc/http/server-client.js';
import { SessionPass } from '../rpc/http/session-pass.js';
import { statelessHeaders } from '../rpc/http/stateless-headers.js';
import type { Channel, ChannelEvents, OpenChannel, Outgoing } from '../rpc/stream/channel.js';

/** How to reach a server over HTTP. */
export interface HttpOptions {
  readonly url: string | URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Credentials that may change over time, besides `headers`. */
  readonly credentials?: HttpCredentials | undefined;
  /** Opens the connections, such as those to another instance. Default: a client of its own. */
  readonly client?: (() => HttpClient) | undefined;
  /** The address is that of another instance, which callers must not learn. Default: failures name it. */
  readonly isInternal?: boolean;
  readonly era: Era;
  /** A longer message fails the request that it belongs to. */
  readonly maxMessageBytes: number;
  /** Receives problems that belong to no request, for the log. */
  readonly onNotice?: (message: string) => void;
  /**
   * Called when the other end answers 421: it has not run the request, and is not the one that runs it now. Default:
   * 421 is an error like any other.
   */
  readonly onMisdirected?: (failure: HttpFailure) => void;
  /** Called when the handshake is refused. Returns true if another channel takes over. */
  readonly onRefused?: (failure: HttpFailure) => boolean;
}

const MISDIRECTED = 421;
/** How long the end of a session may take. */
const END_MS = 1_000;

/** Throws if the address is not valid. */
export function openHttp(options: HttpOptions): OpenChannel {
  const url = new URL(options.url);
  return (events) => new HttpChannel(url, options, events);
}

class HttpChannel implements Channel {
  readonly #options: HttpOptions;
  readonly #events: ChannelEvents;
  readonly #client: ServerClient;
  /** Messages that wait for an answer, by id. */
  readonly #requests = new Map<number, HttpPost>();
  readonly #others: OneWayPosts;
  readonly #session = new SessionPass();
  /** Missing in the stateless era, which has no handshake. */
  readonly #gate: HandshakeGate | undefined;
  #feed: EventFeed | undefined;
  #isClosed = false;
  /** Set when the server has dropped the session. Requests under way still get their answers. */
  #ending: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: URL, options: HttpOptions, events: ChannelEvents) {
    this.#options = options;
    this.#events = events;
    this.#client = new ServerClient(url, options.headers, options.credentials, options.client?.());
    this.#others = new OneWayPosts((message) => options.onNotice?.(message));
    if (options.era === 'session') {
      this.#gate = new HandshakeGate(
        (text, about, settled) => this.#post(text, about, settled),
        true,
      );
    }
  }

  /** Messages that need no answer count until the server has accepted them. */
  get backlog(): number {
    return this.#client.unsent + this.#others.backlog + (this.#gate?.waiting ?? 0);
  }

  send(text: string, about: Outgoing): void {
    if (this.#isClosed) return;
    if (this.#ending !== undefined) this.#refuse(about, this.#ending);
    else if (this.#gate) this.#gate.send(text, about);
    else this.#post(text, about);
  }

  /** In the stateless era, closing the connection cancels. In a session it only frees it. */
  abandon(id: number): boolean {
    if (this.#gate?.drop(id)) return true;
    this.#requests.get(id)?.stop();
    return this.#options.era === 'stateless';
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  async #shut(): Promise<void> {
    const isDropped = this.#isClosed || this.#ending !== undefined;
    const isOpen = !isDropped && this.#session.id !== undefined;
    this.#stop();
    if (isOpen) {
      const headers = this.#session.headers();
      const { response } = this.#client.exchange({
        method: 'DELETE',
        headers,
        mayRepeat: 'always',
      });
      // A server may refuse to end the session, or may have stopped. Neither matters.
      const ended = response.then(({ body }) => discard(body)).catch(() => undefined);
      await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
    }
    this.#client.close();
  }

  #post(text: string, about: Outgoing, settled?: (ok: boolean) => void): void {
    const { era, maxMessageBytes } = this.#options;
    const { id, method } = about;
    const isSession = era === 'session';
    let answered: Parameters<SessionPass['open']>[0] = {};
    const post = new HttpPost({
      client: this.#client,
      text,
      about,
      maxBytes: maxMessageBytes,
      headers: {
        ...(isSession ? this.#session.headers() : statelessHeaders(about)),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      ...(isSession ? { resumeHeaders: () => this.#session.headers() } : {}),
      onAccepted: (headers) => {
        answered = headers;
        if (method !== 'notifications/initialized' || !isSession) return;
        settled?.(true);
        this.#listen();
      },
      onMessage: (message, isAnswer) => {
        // Before the answer is passed on: the next message needs the headers of the session.
        if (isAnswer && method === 'initialize') settled?.(this.#session.open(answered, message));
        return this.#events.onText(message, id);
      },
      onFailure: (failure, isAccepted) => {
        const shown = this.#options.isInternal ? failure.withoutAddress() : failure;
        this.#onFailure(shown, about, isAccepted);
        settled?.(false);
      },
    });
    if (id === undefined) return this.#others.add(post);
    this.#requests.set(id, post);
    void post.run().finally(() => {
      if (this.#requests.get(id) === post) this.#requests.delete(id);
      this.#endIfIdle();
    });
  }

  #onFailure(failure: HttpFailure, about: Outgoing, isAccepted: boolean): void {
    const { id, method, wasRefused } = about;
    const { onNotice, onRefused, onMisdirected } = this.#options;
    if (failure.status === MISDIRECTED && onMisdirected) {
      onMisdirected(failure);
      if (id !== undefined) this.#events.onFault?.(id, 'upstream-moved', {});
      return;
    }
    const isOwnFault = wasRefused === true && !isAccepted;
    if (!isOwnFault && this.#session.isEndedBy(failure)) {
      const reason = `its session ended (HTTP ${failure.status})`;
      // The server has not started a request that it refused. One whose stream broke may have run.
      if (!isAccepted) this.#refuse(about, reason);
      else if (id !== undefined) this.#events.onFault?.(id, 'upstream-closed', { reason });
      return this.#endSession(reason);
    }
    if (method === 'initialize') {
      if (failure.isNetwork) return this.#end(failure.message);
      if (onRefused?.(failure)) return;
    }
    if (id !== undefined) tellFailure(failure, { ...about, id }, this.#events);
    else onNotice?.(`${method ?? 'an answer'} was not accepted: ${failure.message}`);
  }

  /** Opens the stream for messages that belong to no request. Servers need not have one. */
  #listen(): void {
    const { maxMessageBytes: maxBytes, onNotice } = this.#options;
    const feed = new EventFeed({
      client: this.#client,
      headers: () => this.#session.headers(),
      maxBytes,
      isLasting: true,
      onEvent: ({ event, data }) =>
        event === 'message' &&
        data !== '' &&
        takeAll(data, (message) => this.#events.onText(message)),
    });
    this.#feed?.stop();
    this.#feed = feed;
    feed.run().catch((failure: HttpFailure) => {
      if (this.#isClosed || this.#feed !== feed) return;
      // If the stream was never open, this status means that the server has none.
      if (feed.wasOpen && this.#session.isEndedBy(failure))
        this.#endSession(`its session ended (HTTP ${failure.status})`);
      else if (![404, 405, 501].includes(failure.status ?? 0)) {
        onNotice?.(`messages without a request cannot be received: ${failure.message}`);
      }
    });
  }

  /** The server has certainly not run this request. */
  #refuse({ id }: Outgoing, reason: string): void {
    if (id === undefined) return;
    this.#events.onFault?.(id, 'upstream-unavailable', { reason, session: 'ended' });
  }

  /**
   * The server no longer knows the session. Requests that are under way get their own answers: most
   * of them are refused too, and some may have run.
   */
  #endSession(reason: string): void {
    if (this.#isClosed || this.#ending !== undefined) return;
    this.#ending = reason;
    this.#feed?.stop();
    for (const about of this.#gate?.close() ?? []) this.#refuse(about, reason);
    this.#events.onEnding?.(reason);
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#ending !== undefined && this.#requests.size === 0) this.#end(this.#ending);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#stop();
    this.#client.close();
    this.#events.onClose(reason);
  }

  #stop(): void {
    this.#isClosed = true;
    this.#gate?.close();
    this.#feed?.stop();
    this.#others.stop();
    for (const post of this.#requests.values()) post.stop();
  }
}
