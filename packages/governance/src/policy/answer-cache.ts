/** Approvals that count for the rest of a session. */

import type { Call, Caller, Clock } from '@callsign/core';

import { callKey, toolKey } from './call-key.js';
import type { Scope } from './question.js';

/** Without a session, an approval lasts this long for the same principal and client. */
export const PRINCIPAL_MS: number = 60 * 60 * 1000;
const MAX_PRINCIPALS = 1_000;
const MAX_YES = 1_000;

/** The approvals of one session or principal. */
interface Yes {
  readonly since: number;
  /** Keys of tools and calls, oldest first. */
  readonly keys: Set<string>;
}

/** Bounded: the oldest approvals and principals are dropped first. */
export class AnswerCache {
  readonly #clock: Clock;
  /** The principal of a session never changes, so the session identifies the person. */
  readonly #bySession = new WeakMap<Caller, Yes>();
  readonly #byPrincipal = new Map<string, Yes>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False for a caller without session and principal: nothing can be remembered for it. */
  knows({ era, principal }: Caller): boolean {
    return era === 'session' || principal !== undefined;
  }

  /** Whether the call was approved before, in a scope that may be remembered now. */
  has(call: Call, furthest: 'never' | 'call' | 'tool'): boolean {
    const keys = furthest === 'never' ? undefined : this.#find(call.caller)?.keys;
    if (keys === undefined) return false;
    if (keys.has(callKey(call))) return true;
    return furthest === 'tool' && keys.has(toolKey(call));
  }

  add(call: Call, scope: Exclude<Scope, 'once'>): void {
    if (!this.knows(call.caller)) return;
    const { keys } = this.#find(call.caller) ?? this.#create(call.caller);
    keys.add(scope === 'tool' ? toolKey(call) : callKey(call));
    if (keys.size > MAX_YES) keys.delete(first(keys));
  }

  #find(caller: Caller): Yes | undefined {
    if (caller.era === 'session') return this.#bySession.get(caller);
    const yes = this.#byPrincipal.get(principalKey(caller));
    return yes && this.#clock.now() - yes.since < PRINCIPAL_MS ? yes : undefined;
  }

  #create(caller: Caller): Yes {
    const yes: Yes = { since: this.#clock.now(), keys: new Set() };
    if (caller.era === 'session') this.#bySession.set(caller, yes);
    else {
      const key = principalKey(caller);
      this.#byPrincipal.delete(key);
      this.#byPrincipal.set(key, yes);
      if (this.#byPrincipal.size > MAX_PRINCIPALS) {
        this.#byPrincipal.delete(first(this.#byPrincipal.keys()));
      }
    }
    return yes;
  }
}

export function principalKey({ principal, client }: Caller): string {
  return JSON.stringify([principal?.name, client.name]);
}

function first(keys: Iterable<string>): string {
  const [key] = keys;
  return key!;
}
