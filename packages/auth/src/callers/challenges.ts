/** Refusals that tell a client what to do next (RFC 6750, RFC 9728). */

import type { TokenSettings } from './auth-settings.js';
import { metadataUrl } from './resource-metadata.js';

interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly challenge: string;
  readonly message: string;
}

/** One refusal for each thing that can be wrong with a credential. */
export interface Challenges {
  /** There is no credential. That is not an error yet, so no error code is sent. */
  missing(message: string): Refusal;
  malformed(message: string): Refusal;
  invalid(message: string): Refusal;
  insufficient(message: string): Refusal;
  /** The credential cannot be checked. It may be valid. */
  unavailable(message: string): Refusal;
}

/** Messages must be our own and contain nothing from the client, since they go into a header. */
export function createChallenges(tokens: TokenSettings | undefined): Challenges {
  const where = tokens ? [`resource_metadata="${metadataUrl(tokens)}"`] : ['realm="callsign"'];
  const scope = tokens && tokens.scopes.length > 0 ? [`scope="${tokens.scopes.join(' ')}"`] : [];
  const refusal = (status: Refusal['status'], error?: string) => (message: string) => {
    const problem =
      error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`];
    return { status, message, challenge: `Bearer ${[...where, ...scope, ...problem].join(', ')}` };
  };
  return {
    missing: refusal(401),
    malformed: refusal(401, 'invalid_request'),
    invalid: refusal(401, 'invalid_token'),
    insufficient: refusal(403, 'insufficient_scope'),
    unavailable: refusal(503),
  };
}
