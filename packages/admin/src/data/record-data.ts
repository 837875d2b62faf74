/** Records as the admin API sends them. */

import type { Risk } from '@callsign/annotations';
import type { Verdict } from '@callsign/core';

/** A recorded call. */
export interface RecordedCall {
  readonly kind: 'call';
  readonly id: string;
  readonly time: string;
  readonly server: string | null;
  readonly tool: string;
  readonly name: string;
  readonly risk: Risk | null;
  /** Who said so, and why. */
  readonly evidence: string | null;
  readonly because: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  /** The decision of each module, in order. */
  readonly decisions: readonly (Verdict & { readonly module: string })[];
  /** `null`: it has not ended, or its end was lost. */
  readonly outcome: string | null;
  readonly caller: string | null;
  readonly client: string;
  readonly clientVersion: string;
  readonly session: string;
  readonly ms: number | null;
  readonly retries: number | null;
  readonly sizeIn: number;
  readonly sizeOut: number | null;
  /** SHA-256 of the arguments as they were written. */
  readonly fingerprint: string | null;
  /** Without secrets, as JSON text; `null` if they were not kept. */
  readonly arguments: string | null;
  /** Whether it was written down before it was sent. */
  readonly announced: boolean;
}

/** Something about a journal itself, such as calls that were not recorded. */
export interface RecordedEvent {
  readonly kind: 'gap' | 'pruned' | 'torn' | 'lost-end' | 'alarm';
  readonly id: string;
  readonly time: string;
  readonly journal: string;
  readonly reason: string;
  readonly count: number;
}

/** One element of `GET /records`. */
export type RecordData = RecordedCall | RecordedEvent;

/** Calls with something in common. */
export interface CallGroup {
  readonly name: string;
  readonly calls: number;
  /** Calls that ended otherwise than `ok`. */
  readonly errors: number;
  /** In milliseconds. */
  readonly p50?: number;
  readonly p95?: number;
}

/** `GET /records/stats`. */
export interface RecordStats {
  readonly total: CallGroup;
  /** The most calls first, at most 50 of each. */
  readonly servers: readonly CallGroup[];
  readonly tools: readonly CallGroup[];
  readonly callers: readonly CallGroup[];
  /** The length of one step of the timeline. */
  readonly step: 'day' | 'hour' | 'minute';
  /** Steps with calls, named by the beginning of their time in UTC; the oldest first. */
  readonly timeline: readonly CallGroup[];
}

/** `GET /records/verify`. */
export interface RecordsVerified {
  readonly ok: boolean;
  readonly journals: number;
  readonly records: number;
  /** What is wrong, record by record; at most 100. */
  readonly flaws: readonly {
    readonly id: string;
    readonly flaw: string;
    readonly message: string;
  }[];
  /** What is known to be missing, and why. */
  readonly notes: readonly {
    readonly journal: string;
    readonly note: string;
    readonly count: number;
    readonly message: string;
  }[];
}

/** `GET /records/:id`: the record and, of a call, its other half, as the journal has them. */
export interface RecordShown {
  readonly records: readonly {
    readonly journal: string;
    readonly record: unknown;
    /** The hash of the block before, if the line begins a block. */
    readonly prev?: string;
  }[];
  /** Both halves together, if it is a call. */
  readonly call?: RecordedCall;
}

/** `POST /policy/replay`: what another policy would have done with recorded calls. */
export interface ReplayData {
  /** How many calls were recorded in that time. */
  readonly recorded: number;
  /** How many of them were looked at: the newest. */
  readonly calls: number;
  readonly same: number;
  /** Calls that cannot be judged again, by the reason. */
  readonly unknown: readonly { readonly reason: string; readonly calls: number }[];
  /** Calls with another decision, by tool; the most first. */
  readonly changes: readonly {
    readonly tool: string;
    readonly before: string;
    readonly after: string;
    readonly calls: number;
  }[];
}
