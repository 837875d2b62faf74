/** Checks the caller of a call that came from another instance: by its credential and its roles, as here. */

import type { IncomingMessage } from 'node:http';

import { CallsignError, type Entry, type Kind, type Principal, type Target } from '@callsign/core';
import { canonicalName } from '@callsign/naming';
import type { CheckCaller } from '@callsign/peers';
import type { Authenticate } from '@callsign/wire';

/** Whose credential counts, what a caller may see, and what is listed. */
export function callerCheck(
  auth: { readonly authenticate: Authenticate },
  modules: {
    /** `undefined`: the caller may see everything. */
    sight(principal: Principal | undefined): ((target: Target) => boolean) | undefined;
  },
  placement: { entry(kind: Kind, server: string, canonical: string): Entry | undefined },
): CheckCaller {
  return async (credential, { kind, server, name }) => {
    const canonical = canonicalName({ server, tool: name });
    const headers = credential === undefined ? {} : { authorization: credential };
    const shown = await auth.authenticate({ headers } as IncomingMessage);
    const denied = (caller: string): CallsignError =>
      new CallsignError('access-denied', { caller, tool: canonical });
    if (shown && 'status' in shown) throw denied('A caller without a valid credential');
    const sees = modules.sight(shown);
    if (!sees) return shown;
    const target = placement.entry(kind, server, canonical);
    if (!target || !sees(target)) throw denied(shown?.name ?? 'A caller without a credential');
    return shown;
  };
}
