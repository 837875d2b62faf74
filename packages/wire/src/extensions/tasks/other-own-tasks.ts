/**
 * The gateway's own tasks whose calls run, or ran, in another process: after a restart, or on
 * another instance. All that is known about them is in the store.
 */

import { memberText } from '@callsign/core';
import type { Call, Era, Reply, Unsubscribe } from '@callsign/core';

import { shownText, stateText, type OwnTaskRecord } from './own-task-record.js';
import type { OwnTaskStore } from './own-task-store.js';
import { hasEndedAlready } from './own-task.js';
import { taskResult, type AwaitedTask } from './task-result.js';

export interface OtherOwnTasksOptions {
  readonly store: () => OwnTaskStore | undefined;
  /** Called when a followed task has changed. */
  readonly onChange: (id: string, owner: string, params: (era: Era) => string) => void;
}

/** How often a task is looked up while a caller waits for it, besides news. */
const LOOK_MS = 1_000;
/** How long a session waits for the end of a task that it cancels. */
const CANCEL_MS = 5_000;
const DONE: Reply = { ok: true, json: '{}' };

export class OtherOwnTasks {
  readonly #options: OtherOwnTasksOptions;
  /** The last known records of tasks that callers follow, by id. */
  readonly #followed = new Map<string, { record: OwnTaskRecord; followers: number }>();
  readonly #wakes = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: Unsubscribe | undefined;

  constructor(options: OtherOwnTasksOptions) {
    this.#options = options;
  }

  /** Whether there may be any. */
  get isPossible(): boolean {
    return this.#options.store() !== undefined;
  }

  /** `undefined`: there is no such task, or it belongs to another caller. */
  async find(id: string, owner: string): Promise<OwnTaskRecord | undefined> {
    const record = await this.#options.store()?.find(id);
    return record?.owner === owner ? record : undefined;
  }

  /** The tasks of a caller, oldest first. */
  async of(owner: string): Promise<readonly OwnTaskRecord[]> {
    return (await this.#options.store()?.of(owner)) ?? [];
  }

  /** Answers a request about a task. */
  async handle(record: OwnTaskRecord, call: Call): Promise<Reply> {
    const { id, reply } = record;
    const { era } = call.caller;
    const store = this.#options.store()!;
    switch (call.method) {
      case 'tasks/cancel': {
        if (era === 'session' && reply) return hasEndedAlready(id);
        if (!reply) await store.give(id, { type: 'cancel' });
        if (era === 'stateless') return DONE;
        const ended = await this.#ended(record, Date.now() + CANCEL_MS);
        return { ok: true, json: stateText(ended, era) };
      }
      case 'tasks/update': {
        const responses = memberText(call.params, 'inputResponses') ?? '{}';
        if (!reply) await store.give(id, { type: 'answer', responses });
        return DONE;
      }
      case 'tasks/result':
        return taskResult(this.#awaited(record), call.context);
      default:
        return { ok: true, json: shownText(record, era) };
    }
  }

  /** The last known record of a followed task. */
  known(id: string, owner: string): OwnTaskRecord | undefined {
    const record = this.#followed.get(id)?.record;
    return record?.owner === owner ? record : undefined;
  }

  /** Reports changes of a caller's tasks until it is stopped. Ids of other tasks are ignored. */
  async follow(ids: readonly string[], owner: string): Promise<Unsubscribe> {
    const found = await Promise.all(ids.map((id) => this.find(id, owner).catch(() => undefined)));
    const records = found.filter((record) => record !== undefined);
    for (const record of records) {
      const { followers = 0 } = this.#followed.get(record.id) ?? {};
      this.#followed.set(record.id, { record, followers: followers + 1 });
    }
    const stop = records.length > 0 ? this.#wake(() => void this.#lookAtFollowed()) : undefined;
    return () => {
      stop?.();
      for (const { id } of records) {
        const followed = this.#followed.get(id);
        if (followed && --followed.followers === 0) this.#followed.delete(id);
      }
    };
  }

  async #lookAtFollowed(): Promise<void> {
    for (const [id, followed] of this.#followed) {
      const { owner, updatedAt } = followed.record;
      const record = await this.find(id, owner).catch(() => undefined);
      if (!record || record.updatedAt === updatedAt || followed.record.updatedAt !== updatedAt)
        continue;
      followed.record = record;
      this.#options.onChange(id, owner, (era) => shownText(record, era));
    }
  }

  #awaited({ id, owner }: OwnTaskRecord): AwaitedTask {
    return {
      id,
      look: () => this.find(id, owner),
      changed: () => this.#changed(),
      // The order carries results only. After an error the question stays open.
      answer: async (key, { ok, json }) => {
        const responses = `{${JSON.stringify(key)}:${json}}`;
        if (ok) await this.#options.store()!.give(id, { type: 'answer', responses });
      },
    };
  }

  async #ended(first: OwnTaskRecord, until: number): Promise<OwnTaskRecord> {
    let record = first;
    while (!record.reply && Date.now() < until) {
      await this.#changed();
      record = (await this.find(record.id, record.owner)) ?? record;
    }
    return record;
  }

  /** Resolves when any task may have changed. */
  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#wake(() => {
        stop();
        resolve();
      });
    });
  }

  /** Calls back at news and at intervals, until it is stopped. */
  #wake(run: () => void): Unsubscribe {
    this.#wakes.add(run);
    const wakeAll = (): void => {
      for (const wake of this.#wakes) wake();
    };
    this.#timer ??= setInterval(wakeAll, LOOK_MS).unref();
    this.#unwatch ??= this.#options.store()?.watch?.(wakeAll);
    return () => {
      this.#wakes.delete(run);
      if (this.#wakes.size > 0) return;
      clearInterval(this.#timer);
      this.#unwatch?.();
      this.#timer = this.#unwatch = undefined;
    };
  }
}
