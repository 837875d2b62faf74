/** The checked configuration of a gateway, as `parseConfig` returns it. */

import type { ConfiguredStore } from '@callsign/audit';
import type { Problem, Secrets } from '@callsign/config';
import type { ServerConfig, WrittenServer } from './server-config.js';
import type { ServerSettings, Settings } from './settings.js';
import type { UserModule } from './user-module.js';

/** Valid and complete: variables are replaced and defaults are set. It may contain secrets. */
export interface GatewayConfig {
  readonly file: string;
  /** In the order of the file, without disabled servers. */
  readonly servers: readonly ServerConfig[];
  readonly settings: Settings;
  /** The secrets that the file names, as they were when it was read. */
  readonly secrets?: Secrets;
  /** Servers whose entries have problems. The others are served anyway. */
  readonly unavailable?: readonly UnavailableServer[];
  /** Servers whose keys cannot be used, so that nothing can name them. */
  readonly misnamed?: readonly MisnamedServer[];
  /** Fingerprints of the entries as written, by key. Remembered lists are found by them. */
  readonly written?: Readonly<Record<string, string>>;
  /** Fingerprints of the entries without the path of the file, to compare instances. */
  readonly entries?: Readonly<Record<string, string>>;
  /** The user's modules, once they are loaded. */
  readonly modules?: readonly UserModule[];
  /** The user's stores, once they are loaded. */
  readonly stores?: readonly ConfiguredStore[];
}

/**
 * A server that cannot start because of its entry. Its tools stay listed, and calls get the reason.
 */
export interface UnavailableServer {
  readonly key: string;
  /** What is wrong with its entry, and what to do. */
  readonly reason: string;
  readonly settings: ServerSettings;
  readonly written?: Pick<WrittenServer, 'entry'>;
}

/** A server whose key is empty, or has characters that a key cannot have. */
export interface MisnamedServer {
  /** The key as the file writes it, in quotes. Only for people. */
  readonly shown: string;
  /** What is wrong with its key, and how to name it. */
  readonly reason: string;
}

/** A usable configuration with its warnings, or all problems at once. */
export type ConfigResult =
  | { readonly ok: true; readonly config: GatewayConfig; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
