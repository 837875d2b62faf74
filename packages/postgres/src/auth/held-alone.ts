/** Runs work that only one instance may do at a time, under a lease. */

import { randomBytes } from 'node:crypto';

import type { Clock } from '@callsign/core';
import { type Lease, LEASE_MS, type Leases, StorageError } from '@callsign/instances';

export interface HeldAloneOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly name: string;
}

const LOOK_MS = 100;
/** How long to wait for the lease: longer than the work of another instance, and longer than its lease. */
const PATIENCE_MS = 90_000;

export async function heldAlone<T>(options: HeldAloneOptions, run: () => Promise<T>): Promise<T> {
  const lease = await taken(options);
  const release = keep(lease, options);
  try {
    return await run();
  } finally {
    release();
  }
}

/** Each run is a separate holder, so two runs of one process also take turns. */
async function taken({ leases, clock, name }: HeldAloneOptions): Promise<Lease> {
  const holder = randomBytes(8).toString('hex');
  const deadline = clock.now() + PATIENCE_MS;
  for (;;) {
    const lease = await leases.take(name, holder, LEASE_MS);
    if (lease) return lease;
    if (clock.now() > deadline) throw new StorageError('another instance does the same work');
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}

/** Renews a lease until it is released. If the database is away, the lease expires. */
function keep(lease: Lease, { leases, clock }: HeldAloneOptions): () => void {
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
