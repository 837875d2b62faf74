/** Questions of a server that wait for an answer, until the server takes them back or their call ends. */

import { CallsignError, memberText, type Call, type Question, type Reply } from '@callsign/core';
import { relatedTask } from '@callsign/extensions';
import { replyOf } from '@callsign/rpc';

import { OpenQuestions } from './open-questions.js';

export interface ServerQuestionsOptions {
  /** `calls`: those that may have caused the question. */
  readonly ask: (question: Question, calls: readonly Call[]) => Promise<Reply>;
  readonly answer: (id: string, reply: Reply) => void;
}

/** A question as the server sent it. */
export interface Asked {
  /** As JSON text. Not unique: a server may count for each of our requests separately. */
  readonly id: string;
  /** Our request that it belongs to, if the channel knows. */
  readonly about: number | undefined;
  readonly method: string;
  readonly params: string;
}

interface Waiting extends Asked {
  /** The calls that it may belong to. When all of them have ended, no answer is needed. */
  readonly calls: Set<Call>;
  /** Tells the client that no answer is needed. */
  readonly tell: () => void;
  isWithdrawn: boolean;
}

export class ServerQuestions {
  readonly #options: ServerQuestionsOptions;
  readonly #open = new OpenQuestions();
  readonly #waiting = new Set<Waiting>();

  constructor(options: ServerQuestionsOptions) {
    this.#options = options;
  }

  /** `calls`: those that may have caused the question. Answers the server. Never rejects. */
  async put(asked: Asked, calls: readonly Call[]): Promise<void> {
    let tell: (() => void) | undefined;
    const withdrawn = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const waiting = { ...asked, calls: new Set(calls), tell: tell!, isWithdrawn: false };
    this.#waiting.add(waiting);
    const { id, method, params } = asked;
    const { ask, answer } = this.#options;
    let reply: Reply;
    try {
      const suspects = await this.#open.whoAsked(calls);
      if (waiting.isWithdrawn) throw new CallsignError('call-cancelled');
      reply = await ask({ method, params, withdrawn }, suspects);
    } catch (error) {
      reply = replyOf(error);
    }
    // A question that the server took back gets no answer.
    if (this.#waiting.delete(waiting)) answer(id, reply);
  }

  /** The server cancels a question, with these parameters. False: it is not known. */
  takeBack(params: string, about: number | undefined): boolean {
    const id = memberText(params, 'requestId');
    const same = [...this.#waiting].filter((each) => each.id === id);
    const [only] = same;
    const one = same.find((each) => each.about === about) ?? (same.length === 1 ? only : undefined);
    if (!one) return false;
    this.#waiting.delete(one);
    withdraw(one);
    return true;
  }

  /** The server has answered this call, so its open questions belong to others, or to none. */
  ended(call: Call): void {
    this.#open.ruleOut(call);
    for (const waiting of this.#waiting) {
      const wasLast = waiting.calls.delete(call) && waiting.calls.size === 0;
      if (wasLast && isPartOfCall(waiting)) withdraw(waiting);
    }
  }

  /** The server has ended, so no answer can reach it. */
  end(): void {
    this.#open.end();
    for (const waiting of this.#waiting) withdraw(waiting);
    this.#waiting.clear();
  }
}

function withdraw(waiting: Waiting): void {
  waiting.isWithdrawn = true;
  waiting.tell();
}

/** Servers ask for roots at any time. A question of a task may outlive a request about the task. */
function isPartOfCall({ method, params }: Asked): boolean {
  return method !== 'roots/list' && relatedTask(params) === undefined;
}
