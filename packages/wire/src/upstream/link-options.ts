/** How to reach a server, and the options and callbacks of a link to it. */

import type { Call, Era, Question, Reply } from '@callsign/core';
import type { Implementation, OpenChannel } from '@callsign/rpc';

import type { Rewrite } from './connection-options.js';
import type { ListLimits } from './list-budget.js';

/** How to reach a server. */
export interface Transport {
  open(era: Era): OpenChannel;
  /** Both eras can be tried on one channel, as on a pipe. Over HTTP each request is separate. */
  readonly onePipe: boolean;
  /** The only era to use. Unset: as the server's options say. */
  readonly era?: Era;
  /** Adds to a call what the other end must know. */
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
  /**
   * The capabilities of the only client, as JSON text. Unset, or `undefined`: there are many clients, or none
   * is known.
   */
  readonly clientCapabilities?: (() => string | undefined) | undefined;
}

export interface LinkEvents {
  /** `calls` may have caused it. */
  onNotification(method: string, params: string | undefined, calls: readonly Call[]): void;
  /** `calls` may have caused the question. */
  onQuestion(question: Question, calls: readonly Call[]): Promise<Reply>;
  onClose(reason: string): void;
}
