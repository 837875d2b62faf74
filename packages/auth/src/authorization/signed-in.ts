/** Who is signed in to this gateway, found by token. Follows the store, so that a revoked sign-in ends at once. */

import type { Principal } from '@callsign/core';

import type { SignedInPeople, SignedInPerson } from '../callers/authentication.js';
import type { CallerSignInState } from './caller-sign-in-state.js';
import type { CallerSignInStore } from './caller-sign-in-store.js';

interface Index {
  readonly of: CallerSignInState;
  /** By the hash of an access token. */
  readonly tokens: ReadonlyMap<string, { readonly person: SignedInPerson; readonly until: number }>;
  /** When the last sign-in of a person ends. */
  readonly people: ReadonlyMap<string, number>;
}

export class SignedIn implements SignedInPeople {
  readonly #store: CallerSignInStore;
  readonly #resource: string;
  #index: Index | undefined;

  /** `resource`: gateways of one user share a store, and a token counts at its own gateway only. */
  constructor(store: CallerSignInStore, resource: string) {
    this.#store = store;
    this.#resource = resource;
  }

  personWith(tokenHash: string): SignedInPerson | undefined {
    const found = this.#current().tokens.get(tokenHash);
    return found && found.until > Date.now() ? found.person : undefined;
  }

  refresh(): Promise<void> | undefined {
    return this.#store.refresh?.();
  }

  isSignedIn(principal: Principal): boolean {
    return (this.#current().people.get(keyOf(principal)) ?? 0) > Date.now();
  }

  #current(): Index {
    const state = this.#store.get();
    if (this.#index?.of === state) return this.#index;
    const tokens = new Map<string, { person: SignedInPerson; until: number }>();
    const people = new Map<string, number>();
    for (const { person, resource, access, endsAt } of state.signIns) {
      if (resource !== this.#resource) continue;
      for (const { hash, expiresAt } of access) tokens.set(hash, { person, until: expiresAt });
      // A person with a key is known by the key.
      if (person.keyHash !== undefined) continue;
      const key = keyOf(person);
      people.set(key, Math.max(endsAt, people.get(key) ?? 0));
    }
    return (this.#index = { of: state, tokens, people });
  }
}

function keyOf({ name, roles }: Principal): string {
  return JSON.stringify([name, roles]);
}
