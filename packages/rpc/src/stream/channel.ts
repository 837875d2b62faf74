/** A channel of messages as text: the common interface of a child's pipes and an HTTP endpoint. */

import type { CallsignErrorCode, Item } from '@callsign/core';

/** What a channel over HTTP needs besides the text of a message. */
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
}

export interface Channel {
  send(text: string, about: Outgoing): void;
  /** Stops waiting for the answer to a message. True: the other end is told by that alone. */
  abandon(id: number): boolean;
  /** How much text the other end has not read yet. */
  readonly backlog: number;
  close(): Promise<void>;
}

export interface ChannelEvents {
  /**
   * `about`: the id of the message to which this one belongs. `hasControl`: whether it has control characters,
   * if the channel knows. Returns true if the message was awaited.
   */
  onText(text: string, about?: number, hasControl?: boolean): boolean;
  /** Our message will get no answer, for this reason. False: no answer is awaited. */
  onFault?(
    id: number,
    code: CallsignErrorCode,
    details: Readonly<Record<string, string | number>>,
  ): boolean;
  /** The channel is closed; `reason` is for people. Called once. */
  onClose(reason: string): void;
}

/** Opens a channel; it may fail later, through `onClose`. */
export type OpenChannel = (events: ChannelEvents) => Channel;
