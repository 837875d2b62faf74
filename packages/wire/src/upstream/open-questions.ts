/**
 * Finds the call that a question belongs to, if the channel does not say. Calls that the server
 * answers in the meantime did not ask.
 */

import type { Call } from '@callsign/core';

/** How long after a cancellation a server may still ask about the call. */
export const LATE_MS = 1_000;

/** How long a question may stay open before it is given up. */
const PATIENCE_MS = 30_000;
/** The same, if every possible call seems to wait for an answer itself. */
const STUCK_MS = 1_000;

interface OpenQuestion {
  readonly suspects: Set<Call>;
  readonly settle: () => void;
  timer: NodeJS.Timeout;
  isStuck: boolean;
}

/**
 * A call cannot end while its question is open, and a later call cannot have asked an earlier
 * question. So calls that the server answers are ruled out, until all remaining calls belong to one
 * caller. No call is delayed for this, and no caller is guessed.
 */
export class OpenQuestions {
  #open: OpenQuestion[] = [];

  /**
   * The calls that may have asked, as soon as they all belong to one caller. If that never happens:
   * all that are left.
   */
  whoAsked(calls: Iterable<Call>): Promise<readonly Call[]> {
    const suspects = new Set(calls);
    if (areOneCallers(suspects)) return Promise.resolve([...suspects]);
    return new Promise((resolve) => {
      const question: OpenQuestion = {
        suspects,
        settle: () => {
          clearTimeout(question.timer);
          this.#open = this.#open.filter((other) => other !== question);
          resolve([...suspects]);
        },
        timer: setTimeout(() => question.settle(), PATIENCE_MS),
        isStuck: false,
      };
      this.#open.push(question);
      this.#hurry();
    });
  }

  /** The server has answered this call, so its open questions belong to others. */
  ruleOut(call: Call): void {
    if (this.#open.length === 0) return;
    for (const { suspects, settle } of this.#open) {
      if (suspects.delete(call) && areOneCallers(suspects)) settle();
    }
    this.#hurry();
  }

  /** The server has ended, so no answer can reach it. */
  end(): void {
    for (const { timer } of this.#open) clearTimeout(timer);
    this.#open = [];
  }

  /**
   * If there are as many questions as calls, none of the calls can end. The oldest question is
   * given up, which ends its call.
   */
  #hurry(): void {
    const [oldest] = this.#open;
    if (!oldest || oldest.isStuck) return;
    const suspects = new Set(this.#open.flatMap((question) => [...question.suspects]));
    if (this.#open.length < suspects.size) return;
    oldest.isStuck = true;
    clearTimeout(oldest.timer);
    oldest.timer = setTimeout(() => oldest.settle(), STUCK_MS);
  }
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
