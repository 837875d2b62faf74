/** The gateway's own tasks whose calls run in this process, by id. Each is kept for a limited time. */

import { memberText, type Call } from '@callsign/core';

import type { OwnTaskStore } from './own-task-store.js';
import { OwnTask } from './own-task.js';
import { newTaskId, ownerOf, type Task } from './task-table.js';

const HOUR_MS = 60 * 60 * 1_000;
/** The longest time to live that a client can ask for. */
const DAY_MS = 24 * HOUR_MS;
/** The start of the gateway has other work. */
const FIRST_SWEEP_MS = 60_000;

/** For one owner, and for all owners together. */
interface Limit {
  readonly each: number;
  readonly total: number;
}

const MAX_TASKS: Limit = { each: 1_000, total: 5_000 };
/** Characters of kept results. */
const MAX_TEXT: Limit = { each: 32 * 1024 * 1024, total: 128 * 1024 * 1024 };
/** How often orders are looked for, and how soon a failed save is tried again. */
const LOOK_MS = 1_000;

export interface NewOwnTask {
  /** The parameters of the call as the client sent them. */
  readonly params: string;
  /** Whether the call waits for an operator. */
  readonly isWaiting: boolean;
}

export interface OwnTasksOptions {
  /** Asked for when the first task is created. Default: tasks are kept in memory only. */
  readonly store?: (() => OwnTaskStore | undefined) | undefined;
  /** Called after every change of a task. */
  readonly onChange: (task: OwnTask) => void;
}

interface Cached {
  readonly task: OwnTask;
  readonly timer: NodeJS.Timeout;
  /** Missing if the task could not be saved when it was created, so no other process knows it. */
  store: OwnTaskStore | undefined;
  /** Settles when the last change is saved. */
  saved: Promise<void>;
}

/**
 * Bounded in number and in size, for each owner and in total. An owner with too many loses its
 * oldest ended task. If there are too many in total, the owner with the most loses one.
 */
export class OwnTasks {
  readonly #options: OwnTasksOptions;
  readonly #tasks = new Map<string, Cached>();
  #isSweeping = false;
  #isArmed = false;
  #isWatching = false;

  constructor(options: OwnTasksOptions) {
    this.#options = options;
  }

  /** Deletes stored tasks whose time is over, soon and then every hour. */
  sweepLater(): void {
    if (!this.#options.store || this.#isSweeping) return;
    this.#isSweeping = true;
    const sweep = (): void => {
      this.#options
        .store?.()
        ?.sweep()
        .catch(() => undefined);
    };
    setTimeout(sweep, FIRST_SWEEP_MS).unref();
    setInterval(sweep, HOUR_MS).unref();
  }

  /** `undefined`: too many tasks have not ended yet. */
  add(call: Call, { params, isWaiting }: NewOwnTask): OwnTask | undefined {
    const owner = ownerOf(call.caller);
    if (!this.#makeRoom(MAX_TASKS, () => 1, { owner, coming: 1 })) return undefined;
    const ttlMs = ttlFor(params);
    const id = newTaskId();
    const onChange = (changed: OwnTask): void => this.#changed(changed);
    const task = new OwnTask({ id, call, owner, ttlMs, isWaiting, onChange });
    const timer = setTimeout(() => {
      task.cancel();
      this.remove(id);
    }, ttlMs).unref();
    const store = this.#options.store?.();
    const cached: Cached = { task, timer, store, saved: Promise.resolve() };
    this.#tasks.set(id, cached);
    if (store) {
      cached.saved = store.save(task.record).catch(() => void (cached.store = undefined));
      if (!this.#isWatching) store.watch?.(() => void this.#look());
      this.#isWatching = true;
      this.#lookLater();
    }
    return task;
  }

  /** Resolves when all changes of a task are saved. Rejects if its record could not be changed. */
  saved({ id }: OwnTask): Promise<void> {
    return this.#tasks.get(id)?.saved ?? Promise.resolve();
  }

  find(id: string, owner: string): OwnTask | undefined {
    const task = this.#tasks.get(id)?.task;
    return task?.owner === owner ? task : undefined;
  }

  /** Whether a call of any of them has no answer yet. */
  get isRunning(): boolean {
    return [...this.#tasks.values()].some(({ task }) => !task.reply);
  }

  /** The tasks of a caller, oldest first. */
  of(owner: string): readonly OwnTask[] {
    return Array.from(this.#tasks.values(), ({ task }) => task).filter(
      (task) => task.owner === owner,
    );
  }

  remove(id: string): void {
    const cached = this.#forget(id);
    cached?.saved.then(() => cached.store?.remove(id)).catch(() => undefined);
  }

  /** A server's task continues this one. Other processes find it by the record. */
  handOver({ id }: OwnTask, continuedBy: Task): void {
    const cached = this.#forget(id);
    if (!cached) return;
    const { record } = cached.task;
    cached.saved.then(() => cached.store?.save({ ...record, continuedBy })).catch(() => undefined);
  }

  #forget(id: string): Cached | undefined {
    const cached = this.#tasks.get(id);
    clearTimeout(cached?.timer);
    this.#tasks.delete(id);
    return cached;
  }

  #changed(task: OwnTask): void {
    const cached = this.#tasks.get(task.id);
    if (cached) this.#save(cached);
    if (task.reply) this.#makeRoom(MAX_TEXT, textOf, { owner: task.owner, except: task.id });
    this.#options.onChange(task);
  }

  /** One after the other, so that the last change is the last one that is saved. */
  #save(cached: Cached): void {
    cached.saved = cached.saved
      .catch(() => undefined)
      .then(() => cached.store?.save(cached.task.record));
    cached.saved.catch(() => {
      if (!cached.task.reply || !this.#tasks.has(cached.task.id)) return;
      setTimeout(() => this.#save(cached), LOOK_MS).unref();
    });
  }

  /** Looks for orders while calls run. */
  #lookLater(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setTimeout(() => {
      this.#isArmed = false;
      void this.#look().finally(() => this.#open.length > 0 && this.#lookLater());
    }, LOOK_MS).unref();
  }

  get #open(): readonly Cached[] {
    return [...this.#tasks.values()].filter(({ task, store }) => store && !task.reply);
  }

  async #look(): Promise<void> {
    const open = this.#open;
    const [store] = open.map((cached) => cached.store);
    if (!store) return;
    const ids = open.map(({ task }) => task.id);
    const orders = await store.take(ids).catch(() => []);
    for (const { id, order } of orders) await this.#tasks.get(id)?.task.obey(order);
  }

  /**
   * Drops ended tasks until a limit is kept. `coming`: what the owner is about to add. Returns
   * false if too many tasks have not ended yet.
   */
  #makeRoom(
    { each, total }: Limit,
    sizeOf: (task: OwnTask) => number,
    { owner, coming = 0, except }: { owner: string; coming?: number; except?: string },
  ): boolean {
    let [own, all] = [coming, coming];
    for (const { task } of this.#tasks.values()) {
      const size = sizeOf(task);
      all += size;
      if (task.owner === owner) own += size;
    }
    while (own > each || all > total) {
      const dropped = this.#dropOne(own > each ? [owner] : this.#ownersByUse(sizeOf), except);
      if (!dropped) return false;
      all -= sizeOf(dropped);
      if (dropped.owner === owner) own -= sizeOf(dropped);
    }
    return true;
  }

  /** The owner that uses the most comes first. */
  #ownersByUse(sizeOf: (task: OwnTask) => number): readonly string[] {
    const used = new Map<string, number>();
    for (const { task } of this.#tasks.values())
      used.set(task.owner, (used.get(task.owner) ?? 0) + sizeOf(task));
    return [...used].toSorted(([, a], [, b]) => b - a).map(([owner]) => owner);
  }

  /** Drops the oldest ended task of the first owner that has one. */
  #dropOne(owners: readonly string[], except: string | undefined): OwnTask | undefined {
    for (const owner of owners) {
      const task = this.of(owner).find(({ id, reply }) => reply && id !== except);
      if (task) this.remove(task.id);
      if (task) return task;
    }
    return undefined;
  }
}

function textOf({ reply }: OwnTask): number {
  return reply?.json.length ?? 0;
}

/** Milliseconds to keep a task: an hour, or what the client asks for, up to a day. */
function ttlFor(params: string): number {
  const asked = Number(memberText(memberText(params, 'task') ?? '{}', 'ttl') ?? 'NaN');
  return Math.min(Math.max(Number.isFinite(asked) ? asked : 0, HOUR_MS), DAY_MS);
}
