/** A channel of messages as text: the common interface of a child's pipes and an HTTP endpoint. */

import type { CallsignErrorCode, Item } from '@callsign/core';

/** What a channel over HTTP needs to know about a message besides its text. Pipes ignore it. */
export interface Outgoing {
  /** Our id, if an answer is expected. */
  readonly id?: number;
  readonly method?: string;
  /** The name or URI of the called item, for the header that repeats it. */
  readonly name?: string | undefined;
  /** The parameters, for headers that repeat arguments. */
  readonly params?: string | undefined;
  /** The definition of the called item, for headers that it asks for. */
  readonly item?: Item | undefined;
  /** The label proves that the called tool only reads. */
  readonly isProvenRead?: boolean;
  /** The last session refused it. If this one refuses it too, the session has not ended. */
  readonly wasRefused?: boolean;
}

/** An open connection to one server. */
export interface Channel {
  /** Queues a message. Never throws; failures come through the events. */
  send(text: string, about: Outgoing): void;
  /**
   * Stops waiting for the answer to a message. Returns true if the server notices that, so
   * that no notification is needed.
   */
  abandon(id: number): boolean;
  /** Bytes, roughly, that the server has not read yet. */
  readonly backlog: number;
  /** Closes the channel. Resolves when everything has ended. `onClose` is not called. */
  close(): Promise<void>;
}

/** What a channel reports. Nothing is reported after `onClose`. */
export interface ChannelEvents {
  /**
   * A message arrived. `about`: the id of our message that it belongs to, if the channel knows.
   * Returns true if the message was awaited.
   */
  onText(text: string, about?: number): boolean;
  /** Our message gets no answer, for this reason. Returns false if none was awaited. */
  onFault?(
    id: number,
    code: CallsignErrorCode,
    details: Readonly<Record<string, string | number>>,
  ): boolean;
  /**
   * The channel takes no more messages. Those under way still get an answer or a fault, and
   * `onClose` comes after the last of them.
   */
  onEnding?(reason: string): void;
  /** The channel is closed; `reason` is for people. Called once. */
  onClose(reason: string): void;
}

/** Opens a channel. Returns at once: a failure is reported later, through `onClose`. */
export type OpenChannel = (events: ChannelEvents) => Channel;
