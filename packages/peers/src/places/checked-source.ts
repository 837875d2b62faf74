/**
 * A server that runs here, for calls from other instances. Each call is made in the name of its
 * caller, whose credential is checked here again.
 */

import { CallsignError, type Caller, type Kind, type Principal, type Source } from '@callsign/core';

import { readCaller } from './carried-caller.js';

/** The item that a caller wants to use. `name` is the server's own name. */
export interface Wanted {
  readonly kind: Kind;
  readonly server: string;
  readonly name: string;
}

/** Checks callers of other instances by the rules of this one. */
export interface CallerCheck {
  /** Whether a call without a credential is refused. */
  readonly isRequired: boolean;
  /**
   * Returns the caller with this credential if it may use the item; `undefined` if no credential is
   * required. Rejects with a `CallsignError` otherwise.
   */
  check(credential: string | undefined, wanted: Wanted): Promise<Principal | undefined>;
}

/** The same source, whose calls are checked before they are sent. */
export function checkedSource(server: string, source: Source, callers: CallerCheck): Source {
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
          const { id, era, client, capabilities, credential } = carried.caller;
          const principal = await callers.check(credential, { kind, server, name });
          const declared = JSON.parse(capabilities) as Record<string, unknown>;
          const caller: Caller = {
            // Unique among the callers of all instances.
            id: `${given.caller.id} ${id}`,
            era,
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
