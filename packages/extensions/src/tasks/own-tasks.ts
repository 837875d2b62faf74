/** The gateway's own tasks, by id. Each is kept for a limited time. */

import { memberText, type Call } from '@callsign/core';

import { OwnTask } from './own-task.js';
import { newTaskId, ownerOf } from './task-table.js';

const HOUR_MS = 60 * 60 * 1_000;
/** The longest time to live that a client can ask for. */
const DAY_MS = 24 * HOUR_MS;
const MOST = 1_000;
/** Characters of all kept results together. */
const MOST_TEXT = 32 * 1024 * 1024;

export interface NewOwnTask {
  /** The parameters of the call as the client sent them. */
  readonly params: string;
  /** Whether the call waits for an operator. */
  readonly isWaiting: boolean;
}

interface Kept {
  readonly task: OwnTask;
  readonly timer: NodeJS.Timeout;
}

/** Bounded in number and in size: the oldest ended tasks are dropped first. */
export class OwnTasks {
  readonly #kept = new Map<string, Kept>();
  readonly #onChange: (task: OwnTask) => void;

  constructor(onChange: (task: OwnTask) => void) {
    this.#onChange = onChange;
  }

  /** `undefined`: too many tasks have not ended yet. */
  add(call: Call, { params, isWaiting }: NewOwnTask): OwnTask | undefined {
    if (this.#kept.size >= MOST) this.#dropOne();
    if (this.#kept.size >= MOST) return undefined;
    const ttlMs = ttlFor(params);
    const id = newTaskId();
    const onChange = (changed: OwnTask): void => this.#changed(changed);
    const owner = ownerOf(call.caller);
    const task = new OwnTask({ id, call, owner, ttlMs, isWaiting, onChange });
    const timer = setTimeout(() => {
      task.cancel();
      this.remove(id);
    }, ttlMs).unref();
    this.#kept.set(id, { task, timer });
    return task;
  }

  find(id: string, owner: string): OwnTask | undefined {
    const task = this.#kept.get(id)?.task;
    return task?.owner === owner ? task : undefined;
  }

  /** The tasks of a caller, oldest first. */
  of(owner: string): readonly OwnTask[] {
    return Array.from(this.#kept.values(), ({ task }) => task).filter(
      (task) => task.owner === owner,
    );
  }

  remove(id: string): void {
    clearTimeout(this.#kept.get(id)?.timer);
    this.#kept.delete(id);
  }

  #changed(task: OwnTask): void {
    if (task.reply) {
      let text = 0;
      for (const { task: each } of this.#kept.values()) text += each.reply?.json.length ?? 0;
      while (text > MOST_TEXT) {
        const dropped = this.#dropOne(task.id);
        if (dropped === undefined) break;
        text -= dropped;
      }
    }
    this.#onChange(task);
  }

  /**
   * Drops the oldest ended task. Returns the length of its result; `undefined` if no task has
   * ended.
   */
  #dropOne(except?: string): number | undefined {
    for (const [id, { task }] of this.#kept) {
      if (!task.reply || id === except) continue;
      this.remove(id);
      return task.reply.json.length;
    }
    return undefined;
  }
}

/** Milliseconds to keep a task: an hour, or what the client asks for, up to a day. */
function ttlFor(params: string): number {
  const asked = Number(memberText(memberText(params, 'task') ?? '{}', 'ttl') ?? 'NaN');
  return Math.min(Math.max(Number.isFinite(asked) ? asked : 0, HOUR_MS), DAY_MS);
}
