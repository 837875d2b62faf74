/**
 * Approved calls whose server asked a question first. A stateless client sends such a call again
 * with the answers. The person is not asked again for it.
 */

import { type Call, type Clock, memberText, type Reply } from '@callsign/core';

import { callKey, fingerprint } from './call-key.js';

/** How long a client may take for its answers. */
export const PATIENCE_MS: number = 10 * 60 * 1000;
const MAX_OPEN = 1_000;

export class Continuations {
  readonly #clock: Clock;
  /** Key → when it expires. Oldest first. */
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The key of a call that continues another; `undefined` if it continues none. */
  static keyOf(call: Call): string | undefined {
    const state = memberText(call.params, 'requestState');
    if (state === undefined && memberText(call.params, 'inputResponses') === undefined)
      return undefined;
    return keyOf(call, state);
  }

  /**
   * The key of the call that will continue this one; `undefined` if the reply is not a question.
   */
  static keyAfter(call: Call, { ok, json }: Reply): string | undefined {
    if (!ok || memberText(json, 'resultType') !== '"input_required"') return undefined;
    return keyOf(call, memberText(json, 'requestState'));
  }

  /**
   * Whether this continues an approved call: same caller, tool, arguments and server state. Works
   * once.
   */
  take(call: Call): boolean {
    const key = Continuations.keyOf(call);
    if (key === undefined) return false;
    const until = this.#open.get(key);
    this.#open.delete(key);
    return until !== undefined && this.#clock.now() < until;
  }

  /**
   * Call it with the reply to an approved call. If the reply is a question, the continuation is
   * approved too.
   */
  note(call: Call, reply: Reply): void {
    const key = Continuations.keyAfter(call, reply);
    if (key === undefined) return;
    this.#open.set(key, this.#clock.now() + PATIENCE_MS);
    if (this.#open.size > MAX_OPEN) {
      const [oldest] = this.#open.keys();
      this.#open.delete(oldest!);
    }
  }
}

/** For a caller without a credential, only the client is part of the key. */
function keyOf(call: Call, state: string | undefined): string {
  const { principal, client } = call.caller;
  const text: unknown = state === undefined ? null : JSON.parse(state);
  const who = JSON.stringify([principal?.name, client.name, client.version]);
  // Without the answers, which the first call did not have.
  const same = callKey(call, call.argumentsJson ?? '{}');
  return fingerprint([who, same, JSON.stringify(text)]);
}
