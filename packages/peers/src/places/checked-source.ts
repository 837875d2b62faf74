/** A server for other instances: each call is made for the caller behind it, whose credential is checked here. */

import { CallsignError, type Caller, type Kind, type Principal, type Source } from '@callsign/core';

import { readCaller } from './carried-caller.js';

/** What a caller wants to use. `name` is the server's own. */
export interface Wanted {
  readonly kind: Kind;
  readonly server: string;
  readonly name: string;
}

/**
 * Returns the caller with this credential, if it may use the item; `undefined` if no credential is required.
 * Rejects with a `CallsignError` otherwise.
 */
export type CheckCaller = (
  credential: string | undefined,
  wanted: Wanted,
) => Promise<Principal | undefined>;

export function checkedSource(server: string, source: Source, check: CheckCaller): Source {
  return {
    get offer() {
      return source.offer;
    },
    get instructions() {
      return source.instructions;
    },
    get unavailable() {
      return source.unavailable;
    },
    subscribe: (listener) => source.subscribe(listener),
    tell: (method, params) => source.tell(method, params),
    route(kind, name) {
      const route = source.route(kind, name);
      if (!route) return undefined;
      return {
        ...route,
        async send(given) {
          const carried = readCaller(given);
          if (!carried) {
            throw new CallsignError('access-denied', { caller: 'An unnamed caller', tool: name });
          }
          const { id, client, capabilities, credential } = carried.caller;
          const principal = await check(credential, { kind, server, name });
          const declared = JSON.parse(capabilities) as Record<string, unknown>;
          const caller: Caller = {
            // Unique among the callers of all instances.
            id: `${given.caller.id} ${id}`,
            era: given.caller.era,
            client,
            principal,
            capabilities,
            can: (capability) => declared[capability] !== undefined,
          };
          return route.send(carried.call.with({ caller }));
        },
      };
    },
  };
}
