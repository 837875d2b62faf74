/** A stream of events that is opened again when it ends, and continues after the last event. */

import { setTimeout as sleep } from 'node:timers/promises';

import { discard } from '@callsign/outbound';

import { restartDelay, type RestartPolicy } from '../stream/backoff.js';
import type { StreamEvent } from '../stream/event-stream.js';
import { refusalOf } from './http-answer.js';
import { readEvents } from './http-body.js';
import { failureOf, HttpFailure } from './http-failure.js';
import type { Exchange, ServerClient } from './server-client.js';

export interface EventFeedOptions {
  readonly client: ServerClient;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Returns true if the event was awaited. */
  readonly onEvent: (event: StreamEvent) => boolean;
  /** Continues a broken stream, after the pause that the server asked for. Default: a new stream. */
  readonly from?: { readonly lastEventId: string; readonly retryMs: number | undefined };
  /** Once the stream was open, tries to reopen it without end. */
  readonly isLasting?: boolean;
}

const PAUSES: Omit<RestartPolicy, 'giveUpAfter'> = { initialMs: 500, maxMs: 30_000 };
/** Attempts in a row that may bring no event. */
const MAX_IDLE = 6;
/** A stream that stayed open this long counts as a success, even without an event. */
const USEFUL_MS = 5_000;
/** The shortest pause, so that no server can make us reconnect in a tight loop. */
const MIN_RETRY_MS = 50;
/** Statuses that may pass: the server is busy, or still holds the old stream open. */
const PASSING = [408, 409, 425, 429];

export class EventFeed {
  readonly #options: EventFeedOptions;
  #exchange: Exchange | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #idle = 0;
  #wasOpen = false;
  #isStopped = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#lastEventId = options.from?.lastEventId;
    this.#retryMs = options.from?.retryMs;
  }

  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Resolves when it is stopped. Rejects with an `HttpFailure` if the stream is lost for good. */
  async run(): Promise<void> {
    if (this.#options.from !== undefined) await this.#pause();
    while (!this.#isStopped) {
      const { url } = this.#options.client;
      this.#idle++;
      try {
        await this.#open();
      } catch (error) {
        const failure = failureOf(error, url);
        const isForGood = this.#options.isLasting === true && this.#wasOpen;
        if (failure.isFinal || (!isForGood && this.#idle >= MAX_IDLE)) throw failure;
      }
      if (!this.#isStopped) await this.#pause();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#exchange?.abort();
  }

  async #open(): Promise<void> {
    const { client, headers, maxBytes } = this.#options;
    this.#exchange = client.exchange({
      method: 'GET',
      headers: {
        ...headers(),
        accept: 'text/event-stream',
        ...(this.#lastEventId ? { 'last-event-id': headerBytes(this.#lastEventId) } : {}),
      },
      mayRepeat: 'always',
    });
    const response = await this.#exchange.response;
    const { status, type, body } = response;
    const { url } = client;
    if (status === 200 && type === 'text/event-stream') {
      this.#wasOpen = true;
      const openedAt = performance.now();
      await readEvents(body, { maxBytes, url }, (event) => this.#onEvent(event)).finally(() => {
        if (performance.now() - openedAt > USEFUL_MS) this.#idle = 0;
      });
      // One early end is normal. Many in a row are a failure.
      if (this.#idle >= MAX_IDLE) throw new HttpFailure('its stream ends at once', { url });
      return;
    }
    const isPassing = (status >= 500 && status !== 501) || PASSING.includes(status);
    if (isPassing) throw await refusalOf(response, url);
    if (status >= 300) {
      const { refusal } = await refusalOf(response, url);
      throw new HttpFailure('', { url, status, refusal, isFinal: true });
    }
    discard(body);
    throw new HttpFailure('it has no stream of events', { url, status, isFinal: true });
  }

  #onEvent(event: StreamEvent): boolean {
    if (this.#isStopped) return false;
    this.#idle = 0;
    if (event.id !== undefined) this.#lastEventId = event.id;
    this.#retryMs = event.retry ?? this.#retryMs;
    return this.#options.onEvent(event);
  }

  /** Waits as long as the server asked for, or longer after failures. */
  #pause(): Promise<void> {
    const asked = this.#retryMs === undefined ? undefined : Math.max(MIN_RETRY_MS, this.#retryMs);
    const own = restartDelay(Math.max(1, this.#idle), { ...PAUSES, giveUpAfter: MAX_IDLE });
    const isFine = this.#idle <= 1 && asked !== undefined;
    const ms = Math.min(PAUSES.maxMs, isFine ? asked : Math.max(asked ?? 0, own));
    return sleep(ms, undefined, { ref: false });
  }
}

/** An event's id may be any text. The header carries the same bytes. */
function headerBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
