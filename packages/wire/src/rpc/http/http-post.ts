/** One message to a server over HTTP, and everything that comes back for it. */

import type { IncomingHttpHeaders } from 'node:http';

import { isKnownMethod } from '@callsign/core';
import { discard, drain, type HttpResponse, type Repeat } from '@callsign/outbound';

import type { Outgoing } from '../stream/channel.js';
import type { StreamEvent } from '../stream/event-stream.js';
import { EventFeed } from './event-feed.js';
import { answerTo, refusalOf, takeAll } from './http-answer.js';
import { readEvents, readText } from './http-body.js';
import { failureOf, HttpFailure } from './http-failure.js';
import type { Exchange, ServerClient } from './server-client.js';

export interface HttpPostOptions {
  readonly client: ServerClient;
  /** Default: the server's own address. */
  readonly url?: URL;
  readonly text: string;
  readonly about: Outgoing;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Headers for resuming a broken stream. Default: it cannot be resumed. */
  readonly resumeHeaders?: () => Readonly<Record<string, string>>;
  readonly onAccepted: (headers: IncomingHttpHeaders) => void;
  /** Returns true if the message was awaited. */
  readonly onMessage: (text: string, isAnswer: boolean) => boolean;
  /**
   * Called at most once, and never after the answer. `isAccepted`: the server has taken the message
   * and may have acted on it.
   */
  readonly onFailure: (failure: HttpFailure, isAccepted: boolean) => void;
}

/** How long a response may stay open after the answer. */
const LINGER_MS = 1_000;

export class HttpPost {
  readonly #options: HttpPostOptions;
  #exchange: Exchange | undefined;
  #feed: EventFeed | undefined;
  #linger: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #isAccepted = false;
  #isAnswered = false;
  #isStopped = false;

  constructor(options: HttpPostOptions) {
    this.#options = options;
  }

  /** Resolves when nothing more will come. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#deliver();
    } catch (error) {
      if (this.#isStopped || this.#isAnswered) return;
      this.#options.onFailure(failureOf(error, this.#url), this.#isAccepted);
    } finally {
      clearTimeout(this.#linger);
    }
  }

  /** Characters. */
  get length(): number {
    return this.#options.text.length;
  }

  get #url(): URL {
    return this.#options.url ?? this.#options.client.url;
  }

  /** Cancels the message, whether sent or not. No callback is called afterwards. */
  stop(): void {
    this.#isStopped = true;
    this.#exchange?.abort();
    this.#feed?.stop();
  }

  /** Cancels the message because it has taken this long. */
  expire(ms: number): void {
    const isUnanswered = !this.#isAccepted && !this.#isStopped;
    this.stop();
    const reason = `it did not answer within ${ms / 1_000} s`;
    if (isUnanswered) this.#options.onFailure(new HttpFailure(reason, { url: this.#url }), false);
  }

  /** The answer has come. A server may leave the response open, which occupies a connection. */
  answered(): void {
    this.#isAnswered = true;
    this.#feed?.stop();
    this.#linger = setTimeout(() => this.#exchange?.abort(), LINGER_MS).unref();
  }

  async #deliver(): Promise<void> {
    const { client, url, text, about, headers, onAccepted } = this.#options;
    this.#exchange = client.exchange({
      method: 'POST',
      ...(url === undefined ? {} : { url }),
      headers,
      body: text,
      mayRepeat: repeatOf(about),
    });
    const response = await this.#exchange.response;
    const { status, type, body } = response;
    if (status < 200 || status >= 300) throw await refusalOf(response, this.#url);
    if (this.#isStopped) return;
    this.#isAccepted = true;
    onAccepted(response.headers);
    if (type === 'text/event-stream') await this.#readStream(response);
    else if (about.id === undefined) await drain(body);
    else await this.#readBody(response);
    if (about.id !== undefined && !this.#isAnswered && !this.#isStopped) {
      throw new HttpFailure('its response had no answer', { url: this.#url, status });
    }
  }

  async #readBody({ status, type, body }: HttpResponse): Promise<void> {
    const { maxBytes } = this.#options;
    const url = this.#url;
    if (type !== '' && type !== 'application/json') {
      discard(body);
      // The server chose this text, so only its beginning is shown.
      throw new HttpFailure(`its response is ${type.slice(0, 60)}, not JSON`, { url, status });
    }
    takeAll(await readText(body, { maxBytes, url }), (message) => this.#take(message));
  }

  async #readStream({ body }: HttpResponse): Promise<void> {
    const { client, about, maxBytes, resumeHeaders } = this.#options;
    let broken: HttpFailure | undefined;
    try {
      await readEvents(body, { maxBytes, url: this.#url }, (event) => this.#onEvent(event));
    } catch (error) {
      broken = failureOf(error, this.#url);
    }
    if (this.#isAnswered || this.#isStopped || about.id === undefined) return;
    const lastEventId = this.#lastEventId;
    if (lastEventId && resumeHeaders !== undefined && !broken?.isFinal) {
      this.#feed = new EventFeed({
        client,
        headers: resumeHeaders,
        maxBytes,
        from: { lastEventId, retryMs: this.#retryMs },
        onEvent: (event) => this.#onEvent(event),
      });
      await this.#feed.run();
    } else if (broken !== undefined) throw broken;
  }

  #onEvent({ event, id, data, retry }: StreamEvent): boolean {
    if (id !== undefined) this.#lastEventId = id;
    this.#retryMs = retry ?? this.#retryMs;
    return event === 'message' && data !== '' && takeAll(data, (message) => this.#take(message));
  }

  #take(text: string): boolean {
    if (this.#isStopped) return false;
    const { about, onMessage } = this.#options;
    const { id } = about;
    const answer = id === undefined || this.#isAnswered ? undefined : answerTo(id, text);
    if (answer !== undefined) this.answered();
    return onMessage(answer ?? text, answer !== undefined);
  }
}

/**
 * Sending a call twice could repeat the tool's work. What an unknown method does is not known, so it counts as a call.
 * A proven read does no harm, but only a connection that the server had closed is a reason to send it again unasked.
 */
function repeatOf({ method = '', isProvenRead = false }: Outgoing): Repeat | undefined {
  if (method !== 'tools/call' && isKnownMethod(method)) return 'always';
  return isProvenRead ? 'if-reused' : undefined;
}
