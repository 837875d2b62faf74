/**
 * The questions of one server that wait for an answer. Finds the call that a question belongs to,
 * if the channel does not say: calls that the server answers in the meantime did not ask.
 */

import type { Call, Question } from '@callsign/core';

import { canAnswer } from './answerable.js';

/** How long after a cancellation a server may still ask about the call. */
export const LATE_MS = 1_000;

/** A server may have this many open questions, and one more for each call under way. */
export const MAX_QUESTIONS = 64;
/** Characters of all open questions together. A single question may have any length. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** How long a question may stay open before it is given up. */
const PATIENCE_MS = 30_000;
/** How long it may stay open if every possible call seems to wait for an answer itself. */
const STUCK_MS = 1_000;

/** A question that counts as open until it is closed or all calls that may have asked have ended. */
export interface OpenQuestion {
  /**
   * The calls that may have asked, as soon as all of them give the same answer. If that never
   * happens: all that are left.
   */
  readonly whoAsked: Promise<readonly Call[]>;
  readonly suspects: Set<Call>;
  readonly length: number;
}

/** It is not known yet who asked. */
interface Unclear {
  readonly suspects: Set<Call>;
  readonly isClear: () => boolean;
  readonly settle: () => void;
  timer: NodeJS.Timeout;
  isStuck: boolean;
}

/**
 * A call cannot end while its question is open, and a later call cannot have asked an earlier
 * question. So calls that the server answers are ruled out, until all remaining calls give the same
 * answer. No call is delayed for this, and no caller is guessed.
 */
export class OpenQuestions {
  readonly #open = new Set<OpenQuestion>();
  readonly #unclear = new Set<Unclear>();
  /** Cancelled calls about which the server may still ask, by our id. */
  readonly #cancelled = new Map<number, Call>();
  #length = 0;

  get cancelledCalls(): Iterable<Call> {
    return this.#cancelled.values();
  }

  /**
   * Opens a question of one of these calls. `underWay`: how many calls the server has. `undefined`:
   * too many questions are open.
   */
  open(calls: Iterable<Call>, asked: Question, underWay: number): OpenQuestion | undefined {
    const suspects = new Set(calls);
    const { length } = asked.params;
    const isClear = haveOneAnswer(suspects, asked);
    const isTooLong = this.#open.size > 0 && this.#length + length > MAX_LENGTH;
    if (isTooLong || this.#open.size >= MAX_QUESTIONS + underWay) return undefined;
    if (!isClear && this.#unclear.size >= MAX_QUESTIONS) return undefined;
    const whoAsked = isClear
      ? Promise.resolve([...suspects])
      : this.#whoAsked(suspects, () => haveOneAnswer(suspects, asked));
    const question: OpenQuestion = { whoAsked, suspects, length };
    this.#open.add(question);
    this.#length += length;
    return question;
  }

  /** The question has its answer. */
  close(question: OpenQuestion): void {
    if (this.#open.delete(question)) this.#length -= question.length;
  }

  /** The server has answered this call, so its open questions belong to others. */
  ruleOut(call: Call): void {
    if (this.#open.size === 0) return;
    for (const question of this.#open) {
      // No one waits for the answer.
      if (question.suspects.delete(call) && question.suspects.size === 0) this.close(question);
    }
    for (const { isClear, settle } of this.#unclear) if (isClear()) settle();
    this.#hurry();
  }

  /** A call was cancelled. For a moment the server may still ask about it. */
  cancelled(id: number, call: Call): void {
    this.#cancelled.set(id, call);
    setTimeout(() => {
      this.#cancelled.delete(id);
      this.ruleOut(call);
    }, LATE_MS).unref();
  }

  /** An answer to a call that is no longer under way. Returns false if there was none with this id. */
  late(id: number): boolean {
    const call = this.#cancelled.get(id);
    if (call) this.ruleOut(call);
    return this.#cancelled.delete(id);
  }

  /** The server has ended, so no answer can reach it. */
  end(): void {
    for (const { timer } of this.#unclear) clearTimeout(timer);
    this.#unclear.clear();
    this.#open.clear();
    this.#length = 0;
  }

  #whoAsked(suspects: Set<Call>, isClear: () => boolean): Promise<readonly Call[]> {
    return new Promise((resolve) => {
      const unclear: Unclear = {
        suspects,
        isClear,
        settle: () => {
          clearTimeout(unclear.timer);
          this.#unclear.delete(unclear);
          resolve([...suspects]);
        },
        timer: setTimeout(() => unclear.settle(), PATIENCE_MS),
        isStuck: false,
      };
      this.#unclear.add(unclear);
      this.#hurry();
    });
  }

  /**
   * If there are as many questions as calls, none of the calls can end. The oldest question is
   * given up, which ends its call.
   */
  #hurry(): void {
    const [oldest] = this.#unclear;
    if (!oldest || oldest.isStuck) return;
    const suspects = new Set<Call>();
    for (const question of this.#unclear) for (const call of question.suspects) suspects.add(call);
    if (this.#unclear.size < suspects.size) return;
    oldest.isStuck = true;
    clearTimeout(oldest.timer);
    oldest.timer = setTimeout(() => oldest.settle(), STUCK_MS);
  }
}

/**
 * Whether it does not matter which of the calls asked: they belong to one caller, or no caller can
 * answer.
 */
export function haveOneAnswer(calls: Iterable<Call>, question: Question): boolean {
  if (areOneCallers(calls)) return true;
  for (const { caller } of calls) if (canAnswer(caller, question)) return false;
  return true;
}

/** Whether all calls belong to one caller. True without calls. */
export function areOneCallers(calls: Iterable<Call>): boolean {
  let id: string | undefined;
  for (const { caller } of calls) {
    id ??= caller.id;
    if (caller.id !== id) return false;
  }
  return true;
}
