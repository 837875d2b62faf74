/**
 * A task of the gateway itself: a call that continues after its request was answered. It waits for
 * an operator, or for a server of the other era.
 */

import {
  type Call,
  CallsignError,
  membersOf,
  memberText,
  type Question,
  type Reply,
} from '@callsign/core';

import { failedReply, replyOf } from '../../rpc/message/rpc-error.js';
import { canAnswer, isInputRequest, unanswerable } from '../request/answerable.js';
import { shownText, stateText, type OwnTaskRecord } from './own-task-record.js';
import type { TaskOrder } from './own-task-store.js';
import { taskResult, type AwaitedTask } from './task-result.js';

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

const DONE: Reply = { ok: true, json: '{}' };
const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** The call runs in this process. Others know the task by its record. */
export class OwnTask {
  readonly id: string;
  readonly call: Call;
  readonly owner: string;
  readonly #ttlMs: number;
  readonly #onChange: OwnTaskOptions['onChange'];
  readonly #createdAt = Date.now();
  readonly #questions = new Map<string, Asked>();
  #updatedAt = this.#createdAt;
  #lastKey = 0;
  #isWaiting: boolean;
  #message: string | undefined;
  #isCancelled = false;
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

  /** The tool that was called. */
  get ref(): { readonly server: string; readonly tool: string } {
    const { context, target } = this.call;
    return (context.reached ?? target!).ref;
  }

  get record(): OwnTaskRecord {
    const { server, tool } = this.ref;
    const reply = this.#reply && { ok: this.#reply.ok, json: this.#reply.json };
    const questions = Object.fromEntries(
      Array.from(
        this.#questions,
        ([
          key,
          {
            question: { method, params },
          },
        ]) => [key, { method, params }],
      ),
    );
    return {
      id: this.id,
      owner: this.owner,
      server,
      tool,
      createdAt: this.#createdAt,
      updatedAt: this.#updatedAt,
      ttlMs: this.#ttlMs,
      phase: reply ? 'ended' : this.#isWaiting ? 'waiting' : 'running',
      ...(this.#message === undefined || reply ? {} : { message: this.#message }),
      questions,
      ...(reply ? { reply } : {}),
      ...(this.#isCancelled ? { isCancelled: true } : {}),
    };
  }

  /** The operator has approved the call. From here on it may be sent. */
  goOn(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#change();
  }

  /** The server says something about the call. */
  say(message: string | undefined): void {
    if (this.#reply || message === this.#message) return;
    this.#message = message;
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

  /** Stops the call, even while it waits for approval. */
  cancel(): void {
    if (this.#reply) return;
    this.call.context.cancel('The task was cancelled.');
    this.#isCancelled = true;
    this.end(CANCELLED);
  }

  /** Keeps a question of the server until the caller asks about the task. */
  ask(question: Question): Promise<Reply> {
    const { call } = this;
    if (this.#reply || !isInputRequest(question) || !canAnswer(call.caller, question)) {
      return Promise.resolve(unanswerable(call, question));
    }
    const key = `q${++this.#lastKey}`;
    let resolve!: Asked['resolve'];
    const answered = new Promise<Reply>((onAnswer) => {
      resolve = onAnswer;
    });
    // Several requests may ask it. It is taken back from the others when one of them has an answer.
    const withdrawn = answered.then(() => undefined);
    this.#questions.set(key, { question: { ...question, withdrawn }, resolve });
    void question.withdrawn?.then(() => {
      if (this.#questions.delete(key)) this.#change();
      return resolve(CANCELLED);
    });
    this.#change();
    return answered;
  }

  /** Answers a request about the task. */
  async handle(call: Call): Promise<Reply> {
    const { era } = call.caller;
    const isSession = era === 'session';
    switch (call.method) {
      case 'tasks/cancel':
        if (isSession && this.#reply) return hasEndedAlready(this.id);
        this.cancel();
        return isSession ? { ok: true, json: stateText(this.record, era) } : DONE;
      case 'tasks/update':
        await this.#answer(memberText(call.params, 'inputResponses') ?? '{}');
        return DONE;
      case 'tasks/result':
        return taskResult(this.#awaited, call.context);
      default:
        return { ok: true, json: shownText(this.record, era) };
    }
  }

  /** Follows an order that the caller gave to another process. */
  async obey(order: TaskOrder): Promise<void> {
    if (order.type === 'cancel') this.cancel();
    else await this.#answer(order.responses);
  }

  /** Answers of a client, as JSON text by key. */
  async #answer(responses: string): Promise<void> {
    for (const [key, { start, end }] of membersOf(responses) ?? []) {
      const json = responses.slice(start, end);
      // Ignores an answer that is not an object; the question stays open.
      if (json.startsWith('{')) await this.#resolve(key, { ok: true, json });
    }
  }

  get #awaited(): AwaitedTask {
    return {
      id: this.id,
      look: async () => ({
        reply: this.#reply,
        questions: Object.fromEntries(
          Array.from(this.#questions, ([key, { question }]) => [key, question]),
        ),
      }),
      changed: () => new Promise((resolve) => this.#wakes.push(resolve)),
      answer: (key, answer) => this.#resolve(key, answer),
    };
  }

  /**
   * The answer may have taken long, so the call continues only if it is still allowed. Only the
   * first answer to a question counts.
   */
  async #resolve(key: string, answer: Reply): Promise<void> {
    const asked = this.#questions.get(key);
    if (!asked) return;
    const { context } = this.call;
    try {
      await context.recheck?.();
    } catch (error) {
      context.stop('The call is no longer allowed.');
      return this.end(failedReply(this.call, error));
    }
    if (!this.#questions.delete(key)) return;
    asked.resolve(answer);
    this.#change();
  }

  #change(): void {
    this.#updatedAt = Date.now();
    const wakes = this.#wakes;
    this.#wakes = [];
    for (const wake of wakes) wake();
    this.#onChange(this);
  }
}

/** The error for a session that cancels a task after its end. */
export function hasEndedAlready(id: string): Reply {
  return replyOf(new CallsignError('invalid-params', { reason: `task ${id} has already ended` }));
}
