/** The policy as the admin API sends it, and the effects of a change. */

import type { Verdict } from '@callsign/core';
import type { Risk } from '@callsign/effects';

import type { ConfigChange } from './config-data.js';

/** A rule in words. */
export interface RuleData {
  readonly when: string;
  readonly decision: Verdict['decision'];
  readonly reason?: string;
}

/** `GET /policy`. */
export interface PolicyData {
  readonly isSet: boolean;
  /** The policy as written in the file, as JSON text. */
  readonly written: string;
  /** The exceptions, in the order in which they are checked. */
  readonly rules: readonly RuleData[];
  /** What applies if no rule matches. They have no order: the strictest counts. */
  readonly labels: readonly RuleData[];
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

/** `POST /policy/replay`: what another policy would have done with recorded calls. */
export interface ReplayData {
  /** How many calls were recorded in that time. */
  readonly recorded: number;
  /** How many of them were replayed, the newest first. */
  readonly calls: number;
  readonly same: number;
  /** Calls that cannot be replayed, by reason. */
  readonly unknown: readonly { readonly reason: string; readonly calls: number }[];
  /** Calls with another decision, by tool. The tool with the most calls comes first. */
  readonly changes: readonly {
    readonly tool: string;
    readonly before: string;
    readonly after: string;
    readonly calls: number;
  }[];
}
