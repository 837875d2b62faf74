/** Remembers the credential that each caller has shown, so that it can be shown again where the call runs. */

import type { Principal } from '@callsign/core';
import type { Authenticate } from '@callsign/wire';

export class ShownCredentials {
  /** Forgotten with the principal. */
  readonly #shown = new WeakMap<Principal, string>();

  of(principal: Principal): string | undefined {
    return this.#shown.get(principal);
  }

  /** Authenticates as before, and remembers what was shown. */
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
