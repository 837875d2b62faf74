/** What a gateway is created with, besides its configuration. */

import type { StoreModule } from '@callsign/audit';
import type { Environment } from '@callsign/config';
import type { Log } from '@callsign/core';
import type { SharedStorage } from '@callsign/instances/postgres';
import type { Implementation } from '@callsign/wire/rpc';

import type { UserModule } from '../config/user-module.js';
import type { GatewayInstance } from '../instance/gateway-instance.js';
import type { OwnTool } from '../own-tools/own-tools.js';
import type { SandboxWatch } from '../sandbox/sandboxed-child.js';
import type { StateStores } from '../storage/state-stores.js';

/** Fixed for the life of a gateway. A reload replaces only the configuration. */
export interface GatewayOptions {
  /** This gateway as one of many instances. Default: it is the only one. */
  readonly instance?: GatewayInstance | undefined;
  readonly self: Implementation;
  readonly log: Log;
  /** The variables that decide where state is kept, and that servers get. Default: those of this process. */
  readonly env?: Environment;
  /** The folder of servers without a `cwd`. Default: the one of this process. */
  readonly cwd?: string;
  /**
   * Variables for server processes that name the gateways above them, so that a loop is noticed.
   */
  readonly chain?: Readonly<Record<string, string>>;
  /**
   * This is the background gateway of one person, whose clients share it. Servers start on demand and stop when they are
   * idle, unless their settings say otherwise.
   */
  readonly isShared?: boolean;
  /** The profile for all clients. Overrides the configuration. */
  readonly profile?: string;
  /** The set for all clients, besides their own. */
  readonly set?: string;
  /** Offers only tools that are labelled `read`. */
  readonly readOnly?: boolean;
  /** Ignores remembered lists. New lists are still written for the next start. */
  readonly isFresh?: boolean;
  /** Runs for one command. It does not warn about labels: commands show them. */
  readonly isBrief?: boolean;
  /** Servers are started only to watch what they do in their sandboxes. */
  readonly watch?: SandboxWatch | undefined;
  /** How long a removed server may take to finish its calls. */
  readonly drainMs?: number;
  /** Additional modules. Those of the configuration are loaded with `loadModules`. */
  readonly modules?: readonly UserModule[];
  /** Additional tools under the gateway's own key, `callsign`. */
  readonly ownTools?: readonly OwnTool[];
  /** What this instance shares with others. Default: nothing. */
  readonly storage?: SharedStorage | undefined;
  /** The lock and sign-ins. Default: as `storage` says. */
  readonly stateStores?: StateStores | undefined;
  /** Stores for the tables of calls, besides those of the configuration. `audit.store` names the one to use. */
  readonly stores?: readonly StoreModule[];
}
