/** Leases in memory, for several instances in one process. */

import type { Clock } from '@callsign/core';
import type { Lease, Leases } from '@callsign/instances';

interface Held {
  readonly lease: Lease;
  until: number;
}

const RELEASED = -Infinity;

/** The clock belongs to the caller, so a test decides when leases end. */
export function memoryLeases(clock: Clock): Leases {
  /** Ended leases stay, since the next one must have a higher fence. */
  const names = new Map<string, Held>();
  const pending = (name: string): Held | undefined => {
    const entry = names.get(name);
    return entry && clock.now() < entry.until ? entry : undefined;
  };
  const unreleased = (name: string): Held | undefined => {
    const entry = names.get(name);
    return entry?.until === RELEASED ? undefined : entry;
  };
  /** The entry of a lease that has not been lost. */
  const own = ({ name, holder, fence }: Lease): Held | undefined => {
    const entry = pending(name);
    return entry?.lease.holder === holder && entry.lease.fence === fence ? entry : undefined;
  };

  return {
    async take(name, holder, ms, isOnlyReleased = false) {
      const current = isOnlyReleased ? unreleased(name) : pending(name);
      if (current && current.lease.holder !== holder) return undefined;
      const fence = (names.get(name)?.lease.fence ?? 0) + 1;
      const lease = { name, holder, fence };
      names.set(name, { lease, until: clock.now() + ms });
      return lease;
    },
    async renew(lease, ms) {
      const entry = own(lease);
      if (entry) entry.until = clock.now() + ms;
      return entry !== undefined;
    },
    async release(lease) {
      const entry = own(lease);
      if (entry) entry.until = RELEASED;
    },
    async find(name) {
      return pending(name)?.lease;
    },
    async list() {
      return [...names.keys()]
        .toSorted()
        .map((name) => pending(name)?.lease)
        .filter((lease) => lease !== undefined);
    },
  };
}
