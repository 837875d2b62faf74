/** Whose call a question belongs to, where the channel does not say: one that is answered meanwhile did not ask. */

import type { Call } from '@callsign/core';

/** How long a server may still ask for a call that was taken back. */
export const LATE_MS = 1_000;

/** How long a question may stand before it is given up. */
const PATIENCE_MS = 30_000;
/** The same where every call that could be meant seems to wait for an answer itself. */
const STUCK_MS = 1_000;

interface OpenQuestion {
  readonly suspects: Set<Call>;
  readonly settle: () => void;
  timer: NodeJS.Timeout;
  isStuck: boolean;
}

/**
 * A call cannot end while its question stands, and a later call cannot have asked an earlier question. So
 * of the calls under way when it came, those that the server answers are ruled out, until the rest is one
 * caller's. Nobody is held up for that, and nobody is guessed at.
 */
export class OpenQuestions {
  #open: OpenQuestion[] = [];

  /** The calls that may have asked, once they are all one caller's; if that does not come, all that are left. */
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

  /** The server has answered a call: what it still asks, it does not ask for that one. */
  ruleOut(call: Call): void {
    if (this.#open.length === 0) return;
    for (const { suspects, settle } of this.#open) {
      if (suspects.delete(call) && areOneCallers(suspects)) settle();
    }
    this.#hurry();
  }

  /** The server is gone; nobody will hear an answer. */
  end(): void {
    for (const { timer } of this.#open) clearTimeout(timer);
    this.#open = [];
  }

  /** As many questions as calls: none of these will end by itself. The oldest question is given up, which ends its call. */
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

/** Whether all calls are one caller's; so they are if there is none. */
export function areOneCallers(calls: Iterable<Call>): boolean {
  let id: string | undefined;
  for (const { caller } of calls) {
    id ??= caller.id;
    if (caller.id !== id) return false;
  }
  return true;
}
