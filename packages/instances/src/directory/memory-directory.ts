/** A directory in memory, for several instances in one process: tests and simulations. */

import type { Clock } from '@callsign/core';

import { type Instance, type InstanceDirectory, SILENCE_MS } from './instance-directory.js';

export function memoryDirectory(clock: Clock, silenceMs: number = SILENCE_MS): InstanceDirectory {
  const instances = new Map<string, { readonly instance: Instance; readonly seen: number }>();
  const running = (): Instance[] =>
    [...instances.values()]
      .filter(({ seen }) => clock.now() - seen < silenceMs)
      .map(({ instance }) => instance);

  return {
    async announce(announcement) {
      const seen = clock.now();
      const seenAt = new Date(seen).toISOString();
      const startedAt = instances.get(announcement.id)?.instance.startedAt ?? seenAt;
      instances.set(announcement.id, { instance: { ...announcement, startedAt, seenAt }, seen });
    },
    async leave(id) {
      instances.delete(id);
    },
    async find(id) {
      return running().find((instance) => instance.id === id);
    },
    async list() {
      return running();
    },
  };
}
