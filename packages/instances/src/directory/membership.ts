/**
 * This instance in the directory: announced while it runs, with a list of the others. The list is
 * read in the background, so that no call waits for the directory.
 */

import { within, type Clock } from '@callsign/core';

import type { Announcement, Instance, InstanceDirectory } from './instance-directory.js';
import type { InstanceReport } from './instance-report.js';

/** What this instance announces, where, and how often. */
export interface MembershipOptions {
  readonly directory: InstanceDirectory;
  readonly clock: Clock;
  readonly self: Announcement;
  /** What operators see of this instance. Called at each renewal. */
  readonly report?: (() => InstanceReport) | undefined;
  /** How often the entry is renewed and the list is read. Default: every 2 s. */
  readonly everyMs?: number;
  /**
   * Called once when the directory cannot be reached, and with `undefined` when it can be reached
   * again.
   */
  readonly onFault?: (error: unknown) => void;
}

const EVERY_MS = 2_000;
/** A directory that does not answer in this time counts as away when another instance asks. */
const ANSWER_MS = 600;
/** How many renewals other instances get to register again, after the directory was away. */
const TURNS = 3;

/** Call `open` once, and `close` before the process ends. It renews itself in between. */
export class Membership {
  readonly #options: MembershipOptions;
  #self: Announcement;
  #instances: ReadonlyMap<string, Instance> = new Map();
  #isOpen = true;
  #hasFault = false;
  /** By our clock: until then, instances that are not listed may still run. */
  #keepUntil = 0;
  #cancel: (() => void) | undefined;
  #asked: Promise<boolean> | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#self = options.self;
  }

  get self(): Announcement {
    return this.#self;
  }

  /** The instances at the last reading, this one included. */
  get instances(): readonly Instance[] {
    return [...this.#instances.values()];
  }

  /** False while the directory cannot be reached. */
  get isReachable(): boolean {
    return !this.#hasFault;
  }

  /** Asks the directory now, with a write. False if it refuses, or does not answer soon. */
  reaches(): Promise<boolean> {
    const { clock } = this.#options;
    this.#asked ??= within(clock, ANSWER_MS, this.#announce())
      .then(
        () => true,
        () => false,
      )
      .finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  /** Enters this instance and reads the list. Rejects if the directory cannot be reached. */
  async open(): Promise<void> {
    await this.#read();
    this.#again();
  }

  /** Looks in the list first, then in the directory. `undefined`: the instance does not run. */
  async find(id: string): Promise<Instance | undefined> {
    const known = this.#instances.get(id);
    if (known) return known;
    const found = await this.#options.directory.find(id);
    // It came after the list was read. It must stay known if the directory goes away before the next reading.
    if (found) this.#replace(new Map([...this.#instances, [id, found]]));
    return found;
  }

  /** Calls `run` when instances came, left or changed. Returns a function that stops it. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  /** Changes the entry of this instance, for example when it starts to drain, and reports at once. */
  async change(changes: Partial<Omit<Announcement, 'id'>>): Promise<void> {
    const { directory, report } = this.#options;
    this.#self = { ...this.#self, ...changes };
    await directory.announce(this.#self, report?.());
  }

  /** Leaves the directory. Never rejects. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#cancel?.();
    // If the directory cannot be reached, the entry expires.
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

  async #announce(): Promise<void> {
    const { directory, report } = this.#options;
    if (!this.#isOpen) throw new Error('left');
    await directory.announce(this.#self, report?.());
    // An announcement that was under way while this instance left is taken back.
    if (!this.#isOpen) await directory.leave(this.#self.id);
  }

  async #read(): Promise<void> {
    const { directory, clock, everyMs = EVERY_MS } = this.#options;
    await this.#announce();
    const listed = (await directory.list()).map((each) => [each.id, each] as const);
    if (this.#hasFault) this.#keepUntil = clock.now() + TURNS * everyMs;
    const known = clock.now() < this.#keepUntil ? this.#instances : [];
    const instances = new Map([...known, ...listed]);
    this.#replace(instances);
  }

  #replace(instances: ReadonlyMap<string, Instance>): void {
    const isNew = summary(instances) !== summary(this.#instances);
    this.#instances = instances;
    if (isNew) for (const run of this.#watchers) run();
  }

  #fault(error: unknown): void {
    if (this.#hasFault !== (error !== undefined)) this.#options.onFault?.(error);
    this.#hasFault = error !== undefined;
  }
}

/** Everything except the times at which instances were seen. */
function summary(instances: ReadonlyMap<string, Instance>): string {
  return JSON.stringify(Array.from(instances.values(), (each) => ({ ...each, seenAt: '' })));
}
