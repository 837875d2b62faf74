/** People's sign-ins in the database, for all instances. They are encrypted, so that no one can add one there. */

import { hkdfSync, randomBytes } from 'node:crypto';

import {
  CALLER_SIGN_INS,
  type CallerSignInState,
  type CallerSignInStore,
  emptyState,
} from '@callsign/auth';

import type { PostgresDocuments } from '../documents/postgres-documents.js';
import { SealedDocuments } from '../documents/sealed-documents.js';

export interface PostgresCallerSignInsOptions {
  readonly documents: PostgresDocuments;
  /** The newest first. Default: no one can sign in. */
  readonly secrets: readonly string[] | undefined;
}

const PREFIX = 'caller-sign-ins/';
const LABEL = 'callsign caller sign-ins 1';
const PAGES = 'callsign sign-in pages 1';
/** One text holds them all, so that each change sees the newest state. */
const ALL = 'all';

export class PostgresCallerSignIns implements CallerSignInStore {
  readonly pageKey: Uint8Array;
  readonly #sealed: SealedDocuments;
  #known: { readonly state: CallerSignInState; readonly text: string | undefined } | undefined;

  constructor({ documents, secrets }: PostgresCallerSignInsOptions) {
    const words = { one: 'a sign-in', many: 'sign-ins', again: 'let people sign in again' };
    this.#sealed = new SealedDocuments({ documents, secrets, prefix: PREFIX, label: LABEL, words });
    const [secret] = secrets ?? [];
    // A page may be answered by another instance than the one that showed it.
    this.pageKey =
      secret === undefined
        ? randomBytes(32)
        : new Uint8Array(hkdfSync('sha256', secret, '', PAGES, 32));
  }

  /** Fails if there are sign-ins that no secret opens. */
  check(): Promise<void> {
    return this.#sealed.check();
  }

  get(): CallerSignInState {
    const text = this.#sealed.get(ALL);
    if (this.#known && this.#known.text === text) return this.#known.state;
    const state = text === undefined ? emptyState() : CALLER_SIGN_INS.parse(JSON.parse(text));
    this.#known = { state, text };
    return state;
  }

  refresh(): Promise<void> {
    return this.#sealed.refresh();
  }

  async change<T>(change: (state: CallerSignInState) => T): Promise<T> {
    let result!: T;
    await this.#sealed.change(ALL, (before) => {
      const state = before === undefined ? emptyState() : CALLER_SIGN_INS.parse(JSON.parse(before));
      result = change(state);
      return JSON.stringify(state);
    });
    return result;
  }
}
