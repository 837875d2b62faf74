/** The options and the callbacks of a connection to a server. */

import type { Call, Question, Reply } from '@callsign/core';
import type { OpenChannel } from '@callsign/rpc';

interface ConnectionEvents {
  /** `calls` may have caused it: one call if the channel knows which, otherwise all calls under way. */
  onNotification(method: string, params: string | undefined, calls: readonly Call[]): void;
  /** A question of the server. `calls` may have caused it. */
  onQuestion(question: Question, calls: readonly Call[]): Promise<Reply>;
  onClose(reason: string): void;
}

export interface ConnectionOptions {
  /** Changes the parameters of every call, as the last step. */
  readonly rewrite?: Rewrite | undefined;
  readonly server: string;
  readonly open: OpenChannel;
  readonly events: ConnectionEvents;
  readonly maxPending: number;
  readonly maxBacklog: number;
  /** Added to the parameters of our own notifications. */
  readonly notificationMeta?: string;
}

/** Repairs a message that cannot be read; `undefined` if it cannot be repaired. */
export type Repair = (text: string) => string | undefined;

/** The parameters that a call changes before it is sent. */
export type Rewrite = (params: string) => string;
