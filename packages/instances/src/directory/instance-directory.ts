/**
 * The directory of running instances. Each instance enters itself and renews its entry while it
 * runs.
 */

import type { InstanceReport } from './instance-report.js';

/** What an instance says about itself. Contains no secret: all instances can read it. */
export interface Announcement {
  /** New at each start of a process: an instance that starts again is another instance. */
  readonly id: string;
  /** Where other instances reach it, such as `http://10.0.0.5:7401`. */
  readonly address: string;
  /** The public key by which other instances recognise it. Empty: they cannot reach it. */
  readonly key: string;
  /** A hash of the configuration that it runs. */
  readonly configuration: string;
  /** The version of Callsign. */
  readonly version: string;
  /** A draining instance finishes its work and accepts no new sessions or leases. */
  readonly state: 'ready' | 'draining';
}

/** An entry of the directory. */
export interface Instance extends Announcement {
  /** ISO 8601, by the clock of the directory. */
  readonly startedAt: string;
  readonly seenAt: string;
}

/** An instance for operators. It may have ended without leaving. */
export interface KnownInstance extends Instance {
  /** How long it has been silent, by the clock of the directory. */
  readonly silentMs: number;
  /** What it said last about its servers and calls. Missing if it said nothing, or in another form. */
  readonly report?: InstanceReport;
}

/** Implemented in memory and in Postgres. Methods reject if the store cannot be reached. */
export interface InstanceDirectory {
  /** Enters an instance or renews its entry. Without a report, the last one stays. */
  announce(announcement: Announcement, report?: InstanceReport): Promise<void>;
  /** Removes an instance. Does nothing if it is not there. */
  leave(id: string): Promise<void>;
  /** `undefined`: it is not there, or was not seen for longer than the directory allows. */
  find(id: string): Promise<Instance | undefined>;
  /** The running instances, oldest first. */
  list(): Promise<Instance[]>;
  /** All instances, with those that ended without leaving until their entries are a day old. */
  known(): Promise<KnownInstance[]>;
}

/** How long an instance counts as running after it was last seen. */
export const SILENCE_MS = 15_000;

/** How long the entry of an instance that ended without leaving is kept. */
export const KEPT_MS: number = 24 * 60 * 60_000;
