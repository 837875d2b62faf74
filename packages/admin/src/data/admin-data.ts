/** What the admin API sends and takes: plain data, for pages and scripts. Documented in docs/admin-api.md. */

import type { Contradiction, Ground, LabelHints, Risk, Trust } from '@callsign/annotations';
import type { Verdict } from '@callsign/core';

export type {
  CallFilter,
  CallGroup,
  CallList,
  RecordedCall,
  RecordsVerified,
  ReplayData,
} from './record-data.js';

/** `GET /session`. */
export interface SessionData {
  readonly role: 'operator' | 'viewer';
  readonly name: string | null;
}

/** `GET /`: the gateway that answers. */
export interface GatewayData {
  readonly pid: number;
  readonly config: string;
  readonly version: string;
}

/** `GET /servers`. */
export interface ServerData {
  readonly key: string;
  readonly displayName: string;
  readonly state: 'starting' | 'ready' | 'waiting' | 'failed' | 'stopped';
  readonly reason?: string;
  /** When it came into this state, as ISO 8601. Unset: not known. */
  readonly since?: string;
  readonly restarts: number;
  readonly tools: number;
  readonly transport?: string;
  /** Its command line or address, without secrets. */
  readonly address?: string;
  readonly trust?: Trust;
  readonly view?: string;
  /** The command that mends it. */
  readonly advice?: string;
}

/** One element of `GET /tools`. */
export interface ToolSummary {
  readonly canonical: string;
  readonly server: string;
  readonly tool: string;
  readonly title: string;
  /** The beginning of its description, on one line. */
  readonly description: string;
  readonly risk: Risk;
  readonly ground: Ground;
  readonly because: string;
  readonly isContradicted: boolean;
  readonly hasLapsed: boolean;
}

/** A tool's name in one client. */
export interface ClientName {
  readonly profile: string;
  readonly label: string;
  readonly name: string;
  readonly exact: boolean;
  readonly reasons: readonly string[];
  readonly length: number;
  /** The longest name that the client takes; `null`: any length. */
  readonly room: number | null;
}

export interface ParameterData {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface LintData {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly fix: string;
}

/** `GET /tools/:name`. */
export interface ToolData extends Omit<ToolSummary, 'description'> {
  readonly displayName: string;
  readonly description: string;
  /** Characters of the description that are not in `description`. */
  readonly descriptionCut: number;
  readonly parameters: readonly ParameterData[];
  readonly hints: LabelHints;
  readonly contradiction?: Contradiction;
  readonly explanation: string;
  /** The annotations that the server sent. */
  readonly claim: unknown;
  readonly trust: Trust;
  readonly names: readonly ClientName[];
  readonly findings: readonly LintData[];
  /** About how many tokens its definition costs a model. */
  readonly tokens: number;
  readonly roles: readonly string[];
  readonly clients: readonly string[];
}

/** `GET /tools/:name/decision?client=&role=`. */
export interface DecisionData extends Verdict {
  readonly tool: string;
}

/** `POST /tools/:name/call`. */
export interface CallResult {
  readonly ok: boolean;
  /** The result or the error, as JSON. */
  readonly reply: unknown;
  readonly ms: number;
  /** Characters of the reply, if it is too long to be sent. */
  readonly left?: number;
}

/** One element of `GET /approvals`. */
export interface ApprovalData {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly effect: string;
  readonly arguments: string;
  readonly rule: string;
  readonly caller: { readonly name: string | undefined; readonly client: string };
  readonly waitedMs: number;
  readonly remainingMs: number;
  /** The furthest scope that a yes can have. */
  readonly furthest?: 'once' | 'call' | 'tool';
}

/** `GET /names`: one client's rules, and how many names they change. */
export interface ClientData {
  readonly profile: string;
  readonly label: string;
  readonly room: number | null;
  readonly tools: number;
  /** Names that are not exact. */
  readonly changed: number;
}

/** `GET /names/:profile`. */
export interface ClientNames {
  readonly profile: string;
  readonly label: string;
  readonly room: number | null;
  readonly names: readonly (Omit<ClientName, 'label' | 'profile' | 'room'> & {
    readonly canonical: string;
  })[];
  /** Names that clash, or that look alike. */
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly advice: string;
  }[];
}

/** One element of `GET /lock`. */
export interface LockedTool {
  readonly server: string;
  /** Empty: the instructions of the server. */
  readonly tool: string;
  readonly standing: 'accepted' | 'new' | 'changed' | 'gone';
  /** What has changed, line by line. */
  readonly difference: readonly string[];
}

export interface LockData {
  readonly mode: string;
  readonly file: string;
  readonly tools: readonly LockedTool[];
}

/** One line of a changed file. Unchanged lines are left out. */
export interface DiffLine {
  readonly sign: '+' | '-';
  readonly line: number;
  readonly text: string;
}

/** A change of the configuration: proposed, or saved. */
export interface ConfigChange {
  readonly file: string;
  readonly diff: readonly DiffLine[];
  /** Stands for the file before the change. Saving needs it. */
  readonly base: string;
  readonly isSaved: boolean;
  /** False: this user cannot write the file. */
  readonly canSave: boolean;
}

/** A rule in words. */
export interface RuleData {
  readonly when: string;
  readonly decision: Verdict['decision'];
  readonly reason?: string;
}

/** `GET /policy`. */
export interface PolicyData {
  readonly isSet: boolean;
  /** As the file has it, as JSON text. */
  readonly written: string;
  readonly rules: readonly RuleData[];
  readonly dryRun: boolean;
}

/** A tool for which a changed policy decides differently. */
export interface PolicyEffect {
  readonly tool: string;
  readonly risk: Risk;
  readonly before: Verdict;
  readonly after: Verdict;
}

/** `POST /policy` without `save`: the change, or what is wrong with the policy. */
export type PolicyProposal = PolicyChange | { readonly problem: string };

/** `POST /policy` with `save`. */
export interface PolicyChange extends ConfigChange {
  readonly effects: readonly PolicyEffect[];
  readonly judged: number;
}

/** Something that needs a person. */
export interface WarningData {
  readonly about: 'server' | 'label' | 'lock' | 'text' | 'audit' | 'config' | 'call';
  readonly isSevere: boolean;
  readonly text: string;
  /** Where in the console it is mended, such as `/servers`. */
  readonly link: string;
}

/** Calls since the last pulse. */
export interface Pulse {
  /** Seconds since 1970. */
  readonly at: number;
  readonly calls: number;
  readonly failed: number;
  readonly inFlight: number;
  /** Milliseconds; `null` without a call. */
  readonly p50: number | null;
  readonly p95: number | null;
}

/** `GET /status` of a page, and the event `status`. */
export interface StatusData {
  readonly servers: readonly ServerData[];
  readonly warnings: readonly WarningData[];
  readonly modules: readonly string[];
  readonly tools: number;
  /** Whether recorded calls can be listed here. */
  readonly hasRecords: boolean;
}

/** One line of `GET /events`. */
export type LiveEvent =
  | { readonly event: 'status'; readonly data: StatusData }
  | { readonly event: 'approvals'; readonly data: readonly ApprovalData[] }
  /** The pulses of the last minutes, at the beginning. */
  | { readonly event: 'pulses'; readonly data: readonly Pulse[] }
  | { readonly event: 'pulse'; readonly data: Pulse }
  /** The tools have changed. */
  | { readonly event: 'tools'; readonly data: { readonly revision: number } };
