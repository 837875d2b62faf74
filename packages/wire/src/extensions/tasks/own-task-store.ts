/**
 * Where the gateway's own tasks are kept, so that they outlive its process and other processes can
 * answer for them.
 */

import type { Unsubscribe } from '@callsign/core';

import type { OwnTaskRecord } from './own-task-record.js';

/** A request of a caller that reached another process than that of the task. */
export type TaskOrder =
  | { readonly type: 'cancel' }
  /** `responses`: answers to questions by key, as JSON text. */
  | { readonly type: 'answer'; readonly responses: string };

/** An order and the task that it is about. */
export interface GivenOrder {
  readonly id: string;
  readonly order: TaskOrder;
}

/** `undefined`: the text is damaged. */
export function readOrder(text: string): TaskOrder | undefined {
  try {
    return JSON.parse(text) as TaskOrder;
  } catch {
    return undefined;
  }
}

/** Implemented in files and in Postgres. Methods reject if the store cannot be used. */
export interface OwnTaskStore {
  /** Saves a task of this process. Rejects if another process has reported its end. */
  save(record: OwnTaskRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * A task that has not expired. If its process has ended, the record says so, and the process can
   * no longer save it.
   */
  find(id: string): Promise<OwnTaskRecord | undefined>;
  /** The tasks of a caller, oldest first. */
  of(owner: string): Promise<readonly OwnTaskRecord[]>;
  /** Leaves an order for the process of a task. */
  give(id: string, order: TaskOrder): Promise<void>;
  /** Takes the orders for tasks of this process. Each is returned once. */
  take(ids: readonly string[]): Promise<readonly GivenOrder[]>;
  /** Deletes tasks whose time is over. */
  sweep(): Promise<void>;
  /** Calls back soon after tasks or orders changed. If it is missing, or news is lost: look again. */
  watch?(run: () => void): Unsubscribe;
}
