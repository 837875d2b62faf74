/** Text in, text out, closed: what a child's pipes and an HTTP endpoint have in common. */

import type { CallsignErrorCode, Item } from '@callsign/core';

/** What a channel over HTTP must know of a message besides its text. */
export interface Outgoing {
  /** Our id, if an answer is expected. */
  readonly id?: number;
  readonly method?: string;
  /** The name or URI of what is called, for the header that repeats it. */
  readonly name?: string | undefined;
  /** The parameters, for headers that repeat arguments. */
  readonly params?: string | undefined;
  /** The definition of what is called, for headers that it asks for. */
  readonly item?: Item | undefined;
}

export interface Channel {
  send(text: string, about: Outgoing): void;
  /** Stops waiting for the answer to a message; true if that alone tells the other end. */
  abandon(id: number): boolean;
  /** How much text is waiting to be taken by the other end. */
  readonly backlog: number;
  close(): Promise<void>;
}

export interface ChannelEvents {
  /**
   * `about` is the id of the message to which this one belongs, and `hasControl` whether there are
   * control characters in it, where the channel knows that. True if somebody waited for it.
   */
  onText(text: string, about?: number, hasControl?: boolean): boolean;
  /** There will be no answer to a message of ours, for this reason. False if nobody waits for one. */
  onFault?(
    id: number,
    code: CallsignErrorCode,
    details: Readonly<Record<string, string | number>>,
  ): boolean;
  /** The channel is gone; `reason` is for people. Called once. */
  onClose(reason: string): void;
}

/** Opens a channel; it may fail later, through `onClose`. */
export type OpenChannel = (events: ChannelEvents) => Channel;
