/** The options and the callbacks of a connection to a server. */

import type { Call, Question, Reply } from '@callsign/core';

import type { OpenChannel, Outgoing } from '../rpc/stream/channel.js';

interface ConnectionEvents {
  /** `calls`: those that may have caused it. One if the channel knows which. */
  onNotification(method: string, params: string | undefined, calls: readonly Call[]): void;
  /** A question has come. It may take a while until it is clear which of these calls caused it. */
  onAsked?(method: string, calls: readonly Call[]): void;
  /** A question of the server. `calls`: those that may have caused it. `isNamed`: the channel knows which. */
  onQuestion(question: Question, calls: readonly Call[], isNamed: boolean): Promise<Reply>;
  onClose(reason: string): void;
}

export interface ConnectionOptions {
  /** Changes the parameters of every call, as the last step. */
  readonly rewrite?: Rewrite | undefined;
  readonly server: string;
  /** Adds the server's last output to the reason why the channel closed, for its callers. */
  readonly explain?: ((reason: string) => string) | undefined;
  readonly open: OpenChannel;
  readonly events: ConnectionEvents;
  /** The most calls without a reply. Further calls fail at once. */
  readonly maxPending: number;
  /** The most bytes that the server has not read yet. Further calls fail at once. */
  readonly maxBacklog: number;
  /** `_meta` for our own notifications, as JSON text. */
  readonly notificationMeta?: string;
}

/** A request that waits for its answer, with the details that the channel needs. */
export interface Pending extends Outgoing {
  readonly id: number;
  readonly method: string;
  readonly params: string | undefined;
  readonly call: Call | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly onUnreadable?: Repair | undefined;
}

/** Repairs a message that cannot be read; `undefined` if it cannot be repaired. */
export type Repair = (text: string) => string | undefined;

/** Changes the parameters of a call before it is sent. */
export type Rewrite = (params: string) => string;
