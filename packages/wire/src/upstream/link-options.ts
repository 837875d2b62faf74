/** How to reach a server, and the options and callbacks of a link to it. */

import type { Call, Era, Question, Reply } from '@callsign/core';

import type { Implementation } from '../rpc/message/protocol.js';
import type { OpenChannel } from '../rpc/stream/channel.js';
import type { Rewrite } from './connection-options.js';
import type { ListLimits } from './list-budget.js';

/** How to reach a server. */
export interface Transport {
  open(era: Era): OpenChannel;
  /** True if both eras share one channel, as on a pipe. Over HTTP each request is separate. */
  readonly onePipe: boolean;
  /** The only era to use. Default: as the server's options say. */
  readonly era?: Era;
  /** Adds what the other end must know about a call. */
  readonly prepare?: (call: Call) => Call;
  readonly rewrite?: Rewrite;
  /** True if the other end answers calls of both eras in one session. */
  readonly translates?: boolean;
  /** True if the server may run on another instance a moment later. */
  readonly isMoving?: boolean;
}

/** For a server that moves between instances: asked at each start. */
export interface MovingTransport {
  /** Resolves when it is known where the server runs. */
  where(): Promise<Transport>;
  /** Why that is not known yet, for callers. Missing if there is no special reason. */
  readonly waitsFor?: string | undefined;
}

export interface LinkOptions {
  readonly key: string;
  readonly transport: Transport;
  readonly self: Implementation;
  /** Which eras to try. */
  readonly era: Era | 'auto';
  /** Whether to probe for the stateless era on a pipe. */
  readonly probe: boolean;
  /** For the handshake, and for all lists together. */
  readonly timeoutMs: number;
  readonly maxPending: number;
  readonly maxBacklog: number;
  readonly limits: ListLimits;
  readonly warn: (message: string) => void;
  /** Adds the server's last output to the reason why it ended. */
  readonly explain?: ((reason: string) => string) | undefined;
  /** The capabilities of the only client, as JSON text. Missing if there is not exactly one. */
  readonly clientCapabilities?: (() => string | undefined) | undefined;
}

/** What a link reports to its upstream. */
export interface LinkEvents {
  /** `calls`: those that may have caused it. */
  onNotification(method: string, params: string | undefined, calls: readonly Call[]): void;
  /** Changes of lists may not have been reported. */
  onMissed(): void;
  /** A question has come. It may take a while until it is clear which of these calls caused it. */
  onAsked?(method: string, calls: readonly Call[]): void;
  /** `calls`: those that may have caused the question. `isNamed`: the channel knows which. */
  onQuestion(question: Question, calls: readonly Call[], isNamed: boolean): Promise<Reply>;
  onClose(reason: string): void;
}
