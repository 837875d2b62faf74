/** Runs work under a lease, so that one instance at a time does it. */

import { randomBytes } from 'node:crypto';

import type { Clock } from '@callsign/core';

import { LEASE_MS } from '../../leases/renewed-lease.js';
import type { Lease, Leases } from '../../leases/leases.js';
import { StorageError } from '../../storage/storage-error.js';

/** `name`: the name of the lease. */
export interface WithLeaseOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly name: string;
}

/** The pause between two attempts to take the lease. */
const LOOK_MS = 100;
/**
 * How long to wait for the lease: longer than the work of another instance, and longer than the
 * lease of one that was lost.
 */
const PATIENCE_MS = 90_000;

/** Waits for the lease, then runs the work. Rejects with a `StorageError` if it waited too long. */
export async function withLease<T>(options: WithLeaseOptions, run: () => Promise<T>): Promise<T> {
  const lease = await taken(options);
  const release = keep(lease, options);
  try {
    return await run();
  } finally {
    release();
  }
}

/** Each run is a holder of its own, so that two runs in one process take turns too. */
async function taken({ leases, clock, name }: WithLeaseOptions): Promise<Lease> {
  const holder = randomBytes(8).toString('hex');
  const deadline = clock.now() + PATIENCE_MS;
  for (;;) {
    const lease = await leases.take(name, holder, LEASE_MS);
    if (lease) return lease;
    if (clock.now() > deadline)
      throw new StorageError('another instance is still doing the same work');
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}

/**
 * Renews the lease until the returned function is called. Failures are ignored: the lease then
 * expires, and another instance may take it.
 */
function keep(lease: Lease, { leases, clock }: WithLeaseOptions): () => void {
  let cancel: () => void;
  const renewLater = (): void => {
    cancel = clock.after(LEASE_MS / 3, () => {
      leases.renew(lease, LEASE_MS).catch(() => {});
      renewLater();
    });
  };
  renewLater();
  return () => {
    cancel();
    leases.release(lease).catch(() => {});
  };
}
