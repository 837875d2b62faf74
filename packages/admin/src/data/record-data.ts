/** Records as the admin API sends them: what the audit package has, with decisions as data. */

import type {
  CallRow,
  EventRow,
  ShownRecord,
  Stats,
  StatsGroup,
  TimelineStep,
} from '@callsign/audit';
import type { Verdict } from '@callsign/core';

export type { EventRow, StatsGroup, TimelineStep, Verification } from '@callsign/audit';

/** A recorded call. */
export interface RecordedCall extends Omit<CallRow, 'decisions'> {
  /** The decision of each module, in order. */
  readonly decisions: readonly (Verdict & { readonly module: string })[];
}

/** One element of `GET /records`. */
export type RecordData = RecordedCall | EventRow;

/** `GET /records/stats`; at most 50 groups of each kind. */
export interface RecordStats extends Omit<Stats, 'days'> {
  /** The length of one step of the timeline. */
  readonly step: TimelineStep;
  /** Steps with calls, named by the beginning of their time in UTC; the oldest first. */
  readonly timeline: readonly StatsGroup[];
}

/** `GET /records/:id`: the record and, of a call, its other half, as the journal has them. */
export interface RecordShown {
  readonly records: readonly ShownRecord[];
  /** Both halves together, if it is a call. */
  readonly call?: RecordedCall;
}
