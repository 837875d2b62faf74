/**
 * Finds and replaces task ids in results, notifications and questions of both eras. All other text
 * stays the same.
 */

import { elementsOf, memberText, withMembers, withMeta, withoutMembers } from '@callsign/core';
import type { Question, Reply } from '@callsign/core';

/** The key in `_meta` that names the task of a message. */
const RELATED = 'io.modelcontextprotocol/related-task';

/** The id for the other side. `undefined`: the task is not known there. */
export type RenameTask = (taskId: string) => string | undefined;

/** A task that a server created for a call, as the server describes it. */
export interface CreatedTask {
  readonly taskId: string;
  /** How long the server keeps it. `null`: without limit. */
  readonly ttlMs: number | null;
}

/**
 * The task in the result of a call; `undefined` if the call has not become one. In the session era
 * the caller asks for a task with the parameter `task`. In the stateless era the server decides and
 * says so in `resultType`.
 */
export function createdTask(params: string, result: string): CreatedTask | undefined {
  // A search is much cheaper than a scan.
  if (!result.includes('askId"')) return undefined;
  if (memberText(result, 'resultType') === '"task"') return taskIn(result, 'ttlMs');
  const task = memberText(result, 'task');
  const isAsked = task?.startsWith('{') && memberText(params, 'task')?.startsWith('{');
  return isAsked ? taskIn(task!, 'ttl') : undefined;
}

function taskIn(task: string, ttl: string): CreatedTask | undefined {
  const taskId = textIn(memberText(task, 'taskId'));
  const ms = Number(memberText(task, ttl) ?? 'NaN');
  return taskId === undefined ? undefined : { taskId, ttlMs: Number.isFinite(ms) ? ms : null };
}

/** The state of a task, with its result or error once it has ended. */
export interface TaskState {
  readonly status: string;
  readonly result: string | undefined;
  readonly error: string | undefined;
}

/** `undefined`: this is not the state of a task. */
export function taskState(json: string): TaskState | undefined {
  const status = textIn(memberText(json, 'status'));
  if (status === undefined) return undefined;
  return { status, result: memberText(json, 'result'), error: memberText(json, 'error') };
}

/** True for the three states that a task never leaves. */
export function hasEnded({ status }: Pick<TaskState, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The task of a notification or of parameters. */
export function taskIdIn(json: string): string | undefined {
  return textIn(memberText(json, 'taskId'));
}

/** The id of the task that a question belongs to. */
export function relatedTask(params: string): string | undefined {
  if (!params.includes(RELATED)) return undefined;
  const meta = memberText(params, '_meta') ?? '{}';
  return textIn(memberText(memberText(meta, RELATED) ?? '{}', 'taskId'));
}

/**
 * The message with other ids: at the top, in `task`, `tasks` and `result`, and in the related task
 * of `_meta`.
 */
export function withTaskIds(json: string, rename: RenameTask): string {
  if (!json.includes('askId"') || !json.startsWith('{')) return json;
  let changed = renamed(json, rename);
  const task = memberText(changed, 'task');
  if (task?.startsWith('{')) changed = withMembers(changed, { task: renamed(task, rename) });
  const result = memberText(changed, 'result');
  if (result?.startsWith('{')) changed = withMembers(changed, { result: related(result, rename) });
  const tasks = elementsOf(memberText(changed, 'tasks') ?? '');
  if (tasks) {
    const each = tasks.map((one) => (one.startsWith('{') ? renamed(one, rename) : one));
    changed = withMembers(changed, { tasks: `[${each.join(',')}]` });
  }
  return related(changed, rename);
}

/** A question that names its task. */
export function relatedQuestion(question: Question, taskId: string): Question {
  const { params } = question;
  const meta = memberText(params, '_meta');
  const about = JSON.stringify({ taskId });
  const changed = withMembers(meta?.startsWith('{') ? meta : '{}', { [RELATED]: about });
  return { ...question, params: withMembers(params, { _meta: changed }) };
}

/** The reply to `tasks/result`: a result names its task. */
export function resultOfTask(reply: Reply, taskId: string): Reply {
  return reply.ok ? withMeta(reply, RELATED, { taskId }) : reply;
}

/** The reply without the name of its task. */
export function withoutRelated(reply: Reply): Reply {
  const { ok, json } = reply;
  if (!ok || relatedTask(json) === undefined) return reply;
  const rest = withoutMembers(memberText(json, '_meta')!, [RELATED]);
  return {
    ok,
    json: rest === '{}' ? withoutMembers(json, ['_meta']) : withMembers(json, { _meta: rest }),
  };
}

function renamed(json: string, rename: RenameTask): string {
  const own = taskIdIn(json);
  const id = own === undefined ? undefined : rename(own);
  return id === undefined ? json : withMembers(json, { taskId: JSON.stringify(id) });
}

function related(json: string, rename: RenameTask): string {
  const own = relatedTask(json);
  const id = own === undefined ? undefined : rename(own);
  if (id === undefined) return json;
  const meta = memberText(json, '_meta')!;
  const about = withMembers(memberText(meta, RELATED)!, { taskId: JSON.stringify(id) });
  return withMembers(json, { _meta: withMembers(meta, { [RELATED]: about }) });
}

function textIn(text: string | undefined): string | undefined {
  return text?.startsWith('"') ? (JSON.parse(text) as string) : undefined;
}
