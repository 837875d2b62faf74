/** How a server is started, limited and reported. */

import type { Call, Era, Question, Reply } from '@callsign/core';

import type { Implementation } from '../rpc/message/protocol.js';
import type { RestartPolicy } from '../rpc/stream/backoff.js';
import type { MovingTransport, Transport } from './link-options.js';
import type { ListLimits } from './list-budget.js';
import type { CachedOffer } from './offered.js';

/** All times are in milliseconds. */
export interface UpstreamOptions {
  readonly key: string;
  readonly transport: Transport | MovingTransport;
  readonly self: Implementation;
  readonly era?: Era | 'auto';
  /** For the handshake and the first lists. Default: 30 s. */
  readonly startTimeoutMs?: number;
  readonly restart?: RestartPolicy;
  /** How many calls may wait for an answer at the same time. Default: 1,024. */
  readonly maxPending?: number;
  /** Characters that the server has not read yet. Default: 64 MiB. */
  readonly maxBacklog?: number;
  readonly lists?: Partial<ListLimits>;
  /** What the server offered last time. Offered until the server itself answers. */
  readonly cached?: CachedOffer | undefined;
  /** Called with the server's offer after each change, to remember it. */
  readonly onOffer?: (offer: CachedOffer) => void;
  /** Whether its items leave the lists when it is given up. Default: they stay, and calls fail. */
  readonly dropsUnavailable?: boolean;
  /** Adds the server's last output to the reason why it ended. */
  readonly explain?: (reason: string) => string;
  /** Hides secrets in what the server says about its lists. Default: there are none. */
  readonly redact?: (text: string) => string;
  /** What the operator can do if the server is given up. */
  readonly advice?: string;
  /** What makes it start again after it was given up. Default: nothing is said of it. */
  readonly startAgain?: string | undefined;
  /** Starts with the first call only: what it offers is cached. */
  readonly isAsleep?: boolean;
  /** Whether it sleeps after repeated failures, and the next call starts it. Default: it is given up. */
  readonly sleepsAfterFailure?: boolean;
  /** Called when the server asks for the roots of its client, before any client is asked. */
  readonly onRoots?: (calls: readonly Call[]) => void;
  /** Called when a call waits for the server to start. */
  readonly onAwaited?: () => void;
  /** Whether an item may still be called after a wait. Default: always. */
  readonly stillOffers?: (call: Call) => boolean;
  /** The capabilities of the only client, as JSON text. Missing if there is not exactly one. */
  readonly clientCapabilities?: () => string | undefined;
  /** Answers a question outside of any call. `undefined`: no client can. */
  readonly answer?: (question: Question, server: string) => Promise<Reply> | undefined;
  readonly log?: (level: 'info' | 'warning' | 'error', message: string) => void;
}
