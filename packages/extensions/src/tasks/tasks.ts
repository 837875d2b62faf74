/** The methods of tasks across servers: each goes to the server of its task, with that server's id. */

import { Call, CallsignError, memberText, membersOf, withMembers } from '@callsign/core';
import type { CallContext, Caller, Era, Question, Reply, Route, Source } from '@callsign/core';
import { canonicalName } from '@callsign/naming';
import { errorJson, MISSING_CAPABILITY, replyOf } from '@callsign/rpc';

import { hasExtension, TASKS_EXTENSION } from '../capabilities/extension-capabilities.js';

import {
  createdTask,
  hasEnded,
  relatedTask,
  taskIdIn,
  taskState,
  withTaskIds,
} from './task-id-text.js';
import type { ExtensionRequest } from '../request/extension-request.js';
import { ownerOf, TaskTable, type Task } from './task-table.js';

/** A task that has ended, as a call that has. */
export interface TaskEnd {
  readonly call: Call;
  readonly reply: Reply;
  readonly ms: number;
}

export interface TasksOptions {
  readonly table?: TaskTable;
  /** Called once for each task, when a caller first learns of its end. */
  readonly onEnd?: (end: TaskEnd) => void;
}

/** A call to send, or the error reply. */
export type PreparedTask =
  | { readonly call: Call; readonly route: Route }
  | { readonly reply: Reply };

/** The methods of each era. */
const METHODS: Readonly<Record<Era, ReadonlySet<string>>> = {
  session: new Set(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']),
  stateless: new Set(['tasks/get', 'tasks/update', 'tasks/cancel']),
};
/** Tasks in one page of `tasks/list`. */
const PAGE = 50;
/** A client must say that it knows tasks. */
const LACKING: Reply = {
  ok: false,
  json: errorJson(MISSING_CAPABILITY, 'The client does not declare the extension for tasks.', {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  }),
};
const CANCELLED = replyOf(new CallsignError('call-cancelled'));

export class Tasks {
  readonly #table: TaskTable;
  readonly #onEnd: TasksOptions['onEnd'];

  constructor({ table = new TaskTable(), onEnd }: TasksOptions = {}) {
    this.#table = table;
    this.#onEnd = onEnd;
  }

  static has(method: string, era: Era): boolean {
    return METHODS[era].has(method);
  }

  /** The reply to a call, with our id if the call has become a task. */
  created(call: Call, reply: Reply): Reply {
    const { target, method, caller, params } = call;
    if (!reply.ok || method !== 'tools/call' || !target) return reply;
    const task = createdTask(params, reply.json);
    if (!task) return reply;
    const { server, tool } = target.ref;
    const id = this.#table.add({ ...task, server, tool, owner: ownerOf(caller) });
    return { ...reply, json: withTaskIds(reply.json, () => id) };
  }

  prepare(request: ExtensionRequest): PreparedTask {
    const { method, params, view, caller, context } = request;
    if (method === 'tasks/list') return this.#prepareList(request);
    if (caller.era === 'stateless' && !hasExtension(caller.capabilities, TASKS_EXTENSION))
      return { reply: LACKING };
    const id = params.startsWith('{') ? taskIdIn(params) : undefined;
    if (id === undefined) return refused('taskId must be a string');
    const task = this.#table.find(id, ownerOf(caller));
    const route = task && toolRoute(view, task);
    if (!task || !route) return refused(`Task not found: ${id}`);
    const call = callOf(request, task, route, context);
    return {
      call,
      route: {
        ...(route.target ? { target: route.target } : {}),
        send: (sent) => this.#send(view, task, sent),
      },
    };
  }

  /** The task of a caller, if it may see the tool that was called. */
  find(id: string, caller: Caller, view: Source): Task | undefined {
    const task = this.#table.find(id, ownerOf(caller));
    return task && toolRoute(view, task) ? task : undefined;
  }

  /** A server's notification about a task, with our id; `undefined` if the task is not this caller's. */
  told(server: string, params: string, caller: Caller): string | undefined {
    const taskId = taskIdIn(params);
    const task = taskId === undefined ? undefined : this.#table.ofServer(server, taskId);
    return task?.owner === ownerOf(caller) ? this.#ours(server, params) : undefined;
  }

  async #send(view: Source, task: Task, call: Call): Promise<Reply> {
    const asked = this.#asking(task, call);
    const reply = await relay(view, task.server, asked);
    this.#noteEnd(task, call, reply);
    return reply.ok ? { ...reply, json: this.#ours(task.server, reply.json) } : reply;
  }

  /** Questions of a task name it by our id. */
  #asking(task: Task, call: Call): Call {
    const { context } = call;
    const ask = context.ask?.bind(context);
    if (ask) {
      context.ask = ({ method, params }: Question) =>
        ask({ method, params: relatedTask(params) ? this.#ours(task.server, params) : params });
    }
    return call;
  }

  #ours(server: string, json: string): string {
    return withTaskIds(json, (taskId) => this.#table.ofServer(server, taskId)?.id);
  }

  /** In the session era `tasks/result` answers with the result itself. */
  #noteEnd(task: Task, call: Call, reply: Reply): void {
    const state = reply.ok && call.method !== 'tasks/result' ? taskState(reply.json) : undefined;
    const isOver = call.method === 'tasks/result' || (state && hasEnded(state));
    if (!isOver || call.context.isCancelled || !this.#table.end(task)) return;
    const end = state ? endOf(state.status, state.result, state.error) : reply;
    this.#onEnd?.({ call, reply: end, ms: Date.now() - task.createdAt });
  }

  #prepareList({ method, params, view, caller, context }: ExtensionRequest): PreparedTask {
    const cursor = memberText(params.startsWith('{') ? params : '{}', 'cursor');
    const from = cursor === undefined ? 0 : Number(/^"(\d+)"$/.exec(cursor)?.[1] ?? NaN);
    if (Number.isNaN(from)) return { reply: replyOf(new CallsignError('unknown-cursor')) };
    const call = new Call({
      ...NO_SPANS,
      method,
      params,
      name: '',
      caller,
      ...(context && { context }),
    });
    const send = async (sent: Call): Promise<Reply> => {
      const own = this.#table.of(ownerOf(caller));
      const page = own.slice(from, from + PAGE).flatMap((task) => {
        const route = toolRoute(view, task);
        return route ? { task, route } : [];
      });
      const states = await Promise.all(
        page.map(({ task, route }) => {
          const get = {
            method: 'tasks/get',
            params: JSON.stringify({ taskId: task.id }),
            view,
            caller,
          };
          return this.#send(view, task, callOf(get, task, route, sent.context));
        }),
      );
      const tasks = states.flatMap(({ ok, json }) => (ok ? json : []));
      const next = from + PAGE < own.length ? `,"nextCursor":"${from + PAGE}"` : '';
      return { ok: true, json: `{"tasks":[${tasks.join(',')}]${next}}` };
    };
    return { call, route: { send } };
  }
}

const NO_SPANS = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };

/** The request for the server: its own id in place of ours. */
function callOf(
  { method, params, caller }: Omit<ExtensionRequest, 'view'>,
  { taskId }: Task,
  { target }: Route,
  context: CallContext | undefined,
): Call {
  const own = withMembers(params, { taskId: JSON.stringify(taskId) });
  const token = tokenIn(own);
  return new Call({
    ...NO_SPANS,
    ...token,
    method,
    params: own,
    name: taskId,
    caller,
    target,
    ...(context ? { context } : {}),
  });
}

function tokenIn(params: string): { readonly tokenStart: number; readonly tokenEnd: number } {
  const meta = membersOf(params)?.get('_meta');
  const token = meta && membersOf(params.slice(meta.start, meta.end))?.get('progressToken');
  if (!meta || !token) return { tokenStart: -1, tokenEnd: -1 };
  return { tokenStart: meta.start + token.start, tokenEnd: meta.start + token.end };
}

/** The tool that was called, if the caller may still see it. */
function toolRoute(view: Source, { server, tool }: Task): Route | undefined {
  return view.route('tool', server === '' ? tool : canonicalName({ server, tool }));
}

function relay(view: Source, server: string, call: Call): Promise<Reply> {
  return (
    view.relay?.(server, call) ??
    Promise.resolve(replyOf(new CallsignError('method-not-found', { method: call.method })))
  );
}

function endOf(status: string, result: string | undefined, error: string | undefined): Reply {
  if (status === 'cancelled') return CANCELLED;
  if (status === 'failed')
    return { ok: false, json: error ?? '{"code":-32603,"message":"failed"}' };
  return { ok: true, json: result ?? '{}' };
}

function refused(reason: string): PreparedTask {
  return { reply: replyOf(new CallsignError('invalid-params', { reason })) };
}
