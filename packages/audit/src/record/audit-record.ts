/** What is kept: one record per call, per call about to be made, and per event of the log itself. */

import type { Risk, Voice } from '@callsign/annotations';
import type { Era, Outcome, Verdict } from '@callsign/core';

/** From daily business to what somebody should look at. */
export const SEVERITIES = ['info', 'notice', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

interface Every {
  /** Unlike that of any other record, whoever wrote it. */
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly severity: Severity;
}

/** What is known of a call before it is made. */
interface CallFacts {
  /** `server:tool`; of a resource, `server:uri`; where nothing was found, the name that was called. */
  readonly tool: string;
  /** The name that the client called. */
  readonly name: string;
  readonly method: string;
  /** Absent where nothing was found. */
  readonly risk?: Risk | undefined;
  /** Who decided the hint that the risk follows from. */
  readonly riskFrom?: Voice | undefined;
  readonly caller: CallerFacts;
  readonly decision?: Verdict['decision'] | undefined;
  readonly rule?: string | undefined;
  /** Characters of JSON that came from the client. */
  readonly sizeIn: number;
  /** SHA-256 of the arguments to the letter. */
  readonly fingerprint?: string | undefined;
  /** The arguments as JSON text without secrets, where they are kept. */
  readonly arguments?: string | undefined;
}

export interface CallerFacts {
  /** Who showed a credential, if one was asked for. */
  readonly principal?: string;
  /** The program, by the name that it gives itself. */
  readonly client: string;
  readonly version: string;
  /** Tells sessions of one client apart. */
  readonly session: string;
  readonly era: Era;
}

/** A call that changes something is about to be made. */
export interface IntentRecord extends Every, CallFacts {
  readonly kind: 'intent';
}

/** A call has ended, be it that it was refused. */
export interface CallRecord extends Every, CallFacts {
  readonly kind: 'call';
  readonly outcome: Outcome;
  readonly ms: number;
  readonly retries: number;
  /** Characters of JSON that came from the server. */
  readonly sizeOut: number;
  /** The id of the record that announced it. */
  readonly intent?: string | undefined;
}

/** Calls went unrecorded. */
export interface GapRecord extends Every {
  readonly kind: 'gap';
  readonly lost: number;
  readonly reason: string;
}

/** Records were deleted because of their age, or for want of space. */
export interface PrunedRecord extends Every {
  readonly kind: 'pruned';
  /** The last one that is gone; the chain goes on from its hash. */
  readonly through: Head;
  readonly count: number;
}

/** Something was wrong with the log itself. */
export interface AlarmRecord extends Every {
  readonly kind: 'alarm';
  readonly reason: string;
  /** What the anchor beside the file knew to be the end, if there was one. */
  readonly anchor?: Head;
}

export type AuditRecord = CallRecord | IntentRecord | GapRecord | PrunedRecord | AlarmRecord;

/** The end of a chain: how far it goes, and what it comes to. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}
