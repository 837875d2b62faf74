/** Recorded calls as the admin API sends them. */

import type { Risk } from '@callsign/annotations';
import type { Verdict } from '@callsign/core';

/** Which recorded calls are wanted. All parts are optional. */
export interface CallFilter {
  readonly since?: string;
  readonly until?: string;
  readonly server?: string;
  /** A glob on `server:tool`. */
  readonly tool?: string;
  readonly risk?: string;
  readonly outcome?: string;
  readonly caller?: string;
  readonly client?: string;
  readonly decision?: string;
  /** Part of the tool, the rule or the kept arguments. */
  readonly text?: string;
}

/** A recorded call. */
export interface RecordedCall {
  readonly id: string;
  readonly time: string;
  readonly server: string | null;
  readonly tool: string;
  readonly name: string;
  readonly risk: Risk | null;
  /** Who said so. */
  readonly evidence: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  /** The decision of each module, in order. */
  readonly decisions: readonly (Verdict & { readonly module: string })[];
  /** `null`: it has not ended, or its end was lost. */
  readonly outcome: string | null;
  readonly caller: string | null;
  readonly client: string;
  readonly ms: number | null;
  readonly sizeIn: number;
  readonly sizeOut: number | null;
  /** Without secrets, as JSON text; `null` if they were not kept. */
  readonly arguments: string | null;
}

/** Calls with something in common. */
export interface CallGroup {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  readonly p50?: number;
  readonly p95?: number;
}

/** `GET /calls`. */
export interface CallList {
  /** The newest first. */
  readonly calls: readonly RecordedCall[];
  readonly total: CallGroup;
  readonly days: readonly CallGroup[];
}

/** `GET /calls/verify`. */
export interface RecordsVerified {
  readonly isWhole: boolean;
  readonly sentences: readonly string[];
}

/** `POST /policy/replay`: what another policy would have done with recorded calls. */
export interface ReplayData {
  /** How many calls were looked at. */
  readonly calls: number;
  readonly same: number;
  /** Calls that cannot be judged again: the tool is gone, or a rule reads arguments that were not kept. */
  readonly unknown: number;
  /** Calls with another decision, by tool; the most first. */
  readonly changes: readonly {
    readonly tool: string;
    readonly before: string;
    readonly after: string;
    readonly calls: number;
  }[];
}
