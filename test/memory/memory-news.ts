/** News in memory, for several instances in one process. */

import type { News } from '@callsign/instances';

/** Reaches listeners of this process only. */
export function memoryNews(): News {
  const listeners = new Map<string, Set<(text: string) => void>>();
  return {
    isLive: true,
    async publish(topic, text) {
      // Listeners are called later, as with any other implementation.
      await Promise.resolve();
      for (const listener of listeners.get(topic) ?? []) listener(text);
    },
    subscribe(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => all.delete(listener);
    },
  };
}
