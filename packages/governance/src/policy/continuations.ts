/**
 * Calls that were approved and whose server asked for more first. A client without a session sends such
 * a call again, with the answers, and nobody is to be asked twice for it.
 */

import { type Call, type Clock, memberText, type Reply } from '@callsign/core';

import { callKey, fingerprint } from './call-key.js';

/** How long a client may take for the answers. */
const PATIENCE_MS = 10 * 60 * 1000;
const MAX_OPEN = 1_000;

export class Continuations {
  readonly #clock: Clock;
  /** Until when each is good, oldest first. */
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether this goes on with an approved call: the same caller, tool and arguments, with the state that its server gave. Good for one use. */
  take(call: Call): boolean {
    if (this.#open.size === 0) return false;
    const state = memberText(call.params, 'requestState');
    if (state === undefined && memberText(call.params, 'inputResponses') === undefined)
      return false;
    const key = keyOf(call, state);
    const until = this.#open.get(key);
    this.#open.delete(key);
    return until !== undefined && this.#clock.now() < until;
  }

  /** Looks at the answer to an approved call; if it is a question, what follows is approved as well. */
  note(call: Call, { ok, json }: Reply): void {
    if (!ok || memberText(json, 'resultType') !== '"input_required"') return;
    this.#open.set(keyOf(call, memberText(json, 'requestState')), this.#clock.now() + PATIENCE_MS);
    if (this.#open.size > MAX_OPEN) {
      const [oldest] = this.#open.keys();
      this.#open.delete(oldest!);
    }
  }
}

/** Of a request without a credential no more is known than which client sends it. */
function keyOf(call: Call, state: string | undefined): string {
  const { principal, client } = call.caller;
  const text: unknown = state === undefined ? '' : JSON.parse(state);
  const who = JSON.stringify([principal?.name ?? null, client.name, client.version]);
  return fingerprint([who, callKey(call), JSON.stringify(text)]);
}
