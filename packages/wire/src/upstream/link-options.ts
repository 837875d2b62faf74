/** How to reach a server, what a link to it needs, and what it tells. */

import type { Call, Era, Question, Reply } from '@callsign/core';
import type { Implementation, OpenChannel } from '@callsign/rpc';

import type { Rewrite } from './connection-options.js';
import type { ListLimits } from './list-budget.js';

/** How to reach a server. */
export interface Transport {
  open(era: Era): OpenChannel;
  /** Both eras can be tried on one channel, as on a pipe; over HTTP each request stands alone. */
  readonly onePipe: boolean;
  /** The only era to use. Unset: as the server's options say. */
  readonly era?: Era;
  /** Adds to a call what the other end must know of it. */
  readonly prepare?: (call: Call) => Call;
  readonly rewrite?: Rewrite;
  /** Whether the server may be at another instance a moment later. */
  readonly isMoving?: boolean;
}

/** A server that moves between instances: how to reach it is asked at each start. */
export interface MovingTransport {
  /** Resolves when that is known. */
  where(): Promise<Transport>;
}

export interface LinkOptions {
  readonly key: string;
  readonly transport: Transport;
  readonly self: Implementation;
  /** Which eras to try. */
  readonly era: Era | 'auto';
  /** Whether a pipe is asked for the stateless era too. */
  readonly probe: boolean;
  readonly timeoutMs: number;
  readonly maxPending: number;
  readonly maxBacklog: number;
  readonly limits: ListLimits;
  readonly warn: (message: string) => void;
  /** What the only client can do, as JSON text. Unset, or `undefined`: there are many, or none is known. */
  readonly clientCapabilities?: (() => string | undefined) | undefined;
}

export interface LinkEvents {
  /** `calls` are those that may have caused it. */
  onNotification(method: string, params: string | undefined, calls: readonly Call[]): void;
  /** `calls` are those that may have caused the question. */
  onQuestion(question: Question, calls: readonly Call[]): Promise<Reply>;
  onClose(reason: string): void;
}
