/**
 * A task of the gateway itself: a call that continues after its request was answered. It waits for
 * an operator, then it runs.
 */

import { CallsignError, memberText, membersOf, withMembers, withMeta } from '@callsign/core';
import type { Call, Era, Question, Reply } from '@callsign/core';
import { replyOf } from '@callsign/rpc';

import { canAnswer, isInputRequest, unanswerable } from '../request/answerable.js';
import { RELATED } from './task-id-text.js';

export interface OwnTaskOptions {
  /** The id that clients know. */
  readonly id: string;
  readonly call: Call;
  /** Whose task it is, as `ownerOf` says. Others cannot find it. */
  readonly owner: string;
  readonly ttlMs: number;
  /** Whether the call waits for an operator. */
  readonly isWaiting: boolean;
  /** Called after every change. */
  readonly onChange: (task: OwnTask) => void;
}

interface Asked {
  readonly question: Question;
  readonly resolve: (reply: Reply) => void;
}

const POLL_MS = 1_000;
const WAITING = 'Waiting for the operator to approve this call.';
const DONE: Reply = { ok: true, json: '{}' };
const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** Kept in memory only: it ends with this process. */
export class OwnTask {
  readonly id: string;
  readonly call: Call;
  readonly owner: string;
  readonly createdAt: number = Date.now();
  readonly #ttlMs: number;
  readonly #onChange: OwnTaskOptions['onChange'];
  readonly #questions = new Map<string, Asked>();
  #updatedAt = this.createdAt;
  #lastKey = 0;
  #isWaiting: boolean;
  #reply: Reply | undefined;
  #wakes: (() => void)[] = [];

  constructor({ id, call, owner, ttlMs, isWaiting, onChange }: OwnTaskOptions) {
    this.id = id;
    this.call = call;
    this.owner = owner;
    this.#ttlMs = ttlMs;
    this.#isWaiting = isWaiting;
    this.#onChange = onChange;
  }

  /** The reply to the call; `undefined` while the call runs or waits. */
  get reply(): Reply | undefined {
    return this.#reply;
  }

  /** The operator has decided. The call continues or has failed. */
  goOn(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#change();
  }

  /** Sets the reply. Open questions are answered as cancelled. Only the first end counts. */
  end(reply: Reply): void {
    if (this.#reply) return;
    this.#reply = reply;
    for (const { resolve } of this.#questions.values()) resolve(CANCELLED);
    this.#questions.clear();
    this.#change();
  }

  /** Stops the call, also while it waits for approval. */
  cancel(): void {
    if (this.#reply) return;
    this.call.context.cancel('The task was cancelled.');
    this.end(CANCELLED);
  }

  /** Keeps a question of the server until the caller asks about the task. */
  ask(question: Question): Promise<Reply> {
    const { call } = this;
    if (this.#reply || !isInputRequest(question) || !canAnswer(call.caller, question)) {
      return Promise.resolve(unanswerable(call, question));
    }
    return new Promise((resolve) => {
      this.#questions.set(`q${++this.#lastKey}`, { question, resolve });
      this.#change();
    });
  }

  /** Answers a request about the task. */
  async handle(call: Call): Promise<Reply> {
    const { era } = call.caller;
    const isSession = era === 'session';
    switch (call.method) {
      case 'tasks/cancel':
        if (isSession && this.#reply) {
          const reason = `task ${this.id} has already ended`;
          return replyOf(new CallsignError('invalid-params', { reason }));
        }
        this.cancel();
        return isSession ? { ok: true, json: this.state(era) } : DONE;
      case 'tasks/update':
        await this.#answer(memberText(call.params, 'inputResponses') ?? '{}');
        return DONE;
      case 'tasks/result':
        return this.#result(call);
      default:
        return { ok: true, json: isSession ? this.state(era) : this.detailed() };
    }
  }

  /** Answers of a stateless client, as JSON text by key. */
  async #answer(responses: string): Promise<void> {
    for (const [key, { start, end }] of membersOf(responses) ?? []) {
      const asked = this.#questions.get(key);
      const json = responses.slice(start, end);
      // Ignores an answer that is not an object; the question stays open.
      if (asked && json.startsWith('{')) await this.#resolve(key, asked, { ok: true, json });
    }
  }

  /** Session era only: asks the caller the open questions, and waits for the end of the task. */
  async #result(asking: Call): Promise<Reply> {
    const { context } = asking;
    while (!this.#reply && !context.isCancelled) {
      const [next] = this.#questions;
      if (!next || !context.ask) await new Promise<void>((resolve) => this.#wakes.push(resolve));
      else {
        const [key, asked] = next;
        const { method, params } = asked.question;
        this.#questions.delete(key);
        const answer = await context.ask({ method, params: this.#related(params) });
        await this.#resolve(key, asked, answer);
      }
    }
    const reply = this.#reply ?? CANCELLED;
    return reply.ok ? withMeta(reply, RELATED, { taskId: this.id }) : reply;
  }

  /** The reply to the call that became this task. */
  created(era: Era): Reply {
    const state = this.state(era);
    const json = era === 'session' ? `{"task":${state}}` : `{"resultType":"task",${state.slice(1)}`;
    return { ok: true, json };
  }

  /** The task as a client of an era sees it. */
  state(era: Era): string {
    const [createdAt, lastUpdatedAt] = [this.createdAt, this.#updatedAt].map((at) =>
      new Date(at).toISOString(),
    );
    const isSession = era === 'session';
    return JSON.stringify({
      taskId: this.id,
      status: this.#status(era),
      ...(this.#isWaiting && !this.#reply ? { statusMessage: WAITING } : {}),
      createdAt,
      lastUpdatedAt,
      [isSession ? 'ttl' : 'ttlMs']: this.#ttlMs,
      [isSession ? 'pollInterval' : 'pollIntervalMs']: POLL_MS,
    });
  }

  /** The state with the questions, the result or the error, for stateless clients. */
  detailed(): string {
    const state = this.state('stateless');
    const reply = this.#reply;
    if (!reply) {
      if (this.#questions.size === 0) return state;
      const requests = Array.from(this.#questions, ([key, { question }]) => {
        const { method, params } = question;
        return `"${key}":{"method":${JSON.stringify(method)},"params":${params}}`;
      });
      return withMembers(state, { inputRequests: `{${requests.join(',')}}` });
    }
    if (reply === CANCELLED) return state;
    if (!reply.ok) return withMembers(state, { error: reply.json });
    const hasType = memberText(reply.json, 'resultType') !== undefined;
    const result = hasType ? reply.json : withMembers(reply.json, { resultType: '"complete"' });
    return withMembers(state, { result });
  }

  /** In the session era a result with `isError` also counts as failed. */
  #status(era: Era): string {
    const reply = this.#reply;
    if (!reply) return this.#questions.size > 0 ? 'input_required' : 'working';
    if (reply === CANCELLED) return 'cancelled';
    const hasFailed = era === 'session' && reply.ok && memberText(reply.json, 'isError') === 'true';
    return reply.ok && !hasFailed ? 'completed' : 'failed';
  }

  /** The answer may have taken long, so the call continues only if it is still allowed. */
  async #resolve(key: string, { resolve }: Asked, answer: Reply): Promise<void> {
    this.#questions.delete(key);
    const { context } = this.call;
    try {
      await context.recheck?.();
    } catch (error) {
      context.stop('The call is no longer allowed.');
      return this.end(replyOf(error));
    }
    resolve(answer);
    this.#change();
  }

  #related(params: string): string {
    const meta = memberText(params, '_meta');
    const about = JSON.stringify({ taskId: this.id });
    return withMembers(params, {
      _meta: withMembers(meta?.startsWith('{') ? meta : '{}', { [RELATED]: about }),
    });
  }

  #change(): void {
    this.#updatedAt = Date.now();
    const wakes = this.#wakes;
    this.#wakes = [];
    for (const wake of wakes) wake();
    this.#onChange(this);
  }
}
