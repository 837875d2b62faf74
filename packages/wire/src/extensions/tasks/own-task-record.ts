/**
 * What is known about a task of the gateway itself, as data: any process can read it, and show it
 * to clients of both eras.
 */

import { isRecord } from '@callsign/config';
import {
  CallsignError,
  type Era,
  memberText,
  type Question,
  type Reply,
  withMembers,
} from '@callsign/core';
import { canonicalName } from '@callsign/naming';

import { replyOf } from '../../rpc/message/rpc-error.js';
import type { Task } from './task-table.js';

/**
 * One of our own tasks, as its store keeps it. Another process may read it after ours has ended.
 */
export interface OwnTaskRecord {
  /** The id that clients know. */
  readonly id: string;
  /** Whose task it is, as `ownerOf` says. */
  readonly owner: string;
  /** The tool that was called, as its server names it. */
  readonly server: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ttlMs: number;
  /**
   * `waiting`: for the operator, so the call was not sent. `running`: the call may have been sent.
   * `ended`: there is a reply.
   */
  readonly phase: 'waiting' | 'running' | 'ended';
  /** What the server says about the call. */
  readonly message?: string | undefined;
  /** Open questions of the server, by key. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The reply to the call. */
  readonly reply?: Pick<Reply, 'ok' | 'json'> | undefined;
  /** The caller has cancelled the task. */
  readonly isCancelled?: boolean | undefined;
  /** The server's task that continues this one, under the same id. */
  readonly continuedBy?: Task | undefined;
}

const POLL_MS = 1_000;
const WAITING = 'Waiting for the operator to approve this call.';

/** `undefined`: the text is not a record. */
export function readOwnTask(text: string): OwnTaskRecord | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (!isRecord(record)) return undefined;
    const { id, owner, server, tool, createdAt, updatedAt, ttlMs, phase, questions } = record;
    const isWhole =
      [id, owner, server, tool, phase].every((each) => typeof each === 'string') &&
      [createdAt, updatedAt, ttlMs].every((each) => typeof each === 'number') &&
      isRecord(questions);
    return isWhole ? (record as unknown as OwnTaskRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function isExpired({ createdAt, ttlMs }: OwnTaskRecord, now: number = Date.now()): boolean {
  return now > createdAt + ttlMs;
}

/**
 * What became of a task whose process has ended, or counts as ended. A call that only waited was not
 * made. For any other call that is not known. `what`: what is known of the process.
 */
export function afterItsProcess(
  record: OwnTaskRecord,
  what: 'was stopped' | 'stopped answering',
): OwnTaskRecord {
  if (record.reply || record.continuedBy) return record;
  const { server, tool, phase } = record;
  const name = server === '' ? tool : canonicalName({ server, tool });
  const error =
    phase === 'waiting'
      ? new CallsignError('approval-lost', { tool: name })
      : new CallsignError('instance-lost', { what });
  const { ok, json } = replyOf(error);
  return { ...record, phase: 'ended', questions: {}, updatedAt: Date.now(), reply: { ok, json } };
}

/** The reply to the call that became this task. */
export function createdText(record: OwnTaskRecord, era: Era): string {
  const state = stateText(record, era);
  return era === 'session' ? `{"task":${state}}` : `{"resultType":"task",${state.slice(1)}`;
}

/** The task as a client of an era sees it. */
export function stateText(record: OwnTaskRecord, era: Era): string {
  const isSession = era === 'session';
  const statusMessage = record.phase === 'waiting' ? WAITING : record.message;
  return JSON.stringify({
    taskId: record.id,
    status: statusOf(record, era),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(record.createdAt).toISOString(),
    lastUpdatedAt: new Date(record.updatedAt).toISOString(),
    [isSession ? 'ttl' : 'ttlMs']: record.ttlMs,
    [isSession ? 'pollInterval' : 'pollIntervalMs']: POLL_MS,
  });
}

/**
 * What `tasks/get` and notifications say. In the stateless era that includes the questions, the
 * result or the error.
 */
export function shownText(record: OwnTaskRecord, era: Era): string {
  const state = stateText(record, era);
  const { reply, questions, isCancelled } = record;
  if (era === 'session' || isCancelled) return state;
  if (!reply) {
    const requests = Object.entries(questions).map(
      ([key, { method, params }]) =>
        `${JSON.stringify(key)}:{"method":${JSON.stringify(method)},"params":${params}}`,
    );
    if (requests.length === 0) return state;
    return withMembers(state, { inputRequests: `{${requests.join(',')}}` });
  }
  if (!reply.ok) return withMembers(state, { error: reply.json });
  const hasType = memberText(reply.json, 'resultType') !== undefined;
  const result = hasType ? reply.json : withMembers(reply.json, { resultType: '"complete"' });
  return withMembers(state, { result });
}

/** In the session era a result with `isError` also counts as failed. */
function statusOf({ reply, questions, isCancelled }: OwnTaskRecord, era: Era): string {
  if (isCancelled) return 'cancelled';
  if (!reply) return Object.keys(questions).length > 0 ? 'input_required' : 'working';
  const hasFailed = era === 'session' && reply.ok && memberText(reply.json, 'isError') === 'true';
  return reply.ok && !hasFailed ? 'completed' : 'failed';
}
