/** The records of the journal: one per call, one per call that is about to be made, and events of the journal itself. */

import type { Evidence, Risk } from '@callsign/annotations';
import type { Era, ModuleVerdict, Outcome, Verdict } from '@callsign/core';

/** From everyday calls to what a person should look at. */
export const SEVERITIES = ['info', 'notice', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

interface Every {
  /** `writer-number`. Unique. Numbers of one writer have no gap. */
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly severity: Severity;
}

/** What is known of a call before it is made. */
interface CallMembers {
  /** Absent where nothing was found. */
  readonly server?: string | undefined;
  /** `server:tool`; of a resource, `server:uri`; where nothing was found, the name that was called. */
  readonly tool: string;
  /** The name that the client called. */
  readonly name: string;
  readonly method: string;
  /** Absent where nothing was found. */
  readonly risk?: Risk | undefined;
  /** Who decided the hint that the risk follows from, and why. */
  readonly evidence?: Evidence | undefined;
  /** Who showed a credential, if one was asked for. */
  readonly caller?: string | undefined;
  /** The program, by the name that it gives itself. */
  readonly client: string;
  readonly clientVersion: string;
  readonly era: Era;
  /** The decision that counts. */
  readonly decision?: Verdict['decision'] | undefined;
  readonly rule?: string | undefined;
  /** The decision of each module that was asked, in order. */
  readonly decisions?: readonly ModuleVerdict[] | undefined;
  /** Tells sessions of one client apart. */
  readonly session: string;
  /** Characters of JSON that came from the client. */
  readonly sizeIn: number;
  /** SHA-256 of the arguments as they were written. */
  readonly fingerprint?: string | undefined;
  /** The arguments without secrets, where they are kept. */
  readonly arguments?: unknown;
}

/** A call that may change something is about to be made. */
export interface IntentRecord extends Every, CallMembers {
  readonly kind: 'intent';
}

/** A call has ended. A refused call has ended too. */
export interface CallRecord extends Every, CallMembers {
  readonly kind: 'call';
  readonly outcome: Outcome;
  readonly retries: number;
  readonly ms: number;
  /** Characters of JSON that came from the server. */
  readonly sizeOut: number;
  /** The id of the intent. */
  readonly intent?: string | undefined;
}

/** The first record of every file. */
export interface JournalRecord extends Every {
  readonly kind: 'journal';
  /** Of the format. */
  readonly version: number;
  readonly journal: string;
  /** Files of one journal are numbered from 1. */
  readonly part: number;
}

/** Something about the journal itself, or about another journal in its folder. */
export interface EventRecord extends Every {
  /**
   * `gap`: calls went unrecorded. `pruned`: records were deleted for their age or for space. `torn`: a last
   * line was not written whole, and was cut off. `lost-end`: the machine went down before the end was on disk.
   * `alarm`: something is wrong that neither explains.
   */
  readonly kind: EventKind;
  readonly journal: string;
  readonly reason: string;
  /** Of records, or for `torn` of bytes. */
  readonly count: number;
}

export const EVENT_KINDS = ['gap', 'pruned', 'torn', 'lost-end', 'alarm'] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export type AuditRecord = CallRecord | IntentRecord | JournalRecord | EventRecord;

/** Whether a record tells of a call. */
export function isOfCall(record: AuditRecord): record is CallRecord | IntentRecord {
  return record.kind === 'call' || record.kind === 'intent';
}
