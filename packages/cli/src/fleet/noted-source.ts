/** A Source made of a remembered list. It lists tools and refuses every call. */

import { CallsignError, NOTHING, type Item, type Source } from '@callsign/core';

export function notedSource(server: string, tools: readonly Item[], instructions?: string): Source {
  const byName = new Map(tools.map((item) => [item.name, item]));
  return {
    offer: { ...NOTHING, tool: tools },
    instructions,
    route(kind, name) {
      const item = kind === 'tool' ? byName.get(name) : undefined;
      if (!item) return undefined;
      const reason = 'it has not been started';
      const send = () =>
        Promise.reject(new CallsignError('upstream-unavailable', { server, reason }));
      return { item, send };
    },
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}
