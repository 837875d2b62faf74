/**
 * The methods of tasks across servers. Each request goes to the server of its task, with that
 * server's id. A call that waits for an operator becomes our own task, if its client supports
 * tasks.
 */

import {
  CallsignError,
  memberText,
  taskSupportOf,
  withMembers,
  withoutMembers,
} from '@callsign/core';
import type { Call, Caller, Era, Question, Reply, Route } from '@callsign/core';
import type { Source, SourceEvent, Target, Unsubscribe } from '@callsign/core';
import { errorJson, MISSING_CAPABILITY, replyOf } from '@callsign/rpc';

import {
  hasExtension,
  OWN_CAPABILITIES,
  TASKS_EXTENSION,
} from '../capabilities/extension-capabilities.js';
import type { ExtensionRequest } from '../request/extension-request.js';
import { untilComplete } from '../request/input-required.js';
import type { OwnTask } from './own-task.js';
import { OwnTasks } from './own-tasks.js';
import { relayTask, taskCall, toolRoute } from './task-call.js';
import { TaskEnds, type TaskEnd } from './task-ends.js';
import {
  createdTask,
  hasEnded,
  relatedTask,
  taskIdIn,
  taskState,
  withTaskIds,
} from './task-id-text.js';
import { TaskNews } from './task-news.js';
import { ownerOf, TaskTable, type Task } from './task-table.js';

export interface TasksOptions {
  readonly table?: TaskTable;
  /** Called once for each task of a server, when its end is known. */
  readonly onEnd?: (end: TaskEnd) => void;
  /** Whether calls of a tool may wait for an operator now. Unset, or nothing: no call does. */
  readonly mayWait?: () => ((target: Target) => boolean) | undefined;
}

/** The call to send, or the error reply. */
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
/** The error for a stateless client that does not declare tasks. */
const LACKING: Reply = {
  ok: false,
  json: errorJson(MISSING_CAPABILITY, 'The client does not declare the extension for tasks.', {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  }),
};

export class Tasks {
  readonly #table: TaskTable;
  readonly #mayWait: NonNullable<TasksOptions['mayWait']>;
  readonly #ends: TaskEnds;
  readonly #news = new TaskNews();
  readonly #own = new OwnTasks((task) => this.#ownChanged(task));
  #source: Source | undefined;

  constructor({ table = new TaskTable(), onEnd, mayWait }: TasksOptions = {}) {
    this.#table = table;
    this.#mayWait = mayWait ?? (() => undefined);
    this.#ends = new TaskEnds({ table, onEnd: (end) => onEnd?.(end) });
  }

  static has(method: string, era: Era): boolean {
    return METHODS[era].has(method);
  }

  /** Whether a call may become a task: its client asks for one or declares tasks. Cheap. */
  static isFor({ method, params, caller }: Call): boolean {
    if (method !== 'tools/call') return false;
    return caller.era === 'session'
      ? params.includes('"task"') && memberText(params, 'task')?.startsWith('{') === true
      : caller.capabilities.includes(TASKS_EXTENSION) &&
          hasExtension(caller.capabilities, TASKS_EXTENSION);
  }

  /** The capabilities that the gateway adds to those of the servers, as JSON text. */
  get capabilities(): readonly string[] {
    return this.#mayWait() ? [OWN_CAPABILITIES] : [];
  }

  /** Listens for task notifications of servers. Call it once for a source. */
  watch(source: Source): void {
    if (this.#source === source) return;
    this.#source = source;
    source.subscribe((event) => event.type === 'task' && this.#heard(source, event));
    this.#ends.watch(source);
  }

  /** Sends a caller notifications of its tasks that do not come directly from a server. */
  subscribe(
    caller: Pick<Caller, 'era' | 'principal'>,
    listener: (id: string, params: string) => void,
  ): Unsubscribe {
    return this.#news.subscribe(caller, listener);
  }

  /** Sends a call that may become a task. If it has to wait, the reply is our task, at once. */
  send(call: Call, route: Route): Promise<Reply> {
    const { context, params, caller, target } = call;
    const isServers = target !== undefined && taskSupportOf(target.item.json) !== 'forbidden';
    // Only the gateway announced tasks for this tool: its server does not support them.
    const isOurs =
      caller.era === 'session' && target && !isServers && this.#mayWait()?.(target) === true;
    // A server of the other era answers such a call at once.
    const isDue = (reply: Reply): boolean =>
      isOurs || (caller.era === 'session' && isServers && !createdTask(params, reply.json));
    const sent = isOurs ? call.with({ params: withoutMembers(params, ['task']) }) : call;
    return new Promise((resolve) => {
      let own: OwnTask | undefined;
      const become = (isWaiting: boolean): void => {
        own = this.#own.add(sent, { params, isWaiting });
        if (!own) return;
        resolve(own.created(caller.era));
        const task = own;
        context.ask = (question) => task.ask(question);
      };
      context.onWaiting = (id) => {
        if (id === undefined) own?.goOn();
        else if (!own) become(true);
      };
      const onEnd = (reply: Reply): void => {
        if (!own && reply.ok && isDue(reply)) become(false);
        if (own) void this.#goOn(own, route, reply);
        else resolve(this.#created(sent, reply));
      };
      route.send(sent).then(onEnd, (error: unknown) => onEnd(replyOf(error)));
    });
  }

  prepare(request: ExtensionRequest): PreparedTask {
    const { method, params, view, caller, context } = request;
    if (method === 'tasks/list') return this.#prepareList(request);
    if (caller.era === 'stateless' && !hasExtension(caller.capabilities, TASKS_EXTENSION))
      return { reply: LACKING };
    const id = params.startsWith('{') ? taskIdIn(params) : undefined;
    if (id === undefined) return refused('taskId must be a string');
    const own = this.#own.find(id, ownerOf(caller));
    const task = own ? undefined : this.#table.find(id, ownerOf(caller));
    const found = own ? refOf(own.call) : task;
    const route = found && toolRoute(view, found);
    if (!route) return refused(`Task not found: ${id}`);
    const { target } = route;
    const common = { request, target, context };
    const call = task ? taskCall({ ...common, taskId: task.taskId }) : taskCall(common);
    const send = (sent: Call): Promise<Reply> =>
      own ? this.#answerOwn(own, sent, request) : this.#send(view, task!, sent);
    return { call, route: { ...(target ? { target } : {}), send } };
  }

  /** A caller's task, if it may see the called tool. `server` is unset for our own tasks. */
  find(id: string, caller: Caller, view: Source): Partial<Task> | undefined {
    const own = this.#own.find(id, ownerOf(caller));
    if (own) return toolRoute(view, refOf(own.call)) ? { id } : undefined;
    const task = this.#table.find(id, ownerOf(caller));
    return task && toolRoute(view, task) ? task : undefined;
  }

  /** A server's notification with our id; `undefined` if the task is not this caller's. */
  told(server: string, params: string, caller: Caller): string | undefined {
    const taskId = taskIdIn(params);
    const task = taskId === undefined ? undefined : this.#table.ofServer(server, taskId);
    return task?.owner === ownerOf(caller) ? this.#ours(server, params) : undefined;
  }

  /** The reply to a call, with our id if the server created a task for it. */
  #created(call: Call, reply: Reply, ownId?: string): Reply {
    const target = call.context.reached ?? call.target;
    const task = reply.ok && target ? createdTask(call.params, reply.json) : undefined;
    if (!task || !target) return reply;
    const { server, tool } = target.ref;
    const [owner, { era }] = [ownerOf(call.caller), call.caller];
    const id = this.#table.add({ ...task, server, tool, owner, era }, ownId);
    this.#ends.begun(id, call);
    const early = this.#news.take(server, task.taskId);
    // The client must know the task first.
    if (early.length > 0) setImmediate(() => this.#tellEarly(id, owner, server, early));
    return { ...reply, json: withTaskIds(reply.json, () => id) };
  }

  #tellEarly(id: string, owner: string, server: string, early: readonly string[]): void {
    for (const params of early) {
      this.#news.tell({ id, owner, params: () => this.#ours(server, params) });
      this.#heard(this.#source!, { type: 'task', server, params });
    }
  }

  /** A server's notification about a task. It may come before the reply that creates the task. */
  #heard(source: Source, { server = '', params }: Extract<SourceEvent, { type: 'task' }>): void {
    const taskId = taskIdIn(params);
    const task = taskId === undefined ? undefined : this.#table.ofServer(server, taskId);
    const state = taskState(params);
    if (taskId !== undefined && (!task || task.hasEnded)) this.#news.keep(server, taskId, params);
    else if (task && state && hasEnded(state)) void this.#ends.settle(source, task, state);
  }

  /** The server may ask questions, or create a task: then our task continues as its task. */
  async #goOn(own: OwnTask, route: Route, first: Reply): Promise<void> {
    const reply = await untilComplete(own.call, async (answers) => {
      if (!('inputResponses' in answers)) return first;
      return route.send(own.call.with({ params: withMembers(own.call.params, answers) }));
    }).catch(replyOf);
    if (own.reply) return;
    const isTask = reply.ok && createdTask(own.call.params, reply.json) !== undefined;
    if (!isTask) return own.end(reply);
    this.#own.remove(own.id);
    this.#created(own.call, reply, own.id);
    own.end(reply);
  }

  #ownChanged(own: OwnTask): void {
    const { id, owner } = own;
    if (!this.#own.find(id, owner)) return;
    const params = (era: Era): string => (era === 'session' ? own.state(era) : own.detailed());
    // A client must know the task first.
    setImmediate(() => this.#news.tell({ id, owner, params }));
  }

  async #answerOwn(own: OwnTask, call: Call, request: ExtensionRequest): Promise<Reply> {
    const reply = await own.handle(call);
    if (call.method !== 'tasks/result' || this.#own.find(own.id, own.owner)) return reply;
    // It continues as the server's task.
    const again = this.prepare(request);
    return 'reply' in again ? reply : again.route.send(again.call);
  }

  async #send(view: Source, task: Task, call: Call): Promise<Reply> {
    const reply = await relayTask(view, task.server, this.#asking(task, call));
    this.#ends.seen(view, task, call, reply);
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

  #prepareList(request: ExtensionRequest): PreparedTask {
    const { params, view, caller, context } = request;
    const cursor = memberText(params.startsWith('{') ? params : '{}', 'cursor');
    const from = cursor === undefined ? 0 : Number(/^"(\d+)"$/.exec(cursor)?.[1] ?? NaN);
    if (Number.isNaN(from)) return { reply: replyOf(new CallsignError('unknown-cursor')) };
    const owner = ownerOf(caller);
    const send = async (sent: Call): Promise<Reply> => {
      const own = this.#own.of(owner).filter(({ call }) => toolRoute(view, refOf(call)));
      const all = [...this.#table.of(owner), ...own];
      const states = await Promise.all(
        all.slice(from, from + PAGE).map(async (task): Promise<Reply | undefined> => {
          if (!('taskId' in task)) return { ok: true, json: task.state('session') };
          const get = { method: 'tasks/get', params: JSON.stringify({ taskId: task.id }), caller };
          const { target } = toolRoute(view, task) ?? {};
          if (!target) return undefined;
          const { taskId } = task;
          const call = taskCall({ request: get, target, context: sent.context, taskId });
          return this.#send(view, task, call);
        }),
      );
      const tasks = states.flatMap((reply) => (reply?.ok ? reply.json : []));
      const next = from + PAGE < all.length ? `,"nextCursor":"${from + PAGE}"` : '';
      return { ok: true, json: `{"tasks":[${tasks.join(',')}]${next}}` };
    };
    return { call: taskCall({ request, context }), route: { send } };
  }
}

function refOf({ context, target }: Call): Target['ref'] {
  return (context.reached ?? target!).ref;
}

function refused(reason: string): PreparedTask {
  return { reply: replyOf(new CallsignError('invalid-params', { reason })) };
}
