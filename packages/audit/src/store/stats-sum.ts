/** Adds up groups of calls into statistics. */

import { tokensOfLength } from '@callsign/core';

import { bucketMs } from '../record/duration-bucket.js';
import type { Stats, StatsGroup } from './audit-store.js';

/** A number of calls with the same outcome and about the same duration. */
interface Counted {
  /** Whether their outcome is not `ok`. */
  readonly failed: boolean;
  /** The bucket of their duration. `null`: they have not ended. */
  readonly bucket: number | null;
  readonly calls: number;
  /** The length of their arguments and results. Missing if the store does not add it up. */
  readonly characters?: number;
}

/** Calls of one tool and caller. */
export interface CallsOfTool extends Counted {
  readonly server: string | null;
  readonly tool: string;
  /** The caller, or the client if there was no credential. */
  readonly caller: string;
}

/** Calls of one day. */
export interface CallsOfDay extends Counted {
  readonly day: string;
}

/** Both inputs must count the same calls. */
export function statsOf(byTool: Iterable<CallsOfTool>, byDay: Iterable<CallsOfDay>): Stats {
  const total = new Group('');
  const [servers, tools, callers, days] = [new Groups(), new Groups(), new Groups(), new Groups()];
  for (const each of byTool) {
    servers.of(each.server ?? '(unknown)').add(each);
    tools.of(each.tool).add(each);
    callers.of(each.caller).add(each);
  }
  for (const each of byDay) {
    total.add(each);
    days.of(each.day).add(each);
  }
  return {
    total: total.end(),
    servers: servers.byCalls(),
    tools: tools.byCalls(),
    callers: callers.byCalls(),
    days: days.byName(),
  };
}

class Groups {
  readonly #groups = new Map<string, Group>();

  of(name: string): Group {
    let group = this.#groups.get(name);
    if (!group) this.#groups.set(name, (group = new Group(name)));
    return group;
  }

  byCalls(): StatsGroup[] {
    return this.byName().toSorted((a, b) => b.calls - a.calls);
  }

  byName(): StatsGroup[] {
    const all = Array.from(this.#groups.values(), (group) => group.end());
    return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

class Group {
  readonly #name: string;
  #calls = 0;
  #errors = 0;
  #characters: number | undefined;
  readonly #buckets = new Map<number, number>();

  constructor(name: string) {
    this.#name = name;
  }

  add({ calls, failed, bucket, characters }: Counted): void {
    if (characters !== undefined) this.#characters = (this.#characters ?? 0) + characters;
    this.#calls += calls;
    if (failed) this.#errors += calls;
    if (bucket !== null) this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + calls);
  }

  end(): StatsGroup {
    const sorted = [...this.#buckets].toSorted(([a], [b]) => a - b);
    const ended = sorted.reduce((sum, [, calls]) => sum + calls, 0);
    const tokens =
      this.#characters === undefined ? {} : { tokens: tokensOfLength(this.#characters) };
    const common = { name: this.#name, calls: this.#calls, errors: this.#errors, ...tokens };
    if (ended === 0) return common;
    return { ...common, p50: percentile(sorted, ended, 0.5), p95: percentile(sorted, ended, 0.95) };
  }
}

function percentile(
  sorted: readonly (readonly [bucket: number, calls: number])[],
  ended: number,
  share: number,
): number {
  let left = Math.ceil(ended * share);
  const [bucket] = sorted.find(([, calls]) => (left -= calls) <= 0)!;
  return bucketMs(bucket);
}
