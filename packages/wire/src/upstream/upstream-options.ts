/** How a server is started, limited and reported. */

import type { Call, Era, Question, Reply } from '@callsign/core';

import type { Implementation } from '../rpc/message/protocol.js';
import type { RestartPolicy } from '../rpc/stream/backoff.js';
import type { MovingTransport, Transport } from './link-options.js';
import type { ListLimits } from './list-budget.js';
import type { RememberedOffer } from './offered.js';

/** All times are in milliseconds. */
export interface UpstreamOptions {
  readonly key: string;
  readonly transport: Transport | MovingTransport;
  readonly self: Implementation;
  readonly era?: Era | 'auto';
  /** For the handshake and the first lists. Unset: 30 s. */
  readonly startTimeoutMs?: number;
  readonly restart?: RestartPolicy;
  /** How many calls may wait for an answer at the same time. Unset: 1,024. */
  readonly maxPending?: number;
  /** Characters that the server has not read yet. Unset: 64 MiB. */
  readonly maxBacklog?: number;
  readonly lists?: Partial<ListLimits>;
  /** What the server offered last time. Offered until the server itself answers. */
  readonly remembered?: RememberedOffer | undefined;
  /** Called with the server's offer after each change, to remember it. */
  readonly onOffer?: (offer: RememberedOffer) => void;
  /** Whether its items leave the lists when it is given up. Unset: they stay, and calls fail. */
  readonly dropsUnavailable?: boolean;
  /** Adds the server's last output to the reason why it ended. */
  readonly explain?: (reason: string) => string;
  /** Hides secrets in what the server says about its lists. Unset: there are none. */
  readonly redact?: (text: string) => string;
  /** What the operator can do if the server is given up. */
  readonly advice?: string;
  /** Called when a call waits for the server to start. */
  readonly onAwaited?: () => void;
  /** Whether an item may still be called after a wait. Unset: always. */
  readonly stillOffers?: (call: Call) => boolean;
  /** The capabilities of the only client, as JSON text. Unset: there is not exactly one. */
  readonly clientCapabilities?: () => string | undefined;
  /** Answers a question outside of any call. `undefined`: no client can. */
  readonly answer?: (question: Question, server: string) => Promise<Reply> | undefined;
  readonly log?: (level: 'info' | 'warning' | 'error', message: string) => void;
}
