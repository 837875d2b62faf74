/** People who wait for an operator to say who they are. Their number is limited, because anyone can ask. */

import { randomInt } from 'node:crypto';

import { operatorHash } from './caller-sign-in-state.js';
import { PageProblem } from './page-request.js';
import type { WaitingPerson } from './seal.js';

/** What an operator decides about. */
export interface OperatorQuestion {
  readonly title: string;
  readonly effect: string;
  readonly rule: string;
  /** The name, the client and the code, as JSON text. An answer counts for exactly this text. */
  readonly shown: string;
  readonly client: string;
  readonly timeoutMs: number;
}

/** A question that operators see. */
export interface AskedOperator {
  readonly id: string;
  /** Resolves when the question does not wait any more, with or without an answer. */
  readonly ended: Promise<unknown>;
  withdraw(): void;
}

/** Shows questions to operators. Their answers are in the store of sign-ins. */
export interface OperatorQueue {
  /** `undefined`: too much waits for the operators. */
  ask(question: OperatorQuestion): AskedOperator | undefined;
}

/** A person who asks. */
export interface AskingPerson {
  readonly name: string;
  /** Where the client belongs, as far as it is proved. */
  readonly client: string;
  /** The hash of the browser's cookie. */
  readonly browser: string;
  /** What the person gets, in one sentence. */
  readonly effect: string;
}

/** Shorter than the page may be open. */
const WAIT_MS = 10 * 60_000;
const MOST_WAITING = 10;
const MOST_A_MINUTE = 20;
const MINUTE_MS = 60_000;
/** Without letters and digits that look like another one. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const CODE_LENGTH = 8;

export class WaitingPeople {
  readonly #queue: OperatorQueue;
  /** By browser. A browser that asks again takes its first question back. */
  readonly #asked = new Map<string, AskedOperator>();
  #times: number[] = [];

  constructor(queue: OperatorQueue) {
    this.#queue = queue;
  }

  /** Throws a `PageProblem` if too many people wait. */
  ask({ name, client, browser, effect }: AskingPerson): WaitingPerson {
    this.#asked.get(browser)?.withdraw();
    this.#asked.delete(browser);
    const now = Date.now();
    this.#times = this.#times.filter((at) => at + MINUTE_MS > now);
    if (this.#asked.size >= MOST_WAITING || this.#times.length >= MOST_A_MINUTE) throw tooMany();
    const code = newCode();
    const shown = JSON.stringify({ name, client, code });
    const asked = this.#queue.ask({
      title: `Sign-in of ${name}`,
      effect,
      rule: `a person asks to sign in; approve it only if ${name} tells you this code`,
      shown,
      client,
      timeoutMs: WAIT_MS,
    });
    if (!asked) throw tooMany();
    this.#times.push(now);
    this.#asked.set(browser, asked);
    const forget = (): void => {
      if (this.#asked.get(browser) === asked) this.#asked.delete(browser);
    };
    void asked.ended.then(forget);
    return { name, code, hash: operatorHash(asked.id, shown), until: now + WAIT_MS };
  }

  close(): void {
    for (const asked of this.#asked.values()) asked.withdraw();
    this.#asked.clear();
  }
}

function tooMany(): PageProblem {
  return new PageProblem('Too many people wait for the operator now. Try again in some minutes.');
}

function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  return `${letters.slice(0, CODE_LENGTH / 2).join('')}-${letters.slice(CODE_LENGTH / 2).join('')}`;
}
