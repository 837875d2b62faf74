/** A directory in memory, for several instances in one process. */

import type { Clock } from '@callsign/core';
import {
  type Instance,
  type InstanceDirectory,
  type InstanceReport,
  KEPT_MS,
  SILENCE_MS,
} from '@callsign/instances';

interface Entered {
  readonly instance: Instance;
  readonly seen: number;
  readonly report: InstanceReport | undefined;
}

/** `silenceMs`: an instance that was silent for longer is not running. */
export function memoryDirectory(clock: Clock, silenceMs: number = SILENCE_MS): InstanceDirectory {
  const instances = new Map<string, Entered>();
  const seenWithin = (ms: number): Entered[] =>
    [...instances.values()].filter(({ seen }) => clock.now() - seen < ms);
  const running = (): Instance[] => seenWithin(silenceMs).map(({ instance }) => instance);

  return {
    async announce(announcement, report) {
      const seen = clock.now();
      const seenAt = new Date(seen).toISOString();
      const before = instances.get(announcement.id);
      const startedAt = before?.instance.startedAt ?? seenAt;
      instances.set(announcement.id, {
        instance: { ...announcement, startedAt, seenAt },
        seen,
        report: report ?? before?.report,
      });
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
    async known() {
      return seenWithin(KEPT_MS).map(({ instance, seen, report }) => {
        const silentMs = clock.now() - seen;
        return { ...instance, silentMs, ...(report ? { report } : {}) };
      });
    },
  };
}
