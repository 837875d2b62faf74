/**
 * The requests and replies of the admin API as plain data, for pages and scripts. See
 * docs/admin-api.md.
 */

import type { Verdict } from '@callsign/core';
import type { Contradiction, Ground, LabelHints, Risk, Trust } from '@callsign/effects';
import type {
  JudgedKind,
  LockMode,
  PendingApproval,
  SetVerdict,
  Standing,
} from '@callsign/governance';
import type { Finding } from '@callsign/naming';

import type { ShownAccount, ShownSignIn } from '../../auth/shown-people.js';
import type { SurveyedInstance, SurveyedServer } from '../../storage/instance-survey.js';
import type { CallPoint } from '../../telemetry/metrics/recent-calls.js';

/** The calls of about one second. Seconds without a call may be left out. */
export type { CallPoint } from '../../telemetry/metrics/recent-calls.js';
/** One element of `GET /approvals`. */
export type { PendingApproval, ScriptCall } from '@callsign/governance';
export type { ConfigChange, ConfigProposal, DiffLine } from './config-data.js';
export type {
  PolicyChange,
  PolicyData,
  PolicyEffect,
  PolicyProposal,
  ReplayData,
  RuleData,
} from './policy-data.js';
export type {
  RecordData,
  RecordedCall,
  RecordShown,
  RecordStats,
  StatsGroup,
  StoredEvent,
  TimelineStep,
  Verification,
} from './record-data.js';

/** `GET /session`. */
export interface SessionData {
  readonly role: 'operator' | 'viewer';
  /** The name of the API key; `null`: the user who runs the gateway. */
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
  readonly state: 'starting' | 'ready' | 'waiting' | 'failed' | 'stopped' | 'asleep' | 'disabled';
  readonly reason?: string;
  /** When it entered this state, as ISO 8601. Missing if it is not known. */
  readonly since?: string;
  readonly restarts: number;
  readonly tools: number;
  readonly transport?: string;
  /** Its command line or address, without secrets. */
  readonly address?: string;
  readonly trust?: Trust;
  readonly view?: string;
  /** The command that fixes it. */
  readonly advice?: string;
  /** Whether a person can sign in to it. */
  readonly canSignIn?: boolean;
  /** Its processes. Missing outside of the background gateway. */
  readonly processes?: readonly ServerProcessData[];
  /** Missing if it has no sandbox. */
  readonly sandbox?: SandboxData;
}

/** What limits a server. */
export interface SandboxData {
  /** What it may change: folders, or words. */
  readonly files: string | readonly string[];
  /** What it may reach: hosts, or words. */
  readonly network: string | readonly string[];
  /** What was refused since the gateway started. The newest is the last. */
  readonly refused: readonly string[];
}

/** A process of a server, and why some clients have it. */
export interface ServerProcessData {
  readonly state: string;
  /** How many clients use it. */
  readonly clients: number;
  /** As these clients call themselves, as far as they have. */
  readonly names?: readonly string[];
  readonly reason: string;
}

/** One line of `GET /servers/:key/log`. */
export interface LogLineData {
  /** Counts the lines of a server, from 1. */
  readonly seq: number;
  readonly time: string;
  readonly text: string;
  /** `stderr`, `stdout` (a line that is not a message), or `callsign`: our own words about the server. */
  readonly from: string;
}

/** One line of `POST /servers/:key/sign-in`. */
export type SignInEvent =
  /** The address that the person must visit. */
  { readonly visit: string } | { readonly signedIn: true } | { readonly problem: string };

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
  /** An estimate of what it costs a model in every list. */
  readonly tokens: number;
}

/** `GET /sets`: one tool set. */
export interface SetData {
  readonly name: string;
  readonly description: string | null;
  /** The canonical names of the tools in it. */
  readonly tools: readonly string[];
}

/** Whether a tool is in a set, and why. */
export interface ToolInSet extends SetVerdict {
  readonly name: string;
}

/** A tool's name in one client. */
export interface ClientName {
  readonly profile: string;
  readonly label: string;
  readonly name: string;
  readonly exact: boolean;
  readonly reasons: readonly string[];
  readonly length: number;
  /** The longest name that the client accepts from us; `null`: any length. */
  readonly maxLength: number | null;
}

/** A top-level property of a tool's input schema, as forms need it. */
export interface ParameterData {
  readonly name: string;
  /** A word for people. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The property itself. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A finding about one tool. The tool itself is known from the request. */
export type LintData = Pick<Finding, 'rule' | 'severity' | 'message' | 'fix'>;

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
  /** Every set of the configuration. */
  readonly sets: readonly ToolInSet[];
  readonly findings: readonly LintData[];
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
  /** The result or the error, as JSON text. Missing if it is too long to be sent. */
  readonly json?: string;
  readonly ms: number;
  /** Characters of the result or the error. */
  readonly length: number;
}

/** `GET /names`: one client's rules, and how many names they change. */
export interface ClientData {
  readonly profile: string;
  readonly label: string;
  readonly maxLength: number | null;
  readonly tools: number;
  /** Names that are not exact. */
  readonly changed: number;
}

/** `GET /names/:profile`. */
export interface ClientNames {
  readonly profile: string;
  readonly label: string;
  readonly maxLength: number | null;
  readonly names: readonly (Omit<ClientName, 'label' | 'profile' | 'maxLength'> & {
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
  /**
   * What to send to accept it. Prompts and templates have a prefix; empty: the instructions of the
   * server.
   */
  readonly tool: string;
  readonly kind: JudgedKind;
  /** The name that the server gives it; empty for instructions. */
  readonly name: string;
  readonly standing: Standing['is'];
  /** What has changed, line by line. */
  readonly difference: readonly string[];
  /** The definitions as JSON text, if it has changed and the accepted one was kept. */
  readonly accepted?: string;
  readonly now?: string;
}

/** `GET /lock`. `file` is the path of the lock file. */
export interface LockData {
  readonly mode: LockMode;
  readonly file: string;
  readonly tools: readonly LockedTool[];
}

/** Something that needs a person. */
export interface WarningData {
  readonly about: 'server' | 'label' | 'lock' | 'text' | 'audit' | 'config' | 'call' | 'instance';
  readonly isSevere: boolean;
  readonly text: string;
  /** The screen of the console that fixes it, such as `/servers`. */
  readonly link: string;
}

/** `GET /status` of a page, and the event `status`. */
export interface StatusData {
  readonly servers: readonly ServerData[];
  readonly warnings: readonly WarningData[];
  readonly modules: readonly string[];
  readonly tools: number;
  /** Whether recorded calls can be listed here. */
  readonly hasRecords: boolean;
  /** Whether people can sign in, or have accounts at servers. */
  readonly hasPeople: boolean;
}

/** One line of `GET /events`. */
export type LiveEvent =
  | { readonly event: 'status'; readonly data: StatusData }
  | { readonly event: 'approvals'; readonly data: readonly PendingApproval[] }
  /** The points of the last minutes, at the beginning. */
  | { readonly event: 'points'; readonly data: readonly CallPoint[] }
  | { readonly event: 'point'; readonly data: CallPoint }
  /** Only with `storage`. */
  | { readonly event: 'instances'; readonly data: InstancesData }
  /** The tools have changed. */
  | { readonly event: 'tools'; readonly data: { readonly revision: number } };

/** A server as one instance sees it. */
export type InstanceServer = SurveyedServer;

/** One instance, as the instance that answers sees it. */
export interface InstanceData extends Omit<SurveyedInstance, 'silentMs'> {
  /** Whether this instance answers. */
  readonly isSelf: boolean;
}

/** `GET /instances`, and the event `instances`. */
export interface InstancesData {
  /** The oldest first. Empty: the gateway has no `storage`. */
  readonly instances: readonly InstanceData[];
  readonly warnings: readonly WarningData[];
}

export type { ShownAccount, ShownSignIn };

/** `GET /people`. */
export interface PeopleData {
  readonly signIns: readonly ShownSignIn[];
  readonly accounts: readonly ShownAccount[];
}
