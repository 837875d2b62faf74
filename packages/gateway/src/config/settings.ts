/** The settings of the gateway, with defaults. */

import type { AuditSettings } from '@callsign/audit';
import type { AuthSettings, NetworkSettings, OAuthSettings } from '@callsign/auth';
import type { StatedHints, Trust } from '@callsign/effects';
import type {
  AccessSettings,
  BreakerSettings,
  LockMode,
  PolicySettings,
  QuarantineMode,
  Quota,
  QuotaSettings,
  RetrySettings,
  Role,
} from '@callsign/governance';
import type { StorageSettings } from '@callsign/instances';
import type { OwnProfile } from '@callsign/naming';
import type { ConnectionLimitOptions, ListLimits } from '@callsign/wire';

import type { MetricsSettings } from '../telemetry/metrics/metrics-settings.js';
import type { InstanceSettings } from './instance-settings.js';

/** The key `callsign` of a configuration. The JSON Schema describes each setting for users. */
export interface Settings {
  /** The naming profile; `auto` chooses it by the client's name. */
  readonly profile: string;
  /** The operator's own profiles, by id. */
  readonly profiles: Readonly<Record<string, ClientSettings>>;
  /** How the tools of all servers are shown; a profile may choose for itself. */
  readonly view: WholeView;
  /** The gateway's key in clients. Some clients count it as part of a name. */
  readonly clientKey: string;
  /** Replaces the profile's name pattern. */
  readonly pattern?: string;
  /** Whether titles name the server. */
  readonly titles: boolean;
  /** Whether clients see inferred hints where a server is silent. */
  readonly annotate: boolean;
  /** Aliases of tools: alias → `server:tool`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Renamed server keys: old key → new key. */
  readonly renamed: Readonly<Record<string, string>>;
  readonly tools: ToolFilter;
  /** In the order of the file. */
  readonly annotations: readonly AnnotationOverride[];
  /** How long a list waits for servers that have no remembered list yet. */
  readonly listWaitMs: number;
  /** The same for clients that ask for lists only once. */
  readonly listOnceWaitMs: number;
  /** Whether the lists of servers are remembered for the next start. */
  readonly remember: boolean;
  /** Whether the tools of a server that was given up leave the lists. */
  readonly dropUnavailable: boolean;
  readonly restart: RestartSettings;
  readonly http: HttpSettings;
  readonly limits: LimitSettings;
  /** Unset: no quotas. */
  readonly quota?: QuotaSettings;
  /** Unset: no retries. */
  readonly retry?: RetrySettings;
  /** Unset: no circuit breaker. */
  readonly breaker?: BreakerSettings;
  /** Unset: all calls are allowed. */
  readonly policy?: PolicySettings;
  /** Unset: everyone may use everything. */
  readonly roles?: Readonly<Record<string, Role>>;
  readonly access: AccessSettings;
  readonly audit: AuditSettings;
  readonly metrics: MetricsSettings;
  /** Unset: no authentication. */
  readonly auth?: AuthSettings;
  readonly network: NetworkSettings;
  /** How tools that changed since they were accepted are treated: reported or withheld. */
  readonly lock: LockMode;
  /** How tools with deceptive names or texts are treated. */
  readonly quarantine: QuarantineMode;
  /** The database that many instances share. Unset: everything is in files. */
  readonly storage?: StorageSettings;
  /** Unset: this is the only instance. */
  readonly instances?: InstanceSettings;
  /** Modules of the user. */
  readonly modules?: readonly ModuleEntry[];
  /** Stores of the user for the tables of calls. */
  readonly stores?: readonly StoreEntry[];
}

/** One of the operator's own profiles. */
export interface ClientSettings extends OwnProfile {
  readonly view?: WholeView;
}

/** One entry of `stores`. */
export type StoreEntry = Pick<ModuleEntry, 'use' | 'settings'>;

/** One entry of `modules`. */
export interface ModuleEntry {
  /** A path relative to the configuration, or a package. */
  readonly use: string;
  /** The module that it comes before. */
  readonly before?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Globs on `server:tool`. */
export interface ToolFilter {
  /** Unset: every tool. */
  readonly allow?: readonly string[];
  readonly deny: readonly string[];
}

/** The operator's overrides for tools that match a glob on `server:tool`. */
export interface AnnotationOverride {
  readonly glob: string;
  /** The preset's hints, overridden by explicit hints. */
  readonly hints: StatedHints;
  /** The digest of the one definition that the hints were accepted for; `glob` is then a plain name. */
  readonly accepted?: string;
  readonly title?: string;
}

/** Restarts of server processes that ended. */
export interface RestartSettings {
  /** The wait before the first attempt. Each further wait is twice as long. */
  readonly initialMs: number;
  readonly maxMs: number;
  /** Failed attempts in a row before giving up. 0: no restart. */
  readonly giveUpAfter: number;
}

/** The listener of `serve --http`. */
export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Accepted Host headers, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call. */
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** How long running calls may take to finish when the gateway ends. */
  readonly drainMs: number;
  /** Limits for connections. */
  readonly connections: ConnectionLimitOptions;
}

/** Limits against servers that send too much. */
export interface LimitSettings extends ListLimits {
  /** The longest message accepted from a server. */
  readonly maxMessageBytes: number;
  /** Calls that may wait for one server. */
  readonly maxPendingPerServer: number;
  /** The longest result. Unset: `maxMessageBytes`. */
  readonly maxResultBytes?: number;
}

/**
 * How a server's tools are presented: `flat` each one, `crude` as five by effect, `search` as two.
 */
export type ViewKind = 'crude' | 'flat' | 'search';

/**
 * How the tools of all servers together are presented: each one, or as two that find and call them.
 */
export type WholeView = 'flat' | 'search';

/** The settings of one server. */
export interface ServerSettings {
  /** Its display name. */
  readonly displayName: string;
  /** How far its claims are believed. */
  readonly trust: Trust;
  readonly view: ViewKind;
  /** Hints for tools that state none themselves. */
  readonly assume?: StatedHints;
  /** Whether clients may read its instructions. */
  readonly instructions: boolean;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs: number;
  /** Replaces the quota for every server. */
  readonly quota?: Quota;
  /** Our client registration at its authorization server, if it cannot be discovered. */
  readonly oauth?: OAuthSettings;
  /** Our environment variables that the server process also gets: all, or those named. */
  readonly inheritEnv: boolean | readonly string[];
  /** The protocol era of the server; `auto` asks it. */
  readonly era: 'auto' | 'session' | 'stateless';
  /** With many instances, where it runs. Unset: a process on one of them, anything else on each. */
  readonly placement?: 'each' | 'one';
}
