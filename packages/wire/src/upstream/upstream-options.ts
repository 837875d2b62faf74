/** How a server is started, limited and reported. */

import type { Era, Question, Reply } from '@callsign/core';

import type { Implementation } from '../message/protocol.js';
import type { RestartPolicy } from './backoff.js';
import type { Transport } from './link.js';
import type { ListLimits } from './list-budget.js';

export interface UpstreamOptions {
  readonly key: string;
  readonly transport: Transport;
  readonly self: Implementation;
  readonly era?: Era | 'auto';
  readonly startTimeoutMs?: number;
  readonly restart?: RestartPolicy;
  /** Calls that may wait for an answer at once. */
  readonly maxPending?: number;
  /** Text that may wait to be taken by the server. */
  readonly maxBacklog?: number;
  readonly lists?: Partial<ListLimits>;
  /** Answers a question outside of any call; `undefined` if no client can. */
  readonly answer?: (question: Question, server: string) => Promise<Reply> | undefined;
  readonly log?: (level: 'info' | 'warning' | 'error', message: string) => void;
}
