/** Many instances with the real code of membership, leases, places, seals and quotas, on a virtual network. */

import { QuotaBlock } from '@callsign/governance';
import {
  type InstanceDirectory,
  type Leases,
  Membership,
  type News,
  Seal,
} from '@callsign/instances';
import {
  CallerSeal,
  createInstanceKey,
  InstanceRouting,
  isCut,
  type OpenPlace,
  PeerConnections,
  PeerSecrets,
  ServerOwners,
} from '@callsign/instances/peers';

import { memoryApprovals } from '../memory/memory-approvals.js';
import { memoryDirectory } from '../memory/memory-directory.js';
import { memoryLeases } from '../memory/memory-leases.js';
import { memoryNews } from '../memory/memory-news.js';
import { memoryQuotas } from '../memory/memory-quotas.js';
import { seeded, STORMY, VirtualNetwork, VirtualTime } from './virtual-network.js';

export const STORE = 'store';
export const SERVERS = ['a', 'b', 'c'];
export const PER_MINUTE = 600;
/** Clocks differ by up to one part in a hundred. */
const DRIFT = 0.01;
const SECRETS = ['the secret of the simulation'];

export interface SimulatedInstance {
  readonly id: string;
  readonly membership: Membership;
  readonly places: ServerOwners;
  readonly pending: ReadonlyMap<string, OpenPlace>;
  readonly routing: InstanceRouting;
  readonly block: QuotaBlock;
  isAlive: boolean;
}

/** A write that the store accepted. */
export interface FencedWrite {
  readonly server: string;
  readonly holder: string;
  readonly fence: number;
}

export class SimulatedCluster {
  readonly time = new VirtualTime();
  readonly random: () => number;
  readonly network: VirtualNetwork;
  readonly instances: SimulatedInstance[] = [];
  readonly writes: FencedWrite[] = [];
  /** The times of calls that a quota has let through. */
  readonly paid: number[] = [];
  readonly board = memoryApprovals(this.time.clock());
  readonly #directory = memoryDirectory(this.time.clock());
  readonly #leases = memoryLeases(this.time.clock());
  readonly #news = memoryNews();
  readonly #quotas = memoryQuotas(this.time.clock());
  readonly #fences = new Map<string, number>();
  #started = 0;

  constructor(seed: number, weather = STORMY) {
    this.random = seeded(seed);
    this.network = new VirtualNetwork(this.time, this.random, weather);
  }

  get alive(): SimulatedInstance[] {
    return this.instances.filter(({ isAlive }) => isAlive);
  }

  start(): SimulatedInstance {
    const id = `i${this.#started++}`;
    const clock = this.time.clock(1 - DRIFT + this.random() * 2 * DRIFT);
    const ask = <T>(answer: () => Promise<T>): Promise<T> =>
      this.network.request(id, STORE, answer);
    const [directory, leases, news] = [
      this.#remoteDirectory(ask),
      this.#remoteLeases(ask),
      this.#remoteNews(id),
    ];
    const self = { id, address: `https://${id}:1`, key: id, configuration: '', version: '' };
    const membership = new Membership({ directory, clock, self: { ...self, state: 'ready' } });
    const places = new ServerOwners({
      self: id,
      leases,
      news,
      clock,
      log: () => undefined,
      find: (other) => membership.find(other),
      reaches: (other) => this.#ask(id, other.id, async () => true).then((is) => is === true),
      isCutForAll: async () => {
        const others = membership.instances.filter((other) => other.id !== id);
        return isCut(await Promise.all(others.map((other) => this.#reach(id, other.id))));
      },
    });
    const pending = new Map(
      SERVERS.map((server) => [server, places.open(server, () => undefined)]),
    );
    const seal = new Seal(SECRETS);
    const callers = new CallerSeal(id, SECRETS);
    const own = { self: id, key: createInstanceKey(), secrets: new PeerSecrets(SECRETS) };
    const connections = new PeerConnections(own);
    const routing = new InstanceRouting({
      self: id,
      seal,
      callers,
      connections,
      instances: () => membership.instances,
      find: (other) => membership.find(other),
    });
    const quotas = this.#quotas;
    const store: typeof quotas = { take: (request) => ask(() => quotas.take(request)) };
    const instances = (): number => Math.max(1, membership.instances.length);
    const block = new QuotaBlock({ store, holder: id, instances }, 'server a', clock);
    const instance = { id, membership, places, pending, routing, block, isAlive: true };
    this.instances.push(instance);
    const join = (): void => void membership.open().catch(() => this.time.after(1_000, join));
    join();
    return instance;
  }

  /** The process is gone. What it has sent may still arrive. */
  kill(instance: SimulatedInstance): void {
    instance.isAlive = false;
    this.network.place(instance.id, -1 - this.#started);
    void instance.places.close();
    void instance.membership.close();
  }

  /** Instances that believe that they hold the lease of a server. */
  holders(server: string): string[] {
    return this.alive
      .filter(({ pending }) => pending.get(server)!.place.fence !== undefined)
      .map(({ id }) => id);
  }

  /** A holder writes something to the store, which refuses older fences. */
  write({ id, pending }: SimulatedInstance, server: string): void {
    const fence = pending.get(server)!.place.fence;
    if (fence === undefined) return;
    this.network
      .request(id, STORE, async () => {
        if (fence < (this.#fences.get(server) ?? 0)) return;
        this.#fences.set(server, fence);
        this.writes.push({ server, holder: id, fence });
      })
      .catch(() => undefined);
  }

  /** A call that the quota may let through. */
  pay({ block }: SimulatedInstance): void {
    const refused = block.pay(PER_MINUTE);
    if (!refused) this.paid.push(this.time.now);
    else {
      const note = (waitMs: number | undefined): void => {
        if (waitMs === undefined) this.paid.push(this.time.now);
      };
      refused.then(note, () => undefined);
    }
  }

  /** Asks another instance; `undefined` if it does not answer. */
  #ask<T>(
    from: string,
    to: string,
    answer: (other: SimulatedInstance) => Promise<T>,
  ): Promise<T | undefined> {
    const asked = async (): Promise<T> => {
      const other = this.instances.find(({ id }) => id === to);
      if (!other?.isAlive) throw new Error('gone');
      return answer(other);
    };
    return this.network.request(from, to, asked).catch(() => undefined);
  }

  #reach(from: string, to: string): Promise<{ readonly directory: boolean } | undefined> {
    return this.#ask(from, to, async ({ membership, places }) => {
      const directory = await membership.reaches();
      if (!directory) places.pause();

      return { directory };
    });
  }

  #remoteDirectory(ask: <T>(answer: () => Promise<T>) => Promise<T>): InstanceDirectory {
    const { announce, leave, find, list, known } = this.#directory;
    return {
      known: () => ask(() => known()),
      announce: (announcement) => ask(() => announce(announcement)),
      leave: (id) => ask(() => leave(id)),
      find: (id) => ask(() => find(id)),
      list: () => ask(() => list()),
    };
  }

  #remoteLeases(ask: <T>(answer: () => Promise<T>) => Promise<T>): Leases {
    const { take, renew, release, find, list } = this.#leases;
    return {
      take: (...args) => ask(() => take(...args)),
      renew: (lease, ms) => ask(() => renew(lease, ms)),
      release: (lease) => ask(() => release(lease)),
      find: (name) => ask(() => find(name)),
      list: () => ask(() => list()),
    };
  }

  /** Messages are delayed and may be lost. */
  #remoteNews(id: string): News {
    const news = this.#news;
    return {
      isLive: true,
      publish: (topic, text) => this.network.request(id, STORE, () => news.publish(topic, text)),
      subscribe: (topic, listener) =>
        news.subscribe(topic, (text) => {
          this.network.request(STORE, id, async () => listener(text)).catch(() => undefined);
        }),
    };
  }
}
