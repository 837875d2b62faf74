/** One server, of which some members are changed. For sources that stand in front of a server. */

import type { Source } from './source.js';

/** All other members come from `server`, at every access: it may offer something else by then. */
export function changedSource(server: Source, changes: Partial<Source>): Source {
  const same: Source = {
    get offer() {
      return server.offer;
    },
    get skills() {
      return server.skills;
    },
    get instructions() {
      return server.instructions;
    },
    get unavailable() {
      return server.unavailable;
    },
    get account() {
      return server.account;
    },
    route: (kind, name) => server.route(kind, name),
    relay: (_, call) => server.relay?.('', call),
    capabilitiesFor: (era) => server.capabilitiesFor?.(era) ?? [],
    subscribe: (listener) => server.subscribe(listener),
    tell: (method, params) => server.tell(method, params),
  };
  // Not with `...`: that would read getters once.
  return Object.defineProperties(same, Object.getOwnPropertyDescriptors(changes));
}
