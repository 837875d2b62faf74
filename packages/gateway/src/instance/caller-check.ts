/**
 * Checks the callers of calls that other instances send: who they are, and whether their roles allow it, like local
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
import type { StatedCallers } from '@callsign/wire';

/** The other instance has checked the credential. This one checks what the caller may do, by its own configuration. */
export function callerCheck(
  auth: StatedCallers & { readonly isRequired: boolean },
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
  const check: CallerCheck['check'] = (stated, wanted) => {
    const { server, name } = wanted;
    const canonical = canonicalName({ server, tool: name });
    const caller = auth.admit(stated);
    const denied = (who: string): CallsignError =>
      new CallsignError('access-denied', { caller: who, tool: canonical });
    if (caller && 'status' in caller) throw denied('A caller without a valid credential');
    const sees = modules.sight(caller);
    if (!sees) return caller;
    const target = targetOf(wanted);
    if (!target || !sees(target)) throw denied(caller?.name ?? 'A caller without a credential');
    return caller;
  };
  return {
    get isRequired() {
      return auth.isRequired;
    },
    state: auth.state,
    check,
  };
}
