/** Checks the caller of a call that came from another instance: by its credential and its roles, as here. */

import type { IncomingMessage } from 'node:http';

import { CallsignError, type Entry, type Kind, type Principal, type Target } from '@callsign/core';
import { canonicalName } from '@callsign/naming';
import type { Wanted } from '@callsign/peers';
import type { Authenticate } from '@callsign/wire';

export interface CallerChecks {
  readonly authenticate: Authenticate;
  /** What a caller may see; `undefined`: everything. */
  readonly sight: (principal: Principal | undefined) => ((target: Target) => boolean) | undefined;
  readonly entry: (kind: Kind, server: string, canonical: string) => Entry | undefined;
}

export async function checkCaller(
  credential: string | undefined,
  { kind, server, name }: Wanted,
  { authenticate, sight, entry }: CallerChecks,
): Promise<Principal | undefined> {
  const canonical = canonicalName({ server, tool: name });
  const headers = credential === undefined ? {} : { authorization: credential };
  const shown = await authenticate({ headers } as IncomingMessage);
  const denied = (caller: string): CallsignError =>
    new CallsignError('access-denied', { caller, tool: canonical });
  if (shown && 'status' in shown) throw denied('A caller without a valid credential');
  const sees = sight(shown);
  if (!sees) return shown;
  const target = entry(kind, server, canonical);
  if (!target || !sees(target)) throw denied(shown?.name ?? 'A caller without a credential');
  return shown;
}
