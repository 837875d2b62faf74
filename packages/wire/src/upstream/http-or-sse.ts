/** A channel to an address of unknown kind: tries Streamable HTTP, then the older SSE transport. */

import { failedAnswer } from '../rpc/http/http-answer.js';
import type { HttpFailure } from '../rpc/http/http-failure.js';
import type { Channel, ChannelEvents, OpenChannel, Outgoing } from '../rpc/stream/channel.js';
import { ownId } from '../rpc/stream/own-id.js';
import { openHttp, type HttpOptions } from './http-channel.js';
import { openSse } from './sse-channel.js';

/** No era: both transports are used for sessions only. */
export type HttpOrSseOptions = Omit<HttpOptions, 'era' | 'onRefused'>;

interface Sent {
  readonly text: string;
  readonly about: Outgoing;
}

/** The statuses of a server that accepts no POST at this address. */
const REFUSALS = [400, 404, 405];

/** Throws if the address is not valid. */
export function openHttpOrSse(options: HttpOrSseOptions): OpenChannel {
  const openOther = openSse(options);
  return (events) => new HttpOrSseChannel(options, openOther, events);
}

class HttpOrSseChannel implements Channel {
  readonly #options: HttpOrSseOptions;
  readonly #openOther: OpenChannel;
  readonly #events: ChannelEvents;
  #channel: Channel;
  /** Sent messages, kept until the transport is known. The other one sends them again. */
  #sent: Sent[] | undefined = [];

  constructor(options: HttpOrSseOptions, openOther: OpenChannel, events: ChannelEvents) {
    this.#options = options;
    this.#openOther = openOther;
    this.#events = events;
    const open = openHttp({
      ...options,
      era: 'session',
      onRefused: (failure) => this.#onRefused(failure),
    });
    this.#channel = open({
      onText: (text, about) => this.#onText(text, about),
      onFault: this.#onFault,
      onEnding: (reason) => events.onEnding?.(reason),
      onClose: (reason) => events.onClose(reason),
    });
  }

  get backlog(): number {
    return this.#channel.backlog;
  }

  send(text: string, about: Outgoing): void {
    this.#sent?.push({ text, about });
    this.#channel.send(text, about);
  }

  abandon(id: number): boolean {
    this.#sent = this.#sent?.filter(({ about }) => about.id !== id);
    return this.#channel.abandon(id);
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  #onText(text: string, about: number | undefined): boolean {
    this.#sent = undefined;
    return this.#events.onText(text, about);
  }

  readonly #onFault: NonNullable<ChannelEvents['onFault']> = (...fault) => {
    this.#sent = undefined;
    return this.#events.onFault?.(...fault) === true;
  };

  /** Tries the other transport, unless the refusal shows that the server understood the request. */
  #onRefused(failure: HttpFailure): boolean {
    const sent = this.#sent ?? [];
    const id = sent.find(({ about }) => about.method === 'initialize')?.about.id;
    if (id === undefined || !REFUSALS.includes(failure.status ?? 0)) return false;
    if (ownId(failure.refusal?.id) === id) return false;
    void this.#channel.close();
    this.#channel = this.#openOther({
      onText: (text, about) => this.#onText(text, about),
      onFault: this.#onFault,
      onClose: (reason) => {
        if (this.#sent !== undefined) {
          // It is neither. Its first answer is the most helpful one.
          this.#options.onNotice?.(`it does not support the older SSE transport either: ${reason}`);
          this.#events.onText(failedAnswer(id, failure), id);
        }
        this.#events.onClose(this.#sent === undefined ? reason : failure.message);
      },
    });
    for (const { text, about } of sent) this.#channel.send(text, about);
    return true;
  }
}
