/** A hundred instances that are restarted one after another while clients call. Each run follows from its seed. */

import { describe, expect, it } from 'vitest';

import { SimulatedCalls } from './simulated-calls.js';
import { SERVERS, SimulatedCluster } from './simulated-cluster.js';
import { CALM, STORMY, type Weather } from './virtual-network.js';

const COUNT = 100;
/** How long clients call, and how long the last calls may take. */
const CALLS_MS = 20_000;
const REST_MS = 15_000;

interface Run {
  readonly seed: number;
  readonly weather: Weather;
  /** Also kills instances and cuts them off. */
  readonly hasFailures: boolean;
}

async function run({ seed, weather, hasFailures }: Run): Promise<SimulatedCalls> {
  const cluster = new SimulatedCluster(seed, weather);
  const { time, random, network } = cluster;
  const calls = new SimulatedCalls(cluster);
  for (let number = 0; number < COUNT; number++) cluster.start();
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const every = (each: number, act: () => void): void => {
    const again = (): void => {
      // The last calls get their time.
      if (time.now > CALLS_MS) return;
      act();
      time.after(each * (0.5 + random()), again);
    };
    time.after(each, again);
  };
  every(15, () => void calls.call(one(calls.ready), one(SERVERS)));
  every(500, () => {
    const [holder] = cluster.holders(one(SERVERS));
    const owner = calls.ready.find(({ id }) => id === holder);
    void calls.drain(owner ?? one(calls.ready));
    cluster.start();
  });
  if (hasFailures) {
    every(4_000, () => {
      cluster.kill(one(calls.ready));
      cluster.start();
    });
    every(4_000, () => {
      const { id } = one(calls.ready);
      network.place(id, 1);
      time.after(1_000 + random() * 10_000, () => network.place(id, 0));
    });
  }
  await time.runUntil(CALLS_MS + REST_MS, () => undefined);
  return calls;
}

/** Calls that reached a server more than once. */
function twice({ made }: SimulatedCalls): number[] {
  const seen = new Set<number>();
  return made.map(({ call }) => call).filter((call) => seen.has(call) || !seen.add(call));
}

describe('a hundred instances that drain one after another', () => {
  it.each([11, 12])('answer every call once, by seed %i', async (seed) => {
    const calls = await run({ seed, weather: CALM, hasFailures: false });
    expect(calls.drained).toBeGreaterThan(30);
    // Some calls came to an instance that had begun to hand their server over.
    expect(calls.moved).toBeGreaterThan(20);
    expect(calls.begun).toBeGreaterThan(1_000);
    expect([...calls.outcomes.values()].filter((outcome) => outcome !== 'ok')).toEqual([]);
    expect(calls.outcomes.size).toBe(calls.begun);
    expect(twice(calls)).toEqual([]);
    expect(calls.made).toHaveLength(calls.begun);
    // A server never ran calls on two instances at the same time.
    for (const server of SERVERS) {
      const made = calls.made.filter((each) => each.server === server);
      const last = new Map<string, number>();
      for (const { instance, from, to } of made) {
        for (const [other, until] of last) if (other !== instance) expect(until).toBeLessThan(from);
        last.set(instance, Math.max(last.get(instance) ?? 0, to!));
      }
    }
  });

  it.each([13, 14])('make no call twice if messages are lost too, by seed %i', async (seed) => {
    const calls = await run({ seed, weather: STORMY, hasFailures: true });
    expect(calls.drained).toBeGreaterThan(20);
    expect(calls.moved).toBeGreaterThan(20);
    expect(twice(calls)).toEqual([]);
    const made = new Set(calls.made.map(({ call }) => call));
    for (const [call, outcome] of calls.outcomes) {
      if (outcome === 'ok') expect(made.has(call)).toBe(true);
      if (outcome === 'unsent') expect(made.has(call)).toBe(false);
    }
    // Kills, partitions and lost messages take some answers.
    const answered = [...calls.outcomes.values()].filter((outcome) => outcome === 'ok').length;
    expect(answered / calls.begun).toBeGreaterThan(0.8);
  });
});
