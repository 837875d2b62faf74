/**
 * The records of the journal: one for each ended call, one for each call that is about to be made,
 * and events of the journal itself. Programs read them: do not rename members.
 */

import type { Era, ModuleVerdict, Outcome, Verdict } from '@callsign/core';
import type { Evidence, Risk } from '@callsign/effects';

/** From everyday calls to what a person should look at. */
export const SEVERITIES = ['info', 'notice', 'warning', 'error'] as const;

/** How much attention a record needs. Members of the journal: do not rename them. */
export type Severity = (typeof SEVERITIES)[number];

interface Every {
  /** `writer-number`. Unique. The numbers of one writer have no gaps. */
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly severity: Severity;
}

/** What is known about a call before it is made. */
interface CallMembers {
  /** Missing if the name was unknown. */
  readonly server?: string | undefined;
  /** `server:tool`, or `server:uri` for a resource. For an unknown name, that name. */
  readonly tool: string;
  /** The name that the client called. */
  readonly name: string;
  readonly method: string;
  /** Missing if the name was unknown. */
  readonly risk?: Risk | undefined;
  /** The evidence for the hint that decides the risk. */
  readonly evidence?: Evidence | undefined;
  /** The principal. Missing if no credential was required. */
  readonly caller?: string | undefined;
  /** The client, by the name that it announces. */
  readonly client: string;
  readonly clientVersion: string;
  readonly era: Era;
  /** The decision that counted. */
  readonly decision?: Verdict['decision'] | undefined;
  readonly rule?: string | undefined;
  /** The decision of each module that was asked, in order. */
  readonly decisions?: readonly ModuleVerdict[] | undefined;
  /** The id of the script that made the call or, for a call of `callsign:run`, that it ran. Missing for other calls. */
  readonly script?: string | undefined;
  /** Whose account at the server the call used. Missing if all callers use one. */
  readonly account?: string | undefined;
  /** Distinguishes the sessions of one client. */
  readonly session: string;
  /** Characters of JSON from the client. */
  readonly sizeIn: number;
  /** SHA-256 of the arguments, as the client wrote them. */
  readonly fingerprint?: string | undefined;
  /** The arguments without secrets, if they are kept. */
  readonly arguments?: unknown;
}

/** A call that may change something is about to be made. */
export interface IntentRecord extends Every, CallMembers {
  readonly kind: 'intent';
}

/** A call has ended. Refused calls end too. */
export interface CallRecord extends Every, CallMembers {
  readonly kind: 'call';
  readonly outcome: Outcome;
  readonly retries: number;
  readonly ms: number;
  /** How many of them the call waited for a person. Missing if it did not. */
  readonly waitedMs?: number | undefined;
  /** Characters of JSON from the server. */
  readonly sizeOut: number;
  /** The id of its intent. Missing if there was none. */
  readonly intent?: string | undefined;
}

/** The first record of every file. */
export interface JournalRecord extends Every {
  readonly kind: 'journal';
  /** The version of the format. */
  readonly version: number;
  readonly journal: string;
  /** The number of the file in its journal, from 1. */
  readonly part: number;
}

/** Something about the journal itself, or about another journal in the same folder. */
export interface EventRecord extends Every {
  /**
   * - `gap`: calls were not recorded.
   * - `pruned`: records were deleted for age or space.
   * - `torn`: the last line was incomplete and was cut off.
   * - `lost-end`: the machine went down before the end was on disk.
   * - `alarm`: something else is wrong; `reason` says what.
   */
  readonly kind: EventKind;
  readonly journal: string;
  readonly reason: string;
  /** The number of records. For `torn`, of bytes. */
  readonly count: number;
}

export const EVENT_KINDS = ['gap', 'pruned', 'torn', 'lost-end', 'alarm'] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Any line of a journal. `isOfCall` tells calls and intents from the rest. */
export type AuditRecord = CallRecord | IntentRecord | JournalRecord | EventRecord;

/** Whether a record is about a call. */
export function isOfCall(record: AuditRecord): record is CallRecord | IntentRecord {
  return record.kind === 'call' || record.kind === 'intent';
}

/** A line that was edited may be JSON and still not be a record. */
export function isComplete(record: AuditRecord): boolean {
  if (typeof record.time !== 'string' || typeof record.severity !== 'string') return false;
  if (!isOfCall(record)) return true;
  const texts = [record.tool, record.name, record.method, record.client, record.session];
  return [...texts, record.clientVersion, record.era].every((text) => typeof text === 'string');
}
