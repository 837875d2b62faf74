/** What a gateway is created with, besides its configuration. */

import type { StoreModule } from '@callsign/audit';
import type { Log } from '@callsign/core';
import type { SharedStorage } from '@callsign/instances/postgres';
import type { Implementation } from '@callsign/wire/rpc';

import type { UserModule } from '../config/user-module.js';
import type { GatewayInstance } from '../instance/gateway-instance.js';
import type { KeptStores } from '../storage/kept-stores.js';

/** Fixed for the life of a gateway. A reload replaces only the configuration. */
export interface GatewayOptions {
  /** This gateway as one of many instances. Unset: it is the only one. */
  readonly instance?: GatewayInstance | undefined;
  readonly self: Implementation;
  readonly log: Log;
  /**
   * Variables for server processes that name the gateways above them, so that a loop is noticed.
   */
  readonly chain?: Readonly<Record<string, string>>;
  /** The profile for all clients. Overrides the configuration. */
  readonly profile?: string;
  /** Offers only tools that are labelled `read`. */
  readonly readOnly?: boolean;
  /** Ignores remembered lists. New lists are still written for the next start. */
  readonly isFresh?: boolean;
  /** Runs for one command. It does not warn about labels: commands show them. */
  readonly isBrief?: boolean;
  /** How long a removed server may take to finish its calls. */
  readonly drainMs?: number;
  /** Additional modules. Those of the configuration are loaded with `loadModules`. */
  readonly modules?: readonly UserModule[];
  /** What this instance shares with others. Unset: nothing. */
  readonly storage?: SharedStorage | undefined;
  /** The lock and sign-ins. Unset: as `storage` says. */
  readonly kept?: KeptStores | undefined;
  /** Stores for the tables of calls, besides those of the configuration. `audit.store` names the one to use. */
  readonly stores?: readonly StoreModule[];
}
