/**
 * A server with an invalid entry. It cannot start, lists its last known offer, and refuses all
 * calls.
 */

import { CallsignError, NOTHING, type Source } from '@callsign/core';
import type { RememberedOffer } from '@callsign/wire';

/** `reason` reaches callers, so it must not contain secrets. */
export function unavailableSource(
  server: string,
  reason: string,
  remembered: RememberedOffer | undefined,
): Source {
  const offer = remembered ? { ...NOTHING, ...remembered.lists } : NOTHING;
  return {
    offer,
    instructions: remembered?.instructions,
    skills: remembered?.skills,
    unavailable: reason,
    route(kind, name) {
      const item = offer[kind].find((each) => each.name === name);
      if (!item) return undefined;
      const error = new CallsignError('upstream-unavailable', { server, reason });
      return { item, send: () => Promise.reject(error) };
    },
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}
