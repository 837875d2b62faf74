/**
 * This instance in the directory: announced while it runs, with the other instances at hand. The list is read
 * in the background, so that no call waits for the directory.
 */

import type { Clock } from '@callsign/core';

import type { Announcement, Instance, InstanceDirectory } from './instance-directory.js';

export interface MembershipOptions {
  readonly directory: InstanceDirectory;
  readonly clock: Clock;
  readonly self: Announcement;
  /** How often the entry is renewed and the list is read. Default: 2 seconds. */
  readonly everyMs?: number;
  /** Called when the directory cannot be reached, and with `undefined` when it can be again. */
  readonly onFault?: (error: unknown) => void;
}

const EVERY_MS = 2_000;
/** After the directory was away, the others may take so many turns to enter themselves again. */
const TURNS = 3;

export class Membership {
  readonly #options: MembershipOptions;
  #self: Announcement;
  #instances: ReadonlyMap<string, Instance> = new Map();
  #isOpen = true;
  #hasFault = false;
  /** By our clock: until then, instances that are not listed may still run. */
  #keepUntil = 0;
  #cancel: (() => void) | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#self = options.self;
  }

  get self(): Announcement {
    return this.#self;
  }

  /** The instances that ran when the directory was read last, this one included. */
  get instances(): readonly Instance[] {
    return [...this.#instances.values()];
  }

  /** False while the directory cannot be reached. */
  get isReachable(): boolean {
    return !this.#hasFault;
  }

  /** Enters this instance and reads the list once. Fails if the directory cannot be reached. */
  async open(): Promise<void> {
    await this.#read();
    this.#again();
  }

  /** An instance from the list at hand, or from the directory if it is not on it. Unset: it does not run. */
  async find(id: string): Promise<Instance | undefined> {
    return this.#instances.get(id) ?? (await this.#options.directory.find(id));
  }

  /** Tells when instances came, left or changed. Returns a function that ends it. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  /** Changes what this instance says about itself, such as that it drains. */
  async change(changes: Partial<Omit<Announcement, 'id'>>): Promise<void> {
    this.#self = { ...this.#self, ...changes };
    await this.#options.directory.announce(this.#self);
  }

  /** Leaves the directory. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#cancel?.();
    // If the directory is away the entry ends by itself.
    await this.#options.directory.leave(this.#self.id).catch(() => {});
  }

  #again(): void {
    const { clock, everyMs = EVERY_MS } = this.#options;
    this.#cancel = clock.after(everyMs, () => {
      void this.#read()
        .then(
          () => this.#fault(undefined),
          (error: unknown) => this.#fault(error),
        )
        .then(() => this.#isOpen && this.#again());
    });
  }

  async #read(): Promise<void> {
    const { directory, clock, everyMs = EVERY_MS } = this.#options;
    await directory.announce(this.#self);
    const listed = (await directory.list()).map((each) => [each.id, each] as const);
    if (this.#hasFault) this.#keepUntil = clock.now() + TURNS * everyMs;
    const kept = clock.now() < this.#keepUntil ? this.#instances : [];
    const instances = new Map([...kept, ...listed]);
    // An announcement that was under way while this instance left is taken back.
    if (!this.#isOpen) await directory.leave(this.#self.id);
    const isNew = summary(instances) !== summary(this.#instances);
    this.#instances = instances;
    if (isNew) for (const run of this.#watchers) run();
  }

  #fault(error: unknown): void {
    if (this.#hasFault !== (error !== undefined)) this.#options.onFault?.(error);
    this.#hasFault = error !== undefined;
  }
}

/** Everything but the time at which each was seen. */
function summary(instances: ReadonlyMap<string, Instance>): string {
  return JSON.stringify(Array.from(instances.values(), (each) => ({ ...each, seenAt: '' })));
}
