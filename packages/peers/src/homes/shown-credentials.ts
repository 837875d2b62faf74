/** Remembers the credential of each caller, so that it can be sent to the instance that runs the call. */

import type { Principal } from '@callsign/core';
import type { Authenticate } from '@callsign/wire';

export class ShownCredentials {
  /** Weak: an entry is dropped with its principal. */
  readonly #shown = new WeakMap<Principal, string>();

  of(principal: Principal): string | undefined {
    return this.#shown.get(principal);
  }

  /** The same authentication, which also remembers each credential. */
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
      const asked = authenticate(request);
      return asked instanceof Promise ? asked.then(note) : note(asked);
    };
  }
}
