/** Our own settings, as the gateway uses them: what the file leaves out is filled in. */

import type { StatedHints, Trust } from '@callsign/annotations';
import type { Quota } from '@callsign/governance';
import type { OwnProfile } from '@callsign/naming';

import type { AuditSettings } from '@callsign/audit';
import type { AuthSettings } from '@callsign/auth';
import type { PolicySettings } from '@callsign/governance';
import type { AccessSettings, Role } from '@callsign/governance';
import type { NetworkSettings } from '@callsign/auth';
import type { OAuthSettings } from '@callsign/auth';
import type { MetricsSettings } from '../telemetry/metrics-settings.js';
import type { QuarantineMode, LockMode } from '@callsign/governance';
import type { BreakerSettings, QuotaSettings, RetrySettings } from '@callsign/governance';

export interface Settings {
  /** How tools are named; `auto` goes by the name that a client announces. */
  readonly profile: string;
  /** Profiles of the operator's own, by id. */
  readonly profiles: Readonly<Record<string, OwnProfile>>;
  /** The key under which clients know the gateway; some count it into the length of names. */
  readonly clientKey: string;
  /** A name pattern in place of the profile's own. */
  readonly pattern?: string;
  /** Whether titles say whose tool it is. */
  readonly titles: boolean;
  /** Whether clients see inferred hints where a server is silent. */
  readonly annotate: boolean;
  /** Second names of tools: alias → `server:tool`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Server keys that were changed: old key → new key. */
  readonly renamed: Readonly<Record<string, string>>;
  readonly tools: ToolFilter;
  /** In the order of the file. */
  readonly annotations: readonly AnnotationOverride[];
  /** How long a first `tools/list` waits for servers that are still starting. */
  readonly listWaitMs: number;
  readonly restart: RestartSettings;
  readonly http: HttpSettings;
  readonly limits: LimitSettings;
  /** Nothing is counted if absent. */
  readonly quota?: QuotaSettings;
  /** No call is sent twice if absent. */
  readonly retry?: RetrySettings;
  /** Every call is tried if absent. */
  readonly breaker?: BreakerSettings;
  /** Nothing is asked and nothing denied if absent. */
  readonly policy?: PolicySettings;
  /** Everybody may use everything if absent. */
  readonly roles?: Readonly<Record<string, Role>>;
  readonly access: AccessSettings;
  readonly audit: AuditSettings;
  readonly metrics: MetricsSettings;
  /** Unset: no authentication. */
  readonly auth?: AuthSettings;
  readonly network: NetworkSettings;
  /** Whether tools that changed since they were accepted are reported or withheld. */
  readonly lock: LockMode;
  /** The same for tools whose names or texts deceive. */
  readonly quarantine: QuarantineMode;
  /** Modules of the user. */
  readonly modules?: readonly ModuleEntry[];
}

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
  /** Every tool if absent. */
  readonly allow?: readonly string[];
  readonly deny: readonly string[];
}

/** The operator's word on tools that a glob on `server:tool` matches. */
export interface AnnotationOverride {
  readonly glob: string;
  /** Those of the preset, and over them those written out. */
  readonly hints: StatedHints;
  /** The digest of the one definition that the hints were accepted for; `glob` is then a plain name. */
  readonly accepted?: string;
  readonly title?: string;
}

/** How a child that died is started again. */
export interface RestartSettings {
  /** The wait before the first attempt; each further one waits twice as long. */
  readonly initialMs: number;
  readonly maxMs: number;
  /** Attempts in a row that may fail. */
  readonly giveUpAfter: number;
}

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Host headers that are answered besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Web pages that may call, by origin. */
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
}

export interface LimitSettings {
  /** The longest message taken from a server. */
  readonly maxMessageBytes: number;
  /** Calls that may wait for one server. */
  readonly maxPendingPerServer: number;
  /** The longest result that is passed on; `maxMessageBytes` if absent. */
  readonly maxResultBytes?: number;
}

/** How tools are shown: each for itself, as five by what they do, or as two that find and call. */
export type ViewKind = 'crude' | 'flat' | 'search';

/** What the gateway is told about one server. */
export interface ServerSettings {
  /** What people call it. */
  readonly displayName: string;
  /** How far its claims are believed. */
  readonly trust: Trust;
  readonly view: ViewKind;
  /** Hints for tools that state none themselves. */
  readonly assume?: StatedHints;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs: number;
  /** In place of the quota for every server. */
  readonly quota?: Quota;
  /** What we are at its authorization server, where that cannot be found out. */
  readonly oauth?: OAuthSettings;
  /** Which of our environment variables a child sees besides the safe ones: all, or those named. */
  readonly inheritEnv: boolean | readonly string[];
  /** Which form of the protocol it speaks; `auto` asks it. */
  readonly era: 'auto' | 'session' | 'stateless';
}
