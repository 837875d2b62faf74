/**
 * Sends notifications about our own tasks, and keeps those of servers that come before the task is
 * known.
 */

import type { Caller, Era, Unsubscribe } from '@callsign/core';

import { ownerOf } from './task-table.js';

/** A notification about a task. */
export interface TaskNote {
  /** The id that clients know. */
  readonly id: string;
  readonly owner: string;
  /** The parameters of the notification, as JSON text. */
  readonly params: (era: Era) => string;
}

type Listener = (id: string, params: string) => void;

type NewsReader = Pick<Caller, 'era' | 'principal' | 'connection'>;

/** Notifications of a task that is not known yet. */
interface Early {
  readonly until: number;
  readonly params: string[];
}

/**
 * How long notifications of an unknown task are kept: the reply that creates the task may still
 * come.
 */
const PATIENCE_MS = 5_000;
const MOST_TASKS = 200;
const MOST_EACH = 8;
const LONGEST = 64 * 1024;

export class TaskNews {
  readonly #listeners = new Map<Listener, NewsReader>();
  /** By server and the server's id, oldest first. Bounded, since a server may invent ids. */
  readonly #early = new Map<string, Early>();

  /** Tells a caller about its own tasks. */
  subscribe(caller: NewsReader, listener: Listener): Unsubscribe {
    this.#listeners.set(listener, caller);
    return () => this.#listeners.delete(listener);
  }

  tell({ id, owner, params }: TaskNote): void {
    for (const [listener, caller] of this.#listeners) {
      if (ownerOf(caller) === owner) listener(id, params(caller.era));
    }
  }

  /** Keeps a notification until the reply that creates its task arrives. */
  keep(server: string, taskId: string, params: string): void {
    if (params.length > LONGEST) return;
    const key = JSON.stringify([server, taskId]);
    const early = this.#early.get(key);
    if (early && early.until > Date.now()) {
      if (early.params.length < MOST_EACH) early.params.push(params);
      return;
    }
    this.#early.delete(key);
    this.#early.set(key, { until: Date.now() + PATIENCE_MS, params: [params] });
    const [oldest] = this.#early.keys();
    if (this.#early.size > MOST_TASKS) this.#early.delete(oldest!);
  }

  /** Removes and returns the notifications that came before the task was created. */
  take(server: string, taskId: string): readonly string[] {
    const key = JSON.stringify([server, taskId]);
    const early = this.#early.get(key);
    this.#early.delete(key);
    return early && early.until > Date.now() ? early.params : [];
  }
}
