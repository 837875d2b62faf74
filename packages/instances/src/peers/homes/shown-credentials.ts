/**
 * Remembers the credential that each caller sent, so that it can be sent along to the instance that
 * runs the server. It is kept in memory only.
 */

import type { Principal } from '@callsign/core';
import type { Authenticate } from '@callsign/wire';

/** One per gateway. It sees every request that is authenticated. */
export class ShownCredentials {
  /** Weak, so a credential is forgotten together with its principal. */
  readonly #shown = new WeakMap<Principal, string>();

  /** The `Authorization` header of a caller, as it was sent; `undefined` if there was none. */
  of(principal: Principal): string | undefined {
    return this.#shown.get(principal);
  }

  /** Wraps an authentication so that it also remembers each accepted credential. */
  remembering(authenticate: Authenticate): Authenticate {
    return (request) => {
      const { authorization } = request.headers;
      const note = <T>(answer: T): T => {
        const isPrincipal = typeof answer === 'object' && answer !== null && 'roles' in answer;
        if (isPrincipal && authorization !== undefined) {
          this.#shown.set(answer as unknown as Principal, authorization);
        }
        return answer;
      };
      // Most answers are ready at once. They must not become promises, which would cost a turn.
      const asked = authenticate(request);
      return asked instanceof Promise ? asked.then(note) : note(asked);
    };
  }
}
