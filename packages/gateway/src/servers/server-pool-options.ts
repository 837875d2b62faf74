/** What the servers of a gateway need besides their configuration. */

import type { Environment } from '@callsign/config';
import type { Call, Log, Question, Reply } from '@callsign/core';
import type { InstanceServers } from '@callsign/instances/peers';
import type { Implementation } from '@callsign/wire/rpc';

import type { Accounts } from '../auth/accounts.js';
import type { ConnectedClients } from '../clients/connected-clients.js';
import type { ServerConfig } from '../config/server-config.js';
import type { SandboxWatch } from '../sandbox/sandboxed-child.js';
import type { OfferMemory } from './offer-memory.js';
import type { ListedServers } from './listed-servers.js';
import type { TransportOptions } from './transport.js';

export interface ServerPoolOptions {
  /** Places servers in the hub. */
  readonly place: Pick<ListedServers, 'arrange' | 'remove' | 'set'>;
  readonly memory: Pick<OfferMemory, 'read' | 'write'>;
  /** Whose sign-in a server uses. */
  readonly holder: (server: ServerConfig) => string | undefined;
  /**
   * Whether the item of a call is still offered. Checked for calls that have waited for a start.
   */
  readonly isListed: (call: Call) => boolean;
  readonly self: Implementation;
  readonly log: Log;
  /** Variables from which servers get a few. */
  readonly env: Environment;
  /** The folder of servers without a `cwd`. */
  readonly cwd: string | undefined;
  /** Variables for server processes that name the gateways above them. */
  readonly chain: Readonly<Record<string, string>>;
  /** Whether the gateway runs for one command, which must not wait twice for a server. */
  readonly isBrief: boolean;
  /** The file of the configuration, which sandboxed servers cannot see. */
  readonly file?: string | undefined;
  /** Set if servers are started only to watch what they do. */
  readonly watch?: SandboxWatch | undefined;
  /** How long a removed server may take to finish its calls. */
  readonly drainMs: number;
  /** Answers a server's question that belongs to no call; `undefined` if no listener can. */
  readonly answer: (question: Question, server: string) => Promise<Reply> | undefined;
  /** What the only client can do, as JSON text. `undefined`: there are many, or none is known. */
  readonly clientCapabilities: () => string | undefined;
  /** Set if the clients of one person share this gateway. */
  readonly clients?: ConnectedClients | undefined;
  /** Whether a subscription or a task needs a server although no call is under way. */
  readonly isNeeded: (server: string) => boolean;
  /** Clients may use other processes now. Their lists must be looked up again. */
  readonly onPlaces: () => void;
  readonly credentials: TransportOptions['credentials'];
  /** Whose accounts are used where callers have their own. */
  readonly accounts: Accounts;
  /** Default: this is the only instance, and every server runs here. */
  readonly instances?: Pick<InstanceServers, 'place'> | undefined;
}
