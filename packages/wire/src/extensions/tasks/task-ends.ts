/** Reports how each task of a server ended, exactly once, even if its caller never asks. */

import {
  type Call,
  CallContext,
  type Caller,
  CallsignError,
  type Reply,
  type Source,
  type Target,
} from '@callsign/core';

import { replyOf } from '../../rpc/message/rpc-error.js';
import { ownTaskParams, relayTask, taskCall, toolRoute } from './task-call.js';
import { hasEnded, taskState, type TaskState } from './task-id-text.js';
import { isPrincipal, type Task, type TaskTable } from './task-table.js';

/** An ended task, in the form of an ended call. */
export interface TaskEnd {
  readonly call: Call;
  readonly reply: Reply;
  readonly ms: number;
}

export interface TaskEndsOptions {
  readonly table: TaskTable;
  readonly onEnd: (end: TaskEnd) => void;
}

/** What a record needs to know about the call that became a task. */
interface Begun {
  readonly caller: Caller;
  readonly target: Target;
}

/** How long a server may take to say how a task ended. */
const ASK_MS = 10_000;
const MOST_ASKING = 8;
const SWEEP_MS = 60_000;
const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** The table decides whether an end is the first one, so no task is reported twice. */
export class TaskEnds {
  readonly #options: TaskEndsOptions;
  readonly #begun = new Map<string, Begun>();
  readonly #asking = new Set<string>();
  #source: Source | undefined;
  #isArmed = false;

  constructor(options: TaskEndsOptions) {
    this.#options = options;
  }

  /** Call it when a call has become a task. */
  begun(id: string, { caller, context, target }: Call): void {
    const { id: callerId, era, client, principal, connection } = caller;
    // A copy: the session may end long before its tasks and must not stay in memory.
    const copy: Caller = {
      id: callerId,
      era,
      client,
      principal,
      connection,
      capabilities: '{}',
      can: () => false,
    };
    this.#begun.set(id, { caller: copy, target: context.reached ?? target! });
    this.#arm();
  }

  /**
   * The caller got an answer about its task. In the session era the answer to `tasks/result` is the
   * result itself.
   */
  seen(source: Source, task: Task, call: Call, reply: Reply): void {
    if (call.context.isCancelled) return;
    if (call.method === 'tasks/result') return this.#end(task, call, reply);
    const state = reply.ok ? taskState(reply.json) : undefined;
    if (!state || !hasEnded(state)) return;
    const isKnown = state.status === 'cancelled' || (state.result ?? state.error) !== undefined;
    if (isKnown) this.#end(task, call, endOf(state));
    else void this.settle(source, task, state);
  }

  /** Asks the server for the result of an ended task, since its caller might never ask. */
  async settle(source: Source, task: Task, state: TaskState): Promise<void> {
    if (this.#asking.has(task.id) || this.#options.table.isOver(task)) return;
    const begun = this.#factsOf(source, task);
    if (!begun) return;
    const { caller, target } = begun;
    const method = caller.era === 'session' ? 'tasks/result' : 'tasks/get';
    const params = ownTaskParams(task.taskId, caller);
    const context = new CallContext();
    const request = { method, params, caller };
    const call = taskCall({ request, target, context, taskId: task.taskId });
    const isAsked = state.status !== 'cancelled' && this.#asking.size < MOST_ASKING;
    const reply = isAsked ? await this.#ask(source, task, call) : undefined;
    this.#end(task, call, reply ?? endOf(state));
  }

  /** Ends tasks whose time is over and whose end is not known. */
  sweep(source: Source): void {
    for (const task of this.#options.table.lapsed()) {
      const begun = this.#factsOf(source, task);
      if (!begun) {
        // The tool is gone, so there is no target for a record.
        this.#options.table.end(task);
        continue;
      }
      const { caller, target } = begun;
      const request = { method: 'tasks/get', params: '{}', caller };
      const call = taskCall({ request, target, taskId: task.taskId });
      const { server } = task;
      this.#end(task, call, replyOf(new CallsignError('task-end-unknown', { server })));
    }
  }

  /** Sweeps every minute while there are open tasks. */
  watch(source: Source): void {
    this.#source = source;
    this.#arm();
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setTimeout(() => {
      this.#isArmed = false;
      if (this.#source) this.sweep(this.#source);
      if (this.#options.table.hasOpen) this.#arm();
    }, SWEEP_MS).unref();
  }

  async #ask(source: Source, task: Task, call: Call): Promise<Reply | undefined> {
    this.#asking.add(task.id);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ASK_MS).unref();
    });
    try {
      const reply = await Promise.race([relayTask(source, task.server, call), late]);
      if (!reply || call.method === 'tasks/result') return reply;
      const state = reply.ok ? taskState(reply.json) : undefined;
      return state && hasEnded(state) ? endOf(state) : undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      this.#asking.delete(task.id);
    }
  }

  #end(task: Task, call: Call, reply: Reply): void {
    this.#begun.delete(task.id);
    if (!this.#options.table.end(task)) return;
    this.#options.onEnd({ call, reply, ms: Date.now() - task.createdAt });
  }

  /** After a restart the call is gone: then the task table and the list of tools must be enough. */
  #factsOf(source: Source, task: Task): Begun | undefined {
    const known = this.#begun.get(task.id);
    const target = known ? undefined : toolRoute(source, task)?.target;
    if (known || !target) return known;
    const { owner, era = 'session' } = task;
    const caller: Caller = {
      id: '',
      era,
      client: { name: 'unknown', version: '0' },
      ...(isPrincipal(owner) ? { principal: { name: owner, roles: [] } } : {}),
      capabilities: '{}',
      can: () => false,
    };
    return { caller, target };
  }
}

function endOf({ status, result, error }: TaskState): Reply {
  if (status === 'cancelled') return CANCELLED;
  if (status === 'failed')
    return { ok: false, json: error ?? '{"code":-32603,"message":"failed"}' };
  return { ok: true, json: result ?? '{}' };
}
