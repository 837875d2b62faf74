/** Who stands behind a request, as a listener asks it: a principal, or the answer for one who is not let in. */

import type { IncomingMessage } from 'node:http';

import type { Principal } from '@callsign/core';

/** The answer to a request whose credential is missing or not good. */
export interface Refused {
  /** 401: come back with a good one; 403: what it shows is not enough; 503: we cannot tell just now. */
  readonly status: 401 | 403 | 503;
  /** The `WWW-Authenticate` header: how to do better. */
  readonly challenge: string;
  /** For people; nothing of the credential is in it. */
  readonly message: string;
}

/** Reads a request's headers alone; its body is still to come. `undefined` where nobody is asked who he is. */
export type Authenticate = (
  request: IncomingMessage,
) => Principal | Refused | undefined | Promise<Principal | Refused>;

export function isRefused(answer: Principal | Refused | undefined): answer is Refused {
  return answer !== undefined && 'status' in answer;
}

/**
 * Whether what belongs to one may be used by the other. Other roles are another party: whoever lost
 * one starts anew, without what the old ones allowed.
 */
export function isSameParty(a: Principal | undefined, b: Principal | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.name !== b.name) return false;
  const [had, has] = [new Set(a.roles), new Set(b.roles)];
  return had.size === has.size && b.roles.every((role) => had.has(role));
}
