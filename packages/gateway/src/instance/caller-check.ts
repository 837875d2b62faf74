/**
 * Checks the callers of calls that other instances send: by credential and roles, like local
 * callers.
 */

import {
  CallsignError,
  type Entry,
  type Kind,
  type Principal,
  resourceOf,
  type Target,
} from '@callsign/core';
import type { CallerCheck, Wanted } from '@callsign/instances/peers';
import { canonicalName } from '@callsign/naming';
import type { Authenticate } from '@callsign/wire';

/** The other instance is not believed: the credential is verified here again. */
export function callerCheck(
  auth: { readonly authenticate: Authenticate; readonly isRequired: boolean },
  modules: {
    /** `undefined`: the caller may see everything. */
    sight(principal: Principal | undefined): ((target: Target) => boolean) | undefined;
  },
  placement: { entry(kind: Kind, server: string, canonical: string): Entry | undefined },
): CallerCheck {
  const targetOf = ({ kind, server, name, uri }: Wanted): Target | undefined => {
    const entry = placement.entry(kind, server, canonicalName({ server, tool: name }));
    return entry && uri !== undefined ? resourceOf(entry, name, uri) : entry;
  };
  const check: CallerCheck['check'] = async (credential, wanted) => {
    const { server, name } = wanted;
    const canonical = canonicalName({ server, tool: name });
    const shown = await auth.authenticate(requestWith(credential));
    const denied = (caller: string): CallsignError =>
      new CallsignError('access-denied', { caller, tool: canonical });
    if (shown && 'status' in shown) throw denied('A caller without a valid credential');
    const sees = modules.sight(shown);
    if (!sees) return shown;
    const target = targetOf(wanted);
    if (!target || !sees(target)) throw denied(shown?.name ?? 'A caller without a credential');
    return shown;
  };
  return {
    get isRequired() {
      return auth.isRequired;
    },
    check,
  };
}

/** A request with this credential. Authentication reads only headers. */
function requestWith(credential: string | undefined): Parameters<Authenticate>[0] {
  return credential === undefined
    ? { headers: {}, rawHeaders: [] }
    : { headers: { authorization: credential }, rawHeaders: ['authorization', credential] };
}
