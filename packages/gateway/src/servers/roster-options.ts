/** What the servers of a gateway need besides their configuration. */

import type { Call, Log, Question, Reply } from '@callsign/core';
import type { InstanceServers } from '@callsign/instances/peers';
import type { Implementation } from '@callsign/wire/rpc';

import type { ServerConfig } from '../config/server-config.js';
import type { OfferMemory } from './offer-memory.js';
import type { Placement } from './placement.js';
import type { TransportOptions } from './transport.js';

export interface RosterOptions {
  /** Places servers in the hub. */
  readonly place: Pick<Placement, 'arrange' | 'remove' | 'set'>;
  readonly memory: Pick<OfferMemory, 'read' | 'write'>;
  /** Whose sign-in a server uses. */
  readonly holder: (server: ServerConfig) => string | undefined;
  /**
   * Whether the item of a call is still offered. Checked for calls that have waited for a start.
   */
  readonly isListed: (call: Call) => boolean;
  readonly self: Implementation;
  readonly log: Log;
  /** Variables for server processes that name the gateways above them. */
  readonly chain: Readonly<Record<string, string>>;
  /** Whether the gateway runs for one command, which must not wait twice for a server. */
  readonly isBrief: boolean;
  /** How long a removed server may take to finish its calls. */
  readonly drainMs: number;
  /** Answers a server's question that belongs to no call; `undefined` if no listener can. */
  readonly answer: (question: Question, server: string) => Promise<Reply> | undefined;
  /** What the only client can do, as JSON text. `undefined`: there are many, or none is known. */
  readonly clientCapabilities: () => string | undefined;
  readonly credentials: TransportOptions['credentials'];
  /** Unset: this is the only instance, and every server runs here. */
  readonly instances?: Pick<InstanceServers, 'place'> | undefined;
}
