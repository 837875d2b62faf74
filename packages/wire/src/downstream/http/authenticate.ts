/** Authentication of a request: it gives a principal, or a refusal. */

import type { IncomingMessage } from 'node:http';

import type { Principal } from '@callsign/core';

/** The refusal of a request whose credential is missing or invalid. */
export interface Refused {
  /** 401: no valid credential. 403: it has too few permissions. 503: it cannot be checked now. */
  readonly status: 401 | 403 | 503;
  /** The `WWW-Authenticate` header. */
  readonly challenge: string;
  /** For people. Contains nothing of the credential. */
  readonly message: string;
}

/** Reads only the address and the headers, before the body arrives. `undefined`: no authentication. */
export type Authenticate = (
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url'>,
) => Principal | Refused | undefined | Promise<Principal | Refused>;

/** A caller as the instance describes it that has checked the credential. Nothing of the credential is in it. */
export interface StatedCaller extends Principal {
  /** When the token of the caller expires, in milliseconds since 1970. Default: it has an API key. */
  readonly until?: number;
}

/** How instances tell each other who a caller is. No instance shows a credential to another one. */
export interface StatedCallers {
  state(principal: Principal): StatedCaller;
  /** Checks a caller by the rules of this instance. `undefined`: no authentication. */
  admit(stated: StatedCaller | undefined): Principal | Refused | undefined;
}

export function isRefused(answer: Principal | Refused | undefined): answer is Refused {
  return answer !== undefined && 'status' in answer;
}

/**
 * Whether one principal may use what belongs to another. Other roles, or another set, count as
 * another principal: a caller that lost a role starts again, without what the old roles allowed.
 */
export function isSameParty(a: Principal | undefined, b: Principal | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.name !== b.name || a.set !== b.set) return false;
  const [had, has] = [new Set(a.roles), new Set(b.roles)];
  return had.size === has.size && b.roles.every((role) => had.has(role));
}
