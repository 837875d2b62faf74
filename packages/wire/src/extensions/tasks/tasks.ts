/**
 * The methods of tasks across servers. Each request goes to the server of its task, with that
 * server's id. A call that waits for an operator becomes our own task, if its client supports
 * tasks.
 */

import {
  type Call,
  type Caller,
  CallsignError,
  type Era,
  hasOnce,
  memberText,
  type Question,
  type Reply,
  type Route,
  type Source,
  type SourceEvent,
  type Target,
  type Unsubscribe,
  withMembers,
} from '@callsign/core';
import { canonicalName, type ToolRef } from '@callsign/naming';

import { replyOf, errorJson, MISSING_CAPABILITY } from '../../rpc/message/rpc-error.js';
import {
  hasExtension,
  OWN_CAPABILITIES,
  TASKS_EXTENSION,
} from '../capabilities/extension-capabilities.js';
import type { ExtensionRequest } from '../request/extension-request.js';
import { OtherOwnTasks } from './other-own-tasks.js';
import { shownText, type OwnTaskRecord } from './own-task-record.js';
import type { OwnTaskStore } from './own-task-store.js';
import type { OwnTask } from './own-task.js';
import { OwnTasks } from './own-tasks.js';
import { type PreparedTask, relayTask, taskCall, toolRoute, toolRouteLater } from './task-call.js';
import { TaskEnds, type TaskEnd } from './task-ends.js';
import {
  type CreatedTask,
  hasEnded,
  relatedTask,
  taskIdIn,
  taskState,
  withTaskIds,
} from './task-id-text.js';
import { prepareTaskList } from './task-list.js';
import { TaskNews } from './task-news.js';
import { TaskStarts } from './task-starts.js';
import { ownerOf, TaskTable, type Task } from './task-table.js';

interface TasksOptions {
  readonly table?: TaskTable;
  /** Where our own tasks are kept. Default, or if it returns nothing: in memory only. */
  readonly store?: () => OwnTaskStore | undefined;
  /** Called once for each task of a server, when its end is known. */
  readonly onEnd?: (end: TaskEnd) => void;
  /** What a caller gets for the result of a server's task. Default: the result. */
  readonly passed?: (call: Call, reply: Reply) => Promise<Reply>;
  /** Whether calls of a tool may wait for an operator now. Default, or if it returns nothing: no call does. */
  readonly mayWait?: () => ((target: Target) => boolean) | undefined;
}

/** A caller reaches only its own tasks, and only while it may see the called tool. */
export class Tasks {
  readonly #table: TaskTable;
  readonly #mayWait: NonNullable<TasksOptions['mayWait']>;
  readonly #passed: TasksOptions['passed'];
  readonly #ends: TaskEnds;
  readonly #news = new TaskNews();
  readonly #own: OwnTasks;
  readonly #others: OtherOwnTasks;
  readonly #starts: TaskStarts;
  #source: Source | undefined;

  constructor({ table = new TaskTable(), store, passed, onEnd, mayWait }: TasksOptions = {}) {
    this.#table = table;
    this.#passed = passed;
    this.#own = new OwnTasks({ store, onChange: (task) => this.#ownChanged(task) });
    this.#others = new OtherOwnTasks({
      store: () => store?.(),
      onChange: (id, owner, params) => this.#news.tell({ id, owner, params }),
    });
    this.#mayWait = mayWait ?? (() => undefined);
    this.#ends = new TaskEnds({ table, onEnd: (end) => onEnd?.(end) });
    this.#starts = new TaskStarts({
      own: this.#own,
      mayWait: this.#mayWait,
      created: (call, task, id) => this.#created(call, task, id),
    });
  }

  static has(method: string, era: Era): boolean {
    return TASK_METHODS[era].has(method);
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
    this.listen(source);
    this.#ends.watch(source);
    this.#own.sweepLater();
  }

  /** Listens to the servers of one client too. Returns the function that ends it. */
  listen(source: Source): Unsubscribe {
    return source.subscribe((event) => event.type === 'task' && this.#heard(source, event));
  }

  /** Sends a caller notifications of its tasks that do not come directly from a server. */
  subscribe(
    caller: Pick<Caller, 'era' | 'principal' | 'connection'>,
    listener: (id: string, params: string) => void,
  ): Unsubscribe {
    return this.#news.subscribe(caller, listener);
  }

  /** Whether a task has not ended: one of a server, or with no server named also our own. */
  isRunning(server?: string): boolean {
    return this.#table.isRunning(server) || (server === undefined && this.#own.isRunning);
  }

  /** Sends a call that may become a task. If it has to wait, the reply is our task, at once. */
  send(call: Call, route: Route): Promise<Reply> {
    return this.#starts.send(call, route);
  }

  prepare(request: ExtensionRequest): PreparedTask {
    const { method, params, view, caller, context, starting } = request;
    if (method === 'tasks/list') return this.#prepareList(request);
    const lacking = lackingTasks(caller);
    if (lacking) return { reply: lacking };
    const id = params.startsWith('{') ? taskIdIn(params) : undefined;
    if (id === undefined || !hasOnce(params, 'taskId'))
      return refused('taskId must be a string, and must be given once');
    const own = this.#own.find(id, ownerOf(caller));
    const task = own ? undefined : this.#table.find(id, ownerOf(caller));
    const found = own?.ref ?? task;
    if (!found && this.#others.isPossible) return this.#prepareOther(id, request);
    const route = found && (toolRoute(view, found) ?? refusedRoute(view, own));
    if (found && !route && !starting.isSettled()) return this.#prepareLater(id, found, request);
    if (!route) return { reply: notFound(id, request, found) };
    const { target } = route;
    const common = { request, target, context };
    const call = task ? taskCall({ ...common, taskId: task.taskId }) : taskCall(common);
    const send = (sent: Call): Promise<Reply> =>
      own ? this.#answerOwn(own, sent, request) : this.#send(view, task!, sent);
    return { call, route: { ...(target ? { target } : {}), send } };
  }

  /** Whether a task is a caller's. Its server may still be starting. */
  has(id: string, caller: Caller): boolean {
    const owner = ownerOf(caller);
    return (this.#ownRef(id, owner) ?? this.#table.find(id, owner)) !== undefined;
  }

  /** A caller's task, if it may see the called tool. `server` is unset for our own tasks. */
  find(id: string, caller: Caller, view: Source): Partial<Task> | undefined {
    const owner = ownerOf(caller);
    const ref = this.#ownRef(id, owner);
    if (ref) return toolRoute(view, ref) ? { id } : undefined;
    const task = this.#table.find(id, owner);
    return task && toolRoute(view, task) ? task : undefined;
  }

  /**
   * Reports changes of tasks whose calls run in other processes. `undefined`: there are none. Call
   * it before `find`.
   */
  follow(ids: readonly string[], caller: Caller): Promise<Unsubscribe> | undefined {
    const owner = ownerOf(caller);
    const others = this.#others.isPossible
      ? ids.filter((id) => !this.#own.find(id, owner) && !this.#table.find(id, owner))
      : [];
    return others.length > 0 ? this.#others.follow(others, owner) : undefined;
  }

  /** The parameters of a server's notification with our id; `undefined` if the task is not this caller's. */
  paramsFor(server: string, params: string, caller: Caller): string | undefined {
    const taskId = taskIdIn(params);
    const task = taskId === undefined ? undefined : this.#table.ofServer(server, taskId);
    return task?.owner === ownerOf(caller) ? this.#ours(server, params) : undefined;
  }

  /** Adds a task of a server, and returns our id for it. */
  #created(call: Call, task: CreatedTask, ownId?: string): Task {
    const { server, tool } = (call.context.reached ?? call.target!).ref;
    const [owner, { era }] = [ownerOf(call.caller), call.caller];
    const id = this.#table.add({ ...task, server, tool, owner, era }, ownId);
    this.#ends.begun(id, call);
    const early = this.#news.take(server, task.taskId);
    // The client must know the task first.
    if (early.length > 0) setImmediate(() => this.#tellEarly(id, owner, server, early));
    return this.#table.ofServer(server, task.taskId)!;
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

  #ownChanged(own: OwnTask): void {
    const { id, owner } = own;
    if (!this.#own.find(id, owner)) return;
    const params = (era: Era): string => shownText(own.record, era);
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

  #ownRef(id: string, owner: string): ToolRef | undefined {
    return this.#own.find(id, owner)?.ref ?? this.#others.known(id, owner);
  }

  #again(request: ExtensionRequest): Reply | Promise<Reply> {
    const again = this.prepare(request);
    return 'reply' in again ? again.reply : again.route.send(again.call);
  }

  /** The server of the task may still be starting. */
  #prepareLater(id: string, task: ToolRef, request: ExtensionRequest): PreparedTask {
    const send = async (): Promise<Reply> =>
      (await toolRouteLater(request, task)) ? this.#again(request) : notFound(id, request, task);
    return { call: taskCall({ request, context: request.context }), route: { send } };
  }

  async #send(view: Source, task: Task, call: Call): Promise<Reply> {
    const reply = await relayTask(view, task.server, this.#asking(task, call));
    this.#ends.seen(view, task, call, reply);
    if (!reply.ok) return reply;
    const passed = await this.#withResult(call, reply);
    return { ...passed, json: this.#ours(task.server, passed.json) };
  }

  /** In the session era the answer to `tasks/result` is the result, else the ended task has it as a member. */
  async #withResult(call: Call, reply: Reply): Promise<Reply> {
    if (!this.#passed) return reply;
    if (call.method === 'tasks/result') return this.#passed(call, reply);
    const json = call.method === 'tasks/get' ? memberText(reply.json, 'result') : undefined;
    if (json === undefined) return reply;
    const passed = await this.#passed(call, { ok: true, json });
    return { ...reply, json: withMembers(reply.json, { result: passed.json }) };
  }

  /** Questions of a task name it by our id. */
  #asking(task: Task, call: Call): Call {
    const { context } = call;
    const ask = context.ask?.bind(context);
    if (ask) {
      context.ask = (question: Question) => {
        const { params } = question;
        return ask(
          relatedTask(params) ? { ...question, params: this.#ours(task.server, params) } : question,
        );
      };
    }
    return call;
  }

  #ours(server: string, json: string): string {
    return withTaskIds(json, (taskId) => this.#table.ofServer(server, taskId)?.id);
  }

  #prepareList(request: ExtensionRequest): PreparedTask {
    const owner = ownerOf(request.caller);
    const own = async (): Promise<readonly OwnTaskRecord[]> => {
      const here = this.#own.of(owner).map(({ record }) => record);
      const others = await this.#others.of(owner);
      const isKnown = new Set(here.map(({ id }) => id));
      return [...here, ...others.filter(({ id }) => !isKnown.has(id))];
    };
    const tasks = (): readonly Task[] => this.#table.of(owner);
    const send = (task: Task, call: Call): Promise<Reply> => this.#send(request.view, task, call);
    return prepareTaskList(request, { tasks, own, send });
  }

  /** A task that is not known here may be one of another process. */
  #prepareOther(id: string, request: ExtensionRequest): PreparedTask {
    const { caller, context } = request;
    const owner = ownerOf(caller);
    const find = async (): Promise<OwnTaskRecord | undefined> => {
      const record = await this.#others.find(id, owner);
      if (record?.continuedBy) this.#table.adopt(record.continuedBy);
      return record;
    };
    const asServers = async (): Promise<Reply> =>
      this.#table.find(id, owner) ? this.#again(request) : notFound(id, request);
    const send = async (sent: Call): Promise<Reply> => {
      const record = await find();
      if (!record || !(await toolRouteLater(request, record))) return notFound(id, request, record);
      if (record.continuedBy) return asServers();
      const reply = await this.#others.handle(record, sent);
      const isOver = sent.method !== 'tasks/result' || sent.context.isCancelled;
      return !isOver && (await find())?.continuedBy ? asServers() : reply;
    };
    return { call: taskCall({ request, context }), route: { send } };
  }
}

/** The caller of a tool that is refused, such as one outside of its set, is told why by the task. */
function refusedRoute(view: Source, own: OwnTask | undefined): Route | undefined {
  return own?.reply?.fault && view.denied?.('tool', canonicalName(own.ref));
}

/** `ref`: the tool of a known task. Its server may be down, and a client drops what is not found. */
function notFound(id: string, { view }: ExtensionRequest, ref?: ToolRef): Reply {
  const down = ref && view.explainUnavailable?.('tool', canonicalName(ref));
  return replyOf(down ?? new CallsignError('invalid-params', { reason: `Task not found: ${id}` }));
}

function refused(reason: string): PreparedTask {
  return { reply: replyOf(new CallsignError('invalid-params', { reason })) };
}

/** The methods of tasks in each era, and who may use them. */
const TASK_METHODS: Readonly<Record<Era, ReadonlySet<string>>> = {
  session: new Set(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']),
  stateless: new Set(['tasks/get', 'tasks/update', 'tasks/cancel']),
};

const LACKING: Reply = {
  ok: false,
  json: errorJson(MISSING_CAPABILITY, 'The client does not declare the extension for tasks.', {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  }),
};

/** The error for a stateless client that does not declare tasks. */
function lackingTasks({ era, capabilities }: Caller): Reply | undefined {
  const isLacking = era === 'stateless' && !hasExtension(capabilities, TASKS_EXTENSION);
  return isLacking ? LACKING : undefined;
}
