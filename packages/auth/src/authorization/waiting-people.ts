/** People who wait for an operator to say who they are. Their number is limited, because anyone can ask. */

import { operatorHash } from './caller-sign-in-state.js';
import {
  operatorQuestion,
  type OperatorQuestion,
  type PersonWhoAsks,
} from './operator-question.js';
import { PageProblem } from './page-request.js';
import type { WaitingPerson } from './seal.js';

/** A question that operators see. */
export interface AskedOperator {
  /** Resolves when the question does not wait any more, with or without an answer. */
  readonly ended: Promise<unknown>;
  withdraw(): void;
}

/** Shows questions to operators. Their answers are in the store of sign-ins. */
export interface OperatorQueue {
  /** An id for a question. */
  newId(): string;
  /** `undefined`: too much waits for the operators. */
  ask(question: OperatorQuestion, timeoutMs: number): AskedOperator | undefined;
}

/** A person who asks. */
export interface AskingPerson extends Omit<PersonWhoAsks, 'id'> {
  /** The hash of the browser's cookie. */
  readonly browser: string;
}

/** Shorter than the page may be open. */
const WAIT_MS = 10 * 60_000;
const MOST_WAITING = 10;
const MOST_A_MINUTE = 20;
const MINUTE_MS = 60_000;

export class WaitingPeople {
  readonly #queue: OperatorQueue;
  readonly #pageKey: Uint8Array;
  /** By browser. A browser that asks again takes its first question back. */
  readonly #asked = new Map<string, AskedOperator>();
  #times: number[] = [];

  constructor(queue: OperatorQueue, pageKey: Uint8Array) {
    [this.#queue, this.#pageKey] = [queue, pageKey];
  }

  /** Throws a `PageProblem` if too many people wait. */
  ask({ name, client, browser, effect }: AskingPerson): WaitingPerson {
    this.#asked.get(browser)?.withdraw();
    this.#asked.delete(browser);
    const now = Date.now();
    this.#times = this.#times.filter((at) => at + MINUTE_MS > now);
    if (this.#asked.size >= MOST_WAITING || this.#times.length >= MOST_A_MINUTE) throw tooMany();
    const id = this.#queue.newId();
    const { code, ...question } = operatorQuestion(this.#pageKey, { id, name, client, effect });
    const asked = this.#queue.ask(question, WAIT_MS);
    if (!asked) throw tooMany();
    this.#times.push(now);
    this.#asked.set(browser, asked);
    const forget = (): void => {
      if (this.#asked.get(browser) === asked) this.#asked.delete(browser);
    };
    void asked.ended.then(forget);
    return { name, code, hash: operatorHash(id, question.shown), until: now + WAIT_MS };
  }

  close(): void {
    for (const asked of this.#asked.values()) asked.withdraw();
    this.#asked.clear();
  }
}

function tooMany(): PageProblem {
  return new PageProblem('Too many people wait for the operator now. Try again in some minutes.');
}
