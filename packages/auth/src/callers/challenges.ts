/** How somebody is turned away, so that a client knows what to do next (RFC 6750, RFC 9728). */

import type { TokenSettings } from './auth-settings.js';
import { metadataUrl } from './resource-metadata.js';

interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly challenge: string;
  readonly message: string;
}

export interface Challenges {
  /** There is no credential; that is no error yet. */
  missing(message: string): Refusal;
  malformed(message: string): Refusal;
  invalid(message: string): Refusal;
  insufficient(message: string): Refusal;
  /** We cannot tell; the credential may be good. */
  unavailable(message: string): Refusal;
}

/** Messages are ours: nothing that a client sent is in them. */
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
