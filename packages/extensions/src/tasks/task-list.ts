/** One page of `tasks/list`: the tasks of a caller, of servers and our own. */

import type { Reply } from '@callsign/core';

import { stateText, type OwnTaskRecord } from './own-task-record.js';
import type { Task } from './task-table.js';

export interface TaskListOptions {
  /** Tasks of servers. */
  readonly tasks: readonly Task[];
  readonly own: readonly OwnTaskRecord[];
  /** The number of the first task. */
  readonly from: number;
  /** Asks the server of a task. `undefined`: the caller may not see it. */
  readonly stateOf: (task: Task) => Promise<Reply | undefined>;
}

const PAGE = 50;

/** A task whose server does not answer is left out. */
export async function taskList({ tasks, own, from, stateOf }: TaskListOptions): Promise<Reply> {
  const all = [...tasks, ...own];
  const states = await Promise.all(
    all
      .slice(from, from + PAGE)
      .map(async (task): Promise<Reply | undefined> =>
        'taskId' in task ? stateOf(task) : { ok: true, json: stateText(task, 'session') },
      ),
  );
  const shown = states.flatMap((reply) => (reply?.ok ? reply.json : []));
  const next = from + PAGE < all.length ? `,"nextCursor":"${from + PAGE}"` : '';
  return { ok: true, json: `{"tasks":[${shown.join(',')}]${next}}` };
}
