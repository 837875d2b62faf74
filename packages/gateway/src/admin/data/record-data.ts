/** Records as the admin API sends them: those of the audit package, with decisions as data. */

import type {
  ShownRecord,
  Stats,
  StatsGroup,
  StoredCall,
  StoredEvent,
  TimelineStep,
} from '@callsign/audit';
import type { Verdict } from '@callsign/core';

export type { StatsGroup, StoredEvent, TimelineStep, Verification } from '@callsign/audit';

/** A recorded call. */
export interface RecordedCall extends Omit<StoredCall, 'decisions'> {
  /** The decision of each module, in order. */
  readonly decisions: readonly (Verdict & { readonly module: string })[];
}

/** One element of `GET /records`. */
export type RecordData = RecordedCall | StoredEvent;

/** `GET /records/stats`; at most 50 groups of each kind. */
export interface RecordStats extends Omit<Stats, 'days'> {
  /** The length of one step of the timeline. */
  readonly step: TimelineStep;
  /** Steps that have calls, the oldest first. Each is named by its start in UTC. */
  readonly timeline: readonly StatsGroup[];
}

/** `GET /records/:id`: the record as the journal has it and, for a call, its other half. */
export interface RecordShown {
  readonly records: readonly ShownRecord[];
  /** Both halves together, if it is a call. */
  readonly call?: RecordedCall;
}
