/** How a server is started, limited and reported. */

import type { Call, Era, Question, Reply } from '@callsign/core';

import type { Implementation } from '@callsign/rpc';
import type { RestartPolicy } from './backoff.js';
import type { MovingTransport, Transport } from './link-options.js';
import type { ListLimits } from './list-budget.js';
import type { RememberedOffer } from './offered.js';

export interface UpstreamOptions {
  readonly key: string;
  readonly transport: Transport | MovingTransport;
  readonly self: Implementation;
  readonly era?: Era | 'auto';
  readonly startTimeoutMs?: number;
  readonly restart?: RestartPolicy;
  /** Calls that may wait for an answer at once. */
  readonly maxPending?: number;
  /** Characters that may wait until the server reads them. */
  readonly maxBacklog?: number;
  readonly lists?: Partial<ListLimits>;
  /** What it offered last. Offered until the server itself answers. */
  readonly remembered?: RememberedOffer | undefined;
  /** Called with what the server offers, after each change. */
  readonly onOffer?: (offer: RememberedOffer) => void;
  /** Whether its items leave the lists when it is given up. Unset: they stay, and calls say why. */
  readonly dropsUnavailable?: boolean;
  /** Adds the server's last output to the reason for its end. */
  readonly explain?: (reason: string) => string;
  /** What the operator can do about a server that was given up. */
  readonly advice?: string;
  /** Called when a call waits for the server to start. */
  readonly onAwaited?: () => void;
  /** Whether an item may still be called after a wait. Unset: always. */
  readonly stillOffers?: (call: Call) => boolean;
  /**
   * The capabilities of the only client, as JSON text. Unset, or `undefined`: there are many clients, or none
   * is known.
   */
  readonly clientCapabilities?: () => string | undefined;
  /** Answers a question outside of any call; `undefined` if no client can. */
  readonly answer?: (question: Question, server: string) => Promise<Reply> | undefined;
  readonly log?: (level: 'info' | 'warning' | 'error', message: string) => void;
}
