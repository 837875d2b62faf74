/**
 * Calls that may become tasks. A call that waits for an operator becomes our own task; so does one
 * whose server has no tasks in the client's era.
 */

import {
  type Call,
  CallsignError,
  type Reply,
  type Route,
  type Target,
  taskSupportOf,
  withMembers,
  withoutMembers,
} from '@callsign/core';

import { failedReply } from '../../rpc/message/rpc-error.js';
import { untilComplete } from '../request/input-required.js';
import { createdText } from './own-task-record.js';
import type { OwnTask } from './own-task.js';
import type { OwnTasks } from './own-tasks.js';
import { createdTask, withTaskIds, type CreatedTask } from './task-id-text.js';
import type { Task } from './task-table.js';

export interface TaskStartsOptions {
  readonly own: OwnTasks;
  /** Whether calls of a tool may wait for an operator now. */
  readonly mayWait: () => ((target: Target) => boolean) | undefined;
  /** Adds a task that a server created. `id`: ours, if it has one already. */
  readonly created: (call: Call, task: CreatedTask, id?: string) => Task;
}

export class TaskStarts {
  readonly #options: TaskStartsOptions;

  constructor(options: TaskStartsOptions) {
    this.#options = options;
  }

  send(call: Call, route: Route): Promise<Reply> {
    const { context, params, caller, target } = call;
    const { own: ownTasks, mayWait } = this.#options;
    const isServers = target !== undefined && taskSupportOf(target.item.json) !== 'forbidden';
    // Only the gateway announced tasks for this tool: its server does not support them.
    const isOurs = caller.era === 'session' && target && !isServers && mayWait()?.(target) === true;
    // A server of the other era answers such a call at once.
    const isDue = (reply: Reply): boolean =>
      isOurs || (caller.era === 'session' && isServers && !createdTask(params, reply.json));
    const sent = isOurs ? call.with({ params: withoutMembers(params, ['task']) }) : call;
    return new Promise((resolve) => {
      let own: OwnTask | undefined;
      const become = (isWaiting: boolean): void => {
        const task = (own = ownTasks.add(sent, { params, isWaiting }));
        if (!task) return;
        const json = createdText(task.record, caller.era);
        context.ask = (question) => task.ask(question);
        // The client may ask another process about it at once.
        void ownTasks.saved(task).then(() => resolve({ ok: true, json }));
      };
      context.mayBeTask = true;
      context.onWaiting = (id) => {
        if (id === undefined) return own && this.#approved(own);
        if (!own) become(true);
      };
      context.onLasting = (message) => {
        if (!own) become(false);
        own?.say(message);
      };
      const onEnd = (reply: Reply): void => {
        if (!own && reply.ok && isDue(reply)) become(false);
        if (own) void this.#goOn(own, route, reply);
        else resolve(this.#replied(sent, reply));
      };
      route.send(sent).then(onEnd, (error: unknown) => onEnd(failedReply(sent, error)));
    });
  }

  /** The reply to a call, with our id if the server created a task for it. */
  #replied(call: Call, reply: Reply): Reply {
    const isCalled = reply.ok && (call.context.reached ?? call.target) !== undefined;
    const task = isCalled ? createdTask(call.params, reply.json) : undefined;
    if (!task) return reply;
    const { id } = this.#options.created(call, task);
    return { ...reply, json: withTaskIds(reply.json, () => id) };
  }

  /** The server may ask questions, or create a task: then our task continues as its task. */
  async #goOn(own: OwnTask, route: Route, first: Reply): Promise<void> {
    const reply = await untilComplete(own.call, async (answers) => {
      if (!('inputResponses' in answers)) return first;
      return route.send(own.call.with({ params: withMembers(own.call.params, answers) }));
    }).catch((error: unknown) => failedReply(own.call, error));
    if (own.reply) return;
    const task = reply.ok ? createdTask(own.call.params, reply.json) : undefined;
    const { own: ownTasks, created } = this.#options;
    if (task) ownTasks.handOver(own, created(own.call, task, own.id));
    own.end(reply);
  }

  /** The call may be sent only if other processes can know that. */
  async #approved(own: OwnTask): Promise<void> {
    own.goOn();
    try {
      await this.#options.own.saved(own);
    } catch {
      const tool = own.call.target?.canonical ?? '';
      const reason = 'its task cannot be changed any more';
      throw new CallsignError('not-recorded', { tool, reason });
    }
  }
}
