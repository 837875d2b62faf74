/** A channel over the older SSE transport: a stream from the server, and an address to post to. */

import { discard } from '@callsign/outbound';

import { HandshakeGate } from '../rpc/http/handshake-gate.js';
import { refusalOf, takeAll, tellFailure } from '../rpc/http/http-answer.js';
import { readEvents } from '../rpc/http/http-body.js';
import type { HttpCredentials } from '../rpc/http/http-credentials.js';
import { failureOf, HttpFailure } from '../rpc/http/http-failure.js';
import { HttpPost } from '../rpc/http/http-post.js';
import { OneWayPosts, POST_COST } from '../rpc/http/one-way-posts.js';
import { ServerClient } from '../rpc/http/server-client.js';
import { readMessage } from '../rpc/message/message.js';
import type { Channel, ChannelEvents, OpenChannel, Outgoing } from '../rpc/stream/channel.js';
import type { StreamEvent } from '../rpc/stream/event-stream.js';
import { ownId } from '../rpc/stream/own-id.js';

export interface SseOptions {
  readonly url: string | URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Credentials that may change over time, besides `headers`. */
  readonly credentials?: HttpCredentials | undefined;
  /** A longer message closes the channel, since the stream cannot be read past it. */
  readonly maxMessageBytes: number;
  /** Receives problems that belong to no request, for the log. */
  readonly onNotice?: (message: string) => void;
}

/** How long a stream may be open before it names the address for posts. */
const ENDPOINT_MS = 10_000;

/** Throws if the address is not valid. */
export function openSse(options: SseOptions): OpenChannel {
  const url = new URL(options.url);
  return (events) => new SseChannel(url, options, events);
}

class SseChannel implements Channel {
  readonly #options: SseOptions;
  readonly #events: ChannelEvents;
  readonly #client: ServerClient;
  readonly #gate: HandshakeGate;
  /** Requests whose POST has no response yet, by id. Some servers respond after the answer. */
  readonly #requests = new Map<number, HttpPost>();
  readonly #others: OneWayPosts;
  /** Where the stream comes from, after redirects. */
  #source: URL;
  #endpoint: URL | undefined;
  #endpointTimer: NodeJS.Timeout | undefined;
  #onGreeted: (() => void) | undefined;
  #isClosed = false;

  constructor(url: URL, options: SseOptions, events: ChannelEvents) {
    this.#options = options;
    this.#events = events;
    this.#client = new ServerClient(url, options.headers, options.credentials);
    this.#source = url;
    this.#others = new OneWayPosts((message) => options.onNotice?.(message));
    this.#gate = new HandshakeGate(
      (text, about, settled) => this.#post(text, about, settled),
      false,
    );
    void this.#listen();
  }

  get backlog(): number {
    const posts = this.#others.backlog + this.#requests.size * POST_COST;
    return this.#client.unsent + posts + this.#gate.waiting;
  }

  send(text: string, about: Outgoing): void {
    if (!this.#isClosed) this.#gate.send(text, about);
  }

  abandon(id: number): boolean {
    this.#requests.get(id)?.stop();
    return this.#gate.drop(id);
  }

  /** Closing the stream ends the session. */
  close(): Promise<void> {
    this.#stop();
    return Promise.resolve();
  }

  async #listen(): Promise<void> {
    try {
      await this.#readStream();
      this.#end('its stream of events ended');
    } catch (error) {
      this.#end(failureOf(error, this.#client.url).message);
    }
  }

  async #readStream(): Promise<void> {
    const headers = { accept: 'text/event-stream' };
    const response = await this.#client.exchange({ method: 'GET', headers, mayRepeat: 'always' })
      .response;
    const { status, type, body, url } = response;
    this.#source = url;
    if (status !== 200) throw await refusalOf(response, url);
    if (type !== 'text/event-stream') {
      discard(body);
      throw new HttpFailure('it has no stream of events', { url, status });
    }
    this.#endpointTimer = setTimeout(() => {
      this.#end(`it did not name the address for messages within ${ENDPOINT_MS / 1000} s`);
    }, ENDPOINT_MS).unref();
    const maxBytes = this.#options.maxMessageBytes;
    await readEvents(body, { maxBytes, url }, (event) => this.#onEvent(event));
  }

  #onEvent({ event, data }: StreamEvent): boolean {
    if (this.#isClosed || data === '') return false;
    if (event === 'message') {
      // A server that answers has read `initialize`, even if that POST is still open.
      this.#onGreeted?.();
      return takeAll(data, (message) => this.#onMessage(message));
    }
    if (event === 'endpoint' && this.#endpoint === undefined) this.#onEndpoint(data);
    return false;
  }

  #onMessage(text: string): boolean {
    const message = this.#requests.size > 0 ? readMessage(text) : undefined;
    const id = message?.method === undefined ? ownId(message?.id) : undefined;
    if (id !== undefined) this.#requests.get(id)?.answered();
    return this.#events.onText(text);
  }

  #onEndpoint(data: string): void {
    const url = this.#source;
    const endpoint = URL.canParse(data, url.href) ? new URL(data, url) : undefined;
    // Another origin would get our credentials.
    if (endpoint?.origin !== url.origin) {
      return this.#end('it wants messages sent to another origin, which is not allowed');
    }
    clearTimeout(this.#endpointTimer);
    this.#endpoint = endpoint;
    this.#gate.ready();
  }

  #post(text: string, about: Outgoing, settled?: (ok: boolean) => void): void {
    const { id, method } = about;
    if (method === 'initialize') this.#onGreeted = () => settled?.(true);
    const post = new HttpPost({
      client: this.#client,
      url: this.#endpoint!,
      text,
      // The answer comes on the stream, so none is expected here.
      about: method === undefined ? {} : { method },
      maxBytes: this.#options.maxMessageBytes,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      onAccepted: () => settled?.(true),
      onMessage: (message) => this.#events.onText(message),
      onFailure: (failure) => {
        settled?.(false);
        if (failure.status === 404) this.#end('its session ended (HTTP 404)');
        else if (id !== undefined) tellFailure(failure, { ...about, id }, this.#events);
        else
          this.#options.onNotice?.(`${method ?? 'an answer'} was not accepted: ${failure.message}`);
      },
    });
    if (id === undefined) return this.#others.add(post);
    this.#requests.set(id, post);
    void post.run().finally(() => this.#requests.delete(id));
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#stop();
    this.#events.onClose(reason);
  }

  #stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#endpointTimer);
    this.#gate.close();
    this.#others.stop();
    for (const post of this.#requests.values()) post.stop();
    this.#client.close();
  }
}
