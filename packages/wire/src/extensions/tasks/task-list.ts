/** `tasks/list`: the tasks of a caller, of servers and our own, in pages. */

import { CallsignError, memberText, type Call, type Reply } from '@callsign/core';

import { replyOf } from '../../rpc/message/rpc-error.js';
import type { ExtensionRequest } from '../request/extension-request.js';
import { stateText, type OwnTaskRecord } from './own-task-record.js';
import { taskCall, toolRoute, toolRouteLater, type PreparedTask } from './task-call.js';
import type { Task } from './task-table.js';

export interface TaskListOptions {
  /** Tasks of servers. */
  readonly tasks: () => readonly Task[];
  readonly own: () => Promise<readonly OwnTaskRecord[]>;
  /** Sends a call to the server of a task. */
  readonly send: (task: Task, call: Call) => Promise<Reply>;
}

const PAGE = 50;

/** A task whose server does not answer is left out, and so is one that the caller may not see. */
export function prepareTaskList(request: ExtensionRequest, options: TaskListOptions): PreparedTask {
  const { params, view, caller, context } = request;
  const cursor = memberText(params.startsWith('{') ? params : '{}', 'cursor');
  const from = cursor === undefined ? 0 : Number(/^"(\d+)"$/.exec(cursor)?.[1] ?? NaN);
  if (Number.isNaN(from)) return { reply: replyOf(new CallsignError('unknown-cursor')) };
  const stateOf = async (task: Task, sent: Call): Promise<Reply | undefined> => {
    const get = { method: 'tasks/get', params: JSON.stringify({ taskId: task.id }), caller };
    const { target } = toolRoute(view, task) ?? {};
    if (!target) return undefined;
    const { taskId } = task;
    return options.send(task, taskCall({ request: get, target, context: sent.context, taskId }));
  };
  const send = async (sent: Call): Promise<Reply> => {
    const records = (await options.own()).filter(({ continuedBy }) => !continuedBy);
    const tasks = options.tasks();
    await Promise.all([...tasks, ...records].map((task) => toolRouteLater(request, task)));
    const all = [...tasks, ...records.filter((record) => toolRoute(view, record))];
    const states = all
      .slice(from, from + PAGE)
      .map(async (task): Promise<Reply | undefined> =>
        'taskId' in task ? stateOf(task, sent) : { ok: true, json: stateText(task, 'session') },
      );
    const shown = (await Promise.all(states)).flatMap((reply) => (reply?.ok ? reply.json : []));
    const next = from + PAGE < all.length ? `,"nextCursor":"${from + PAGE}"` : '';
    return { ok: true, json: `{"tasks":[${shown.join(',')}]${next}}` };
  };
  return { call: taskCall({ request, context }), route: { send } };
}
