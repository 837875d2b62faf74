/**
 * Approvals that all instances remember. If the store cannot be reached, the person is asked again.
 */

import type { Call, Reply } from '@callsign/core';

import type { AnswerStore } from './answer-store.js';
import { callKey, toolKey } from './call-key.js';
import { Continuations, PATIENCE_MS } from './continuations.js';
import type { Scope } from './question.js';
import { PRINCIPAL_MS, principalKey } from './answer-cache.js';

const CONTINUATION = 'continuation';

export class SharedAnswers {
  readonly #store: AnswerStore;

  constructor(store: AnswerStore) {
    this.#store = store;
  }

  async has(call: Call, furthest: 'never' | 'call' | 'tool'): Promise<boolean> {
    if (furthest === 'never' || !isShared(call)) return false;
    const keys = furthest === 'tool' ? [callKey(call), toolKey(call)] : [callKey(call)];
    return await this.#store.has(principalKey(call.caller), keys).catch(() => false);
  }

  async add(call: Call, scope: Exclude<Scope, 'once'>): Promise<void> {
    if (!isShared(call)) return;
    const key = scope === 'tool' ? toolKey(call) : callKey(call);
    await this.#store.add(principalKey(call.caller), key, PRINCIPAL_MS).catch(() => {});
  }

  /** Whether this continues a call that was approved on another instance. */
  async take(call: Call): Promise<boolean> {
    const key = Continuations.keyOf(call);
    if (key === undefined) return false;
    return await this.#store.take(CONTINUATION, key).catch(() => false);
  }

  async note(call: Call, reply: Reply): Promise<void> {
    const key = Continuations.keyAfter(call, reply);
    if (key !== undefined) await this.#store.add(CONTINUATION, key, PATIENCE_MS).catch(() => {});
  }
}

/** Not for sessions: a session lives on one instance. */
function isShared({ caller: { era, principal } }: Call): boolean {
  return era !== 'session' && principal !== undefined;
}
