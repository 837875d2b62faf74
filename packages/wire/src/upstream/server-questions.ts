/** Questions of a server that wait for an answer, until the server takes them back or their call ends. */

import { CallsignError, memberText, type Call, type Question, type Reply } from '@callsign/core';

import { OpenQuestions, type OpenQuestion } from '../extensions/request/open-questions.js';
import { relatedTask } from '../extensions/tasks/task-id-text.js';
import { replyOf } from '../rpc/message/rpc-error.js';

export interface ServerQuestionsOptions {
  /** `calls`: those that may have caused the question. `isNamed`: the channel knows the call. */
  readonly ask: (question: Question, calls: readonly Call[], isNamed: boolean) => Promise<Reply>;
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

interface Waiting extends Pick<Asked, 'id' | 'about'> {
  /** Whether no answer is needed once the calls that it may belong to have ended. */
  readonly isPartOfCall: boolean;
  readonly calls: Set<Call>;
  /** Tells the client that no answer is needed. */
  readonly tell: () => void;
  isWithdrawn: boolean;
}

export class ServerQuestions extends OpenQuestions {
  readonly #options: ServerQuestionsOptions;
  readonly #waiting = new Set<Waiting>();

  constructor(options: ServerQuestionsOptions) {
    super();
    this.#options = options;
  }

  /** Questions without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Asks, and answers the server. `calls`: those that may have caused the question. `underWay`: how many calls the
   * server has. Returns false if too many questions are open.
   */
  put(asked: Asked, calls: readonly Call[], underWay: number): boolean {
    const question = this.open(calls, asked, underWay);
    if (!question) return false;
    let tell: (() => void) | undefined;
    const withdrawn = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const { id, about, method, params } = asked;
    const isPartOfCall = belongsToCall(asked);
    const waiting = {
      id,
      about,
      calls: new Set(calls),
      isPartOfCall,
      tell: tell!,
      isWithdrawn: false,
    };
    this.#waiting.add(waiting);
    const reply = question.whoAsked.then((suspects) => {
      if (waiting.isWithdrawn) throw new CallsignError('call-cancelled');
      return this.#options.ask({ method, params, withdrawn }, suspects, about !== undefined);
    });
    void this.#answerLater(waiting, question, reply);
    return true;
  }

  /** Does not keep the question itself: the answer may never come. */
  async #answerLater(
    waiting: Waiting,
    question: OpenQuestion,
    reply: Promise<Reply>,
  ): Promise<void> {
    const given = await reply.catch(replyOf);
    this.close(question);
    // A question that the server took back gets no answer.
    if (this.#waiting.delete(waiting)) this.#options.answer(waiting.id, given);
  }

  /** The server cancels a question, with these parameters. Returns false if it is not known. */
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
  override ruleOut(call: Call): void {
    super.ruleOut(call);
    for (const waiting of this.#waiting) {
      const wasLast = waiting.calls.delete(call) && waiting.calls.size === 0;
      if (wasLast && waiting.isPartOfCall) withdraw(waiting);
    }
  }

  override end(): void {
    super.end();
    for (const waiting of this.#waiting) withdraw(waiting);
    this.#waiting.clear();
  }
}

function withdraw(waiting: Waiting): void {
  waiting.isWithdrawn = true;
  waiting.tell();
}

/** Servers ask for roots at any time. A question of a task may outlive a request about the task. */
function belongsToCall({ method, params }: Asked): boolean {
  return method !== 'roots/list' && relatedTask(params) === undefined;
}
