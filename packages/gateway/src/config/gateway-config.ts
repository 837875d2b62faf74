/** The checked configuration of a gateway. */

import type { ConfiguredStore } from '@callsign/audit';
import type { Problem } from '@callsign/config';
import type { ServerConfig } from './server-config.js';
import type { ServerSettings, Settings } from './settings.js';
import type { UserModule } from './user-module.js';

export interface GatewayConfig {
  readonly file: string;
  /** In the order of the file, without disabled servers. */
  readonly servers: readonly ServerConfig[];
  readonly settings: Settings;
  /** Servers whose entries have problems. The others are served anyway. */
  readonly unavailable?: readonly UnavailableServer[];
  /** A fingerprint of each entry as written, variables not replaced, by key. Lists are remembered by it. */
  readonly written?: Readonly<Record<string, string>>;
  /** Independent of the file's path, to compare instances. */
  readonly entries?: Readonly<Record<string, string>>;
  /** The user's modules, once they are loaded. */
  readonly modules?: readonly UserModule[];
  /** The user's stores, once they are loaded. */
  readonly stores?: readonly ConfiguredStore[];
}

export interface UnavailableServer {
  readonly key: string;
  /** What is wrong with its entry, and what to do. */
  readonly reason: string;
  readonly settings: ServerSettings;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: GatewayConfig; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
