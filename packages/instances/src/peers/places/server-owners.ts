/**
 * The places of all servers that run on one instance at a time. It reads their leases for all of
 * them together.
 */

import type { Clock, Log } from '@callsign/core';

import type { Instance } from '../../directory/instance-directory.js';
import { leaseName, type Leases } from '../../leases/leases.js';
import type { News } from '../../news/news.js';
import { BridgedLeases } from './bridged-leases.js';
import { ServerOwner } from './server-owner.js';

interface ServerOwnersOptions {
  /** The id of this instance. */
  readonly self: string;
  readonly leases: Leases;
  readonly news: News;
  readonly clock: Clock;
  readonly log: Log;
  /** Asks the directory for an instance; `undefined` if it does not run. */
  readonly find: (id: string) => Promise<Instance | undefined>;
  /** Whether an instance is refused, since it does not prove that it knows the secrets. */
  readonly isUnproved?: (id: string) => boolean;
  /** Asks another instance whether it answers. */
  readonly reaches: (instance: Instance) => Promise<boolean>;
  /** Whether none of the instances that answer can reach the store. */
  readonly isCutForAll: () => Promise<boolean>;
  /** Milliseconds. If an instance is lost, its servers start elsewhere after this time. */
  readonly leaseMs?: number;
}

/** The use of a place by one server. */
export interface OpenPlace {
  readonly place: ServerOwner;
  /** Call it when the server has stopped. The last user of a place releases the lease. */
  close(): Promise<void>;
}

const LEASE_MS = 6_000;
const LOOK_MS = 1_000;
const TOPIC = 'servers';

/** One per instance. */
export class ServerOwners {
  readonly #options: ServerOwnersOptions;
  readonly #leases: BridgedLeases;
  readonly #places = new Map<string, ServerOwner>();
  readonly #unsubscribe: () => void;
  #isLooking = false;
  #isStale = false;
  #cancel: (() => void) | undefined;
  #isOpen = true;

  constructor(options: ServerOwnersOptions) {
    this.#options = options;
    const { leases, isCutForAll, news, clock, leaseMs = LEASE_MS } = options;
    this.#leases = new BridgedLeases({ leases, clock, leaseMs, isCutForAll });
    this.#unsubscribe = news.subscribe(TOPIC, () => void this.#look());
    this.#again();
  }

  /** The place of a server. `onMove` is called when the server must be reached in another way. */
  open(key: string, onMove: () => void): OpenPlace {
    const place = this.#places.get(key) ?? this.#create(key);
    const unwatch = place.watch(onMove);
    return {
      place,
      close: async () => {
        // After a reload, a server and its successor share a place until the first has ended.
        if (unwatch() > 0 || this.#places.get(key) !== place) return;
        this.#places.delete(key);
        await place.close();
      },
    };
  }

  #create(key: string): ServerOwner {
    const { self, clock, log, reaches, news, leaseMs = LEASE_MS } = this.#options;
    const place: ServerOwner = new ServerOwner({
      key,
      self,
      leases: this.#leases,
      clock,
      leaseMs,
      log,
      reaches,
      // Lost news only causes a short delay, since others also read the leases at intervals.
      onChange: () => void news.publish(TOPIC, key).catch(() => undefined),
    });
    this.#places.set(key, place);
    void this.#look();
    return place;
  }

  /** The place of a server of this instance. */
  get(key: string): ServerOwner | undefined {
    return this.#places.get(key);
  }

  /** To be called before this instance tells another one that it cannot reach the store. It then takes no lease. */
  pause(): void {
    this.#leases.pause();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#unsubscribe();
    this.#cancel?.();
    await Promise.all(Array.from(this.#places.values(), (place) => place.close()));
    this.#places.clear();
  }

  #again(): void {
    this.#cancel = this.#options.clock.after(LOOK_MS, () => {
      void this.#look().finally(() => this.#isOpen && this.#again());
    });
  }

  /**
   * Reads all leases. News that comes during the reading causes another one, since it may be too
   * new for the first.
   */
  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#isStale = true;
      return;
    }
    this.#isLooking = true;
    do {
      this.#isStale = false;
      // If the store does not answer, the last known state stays.
      await this.#learn().catch(() => undefined);
    } while (this.#isStale && this.#isOpen);
    this.#isLooking = false;
  }

  async #learn(): Promise<void> {
    const { find, isUnproved } = this.#options;
    const leases = new Map((await this.#leases.list()).map((lease) => [lease.name, lease]));
    await Promise.all(
      Array.from(this.#places, async ([key, place]) => {
        const lease = leases.get(leaseName(key));
        place.isWithUnproved = lease !== undefined && isUnproved?.(lease.holder) === true;
        place.learn(lease, lease && (await find(lease.holder)));
      }),
    );
  }
}
