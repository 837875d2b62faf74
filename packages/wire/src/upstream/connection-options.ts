/** What a connection to a server needs, and what it tells. */

import type { Call, Question, Reply } from '@callsign/core';
import type { OpenChannel } from '@callsign/rpc';

interface ConnectionEvents {
  /** `calls` are those that may have caused it: one if the channel knows, else all that are under way. */
  onNotification(method: string, params: string | undefined, calls: readonly Call[]): void;
  /** A question of the server; `calls` are those that may have caused it. */
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
  /** Put into the parameters of notifications that we send ourselves. */
  readonly notificationMeta?: string;
}

/** Makes a message readable that is not; `undefined` if it cannot. */
export type Repair = (text: string) => string | undefined;

/** What a call changes of its parameters on the way. */
export type Rewrite = (params: string) => string;
