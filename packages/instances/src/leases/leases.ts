/**
 * Leases: one holder at a time for a name, such as a server that runs on one instance only.
 *
 * A lease ends by the clock of the store. Its holder counts from before it asked, so it stops
 * first. Clocks may still drift and processes may stall, so every lease has a fence: a number that
 * grows with each new holder. All that a holder writes carries the fence, and an older fence is
 * refused.
 */

/**
 * The right to do something for a limited time. Keep the object: its fence is needed to renew and
 * release it.
 */
export interface Lease {
  readonly name: string;
  /** The id of an instance. */
  readonly holder: string;
  /** Grows with each new holder of the name, even after a release. */
  readonly fence: number;
}

/** Implemented in memory and in Postgres. Methods reject if the store cannot be reached. */
export interface Leases {
  /**
   * Takes a free lease for `ms` milliseconds, with a new fence. A holder may take its own lease
   * again. `undefined`: another instance holds it. `isOnlyReleased`: leaves a lease of another
   * instance that ran out without a release.
   */
  take(
    name: string,
    holder: string,
    ms: number,
    isOnlyReleased?: boolean,
  ): Promise<Lease | undefined>;
  /** Extends a lease. Returns false if it was lost, and another instance may hold it. */
  renew(lease: Lease, ms: number): Promise<boolean>;
  /** Ends a lease at once. Does nothing if it was lost. */
  release(lease: Lease): Promise<void>;
  /** The lease of a name, if an instance holds it now. */
  find(name: string): Promise<Lease | undefined>;
  /** All leases that are held now, by name. */
  list(): Promise<Lease[]>;
}

/** The name of the lease of a server that runs on one instance. */
export function leaseName(server: string): string {
  return `server:${server}`;
}
