import { expect, it } from 'vitest';

import { pointsOf, RecentCalls } from './recent-calls.js';

const WALL = 1_700_000_000_000;

function recent() {
  const clock = { now: 5_000 };
  const calls = new RecentCalls(
    () => clock.now,
    () => WALL + clock.now,
  );
  const add = (count: number, ms: number, hasFailed = false): void => {
    for (let i = 0; i < count; i++) calls.add(hasFailed, ms);
  };
  return { clock, calls, add };
}

const seconds = (now: number): number => (WALL + now) / 1000;

it('a point counts the calls since the last one, and estimates how long they took', () => {
  const { clock, calls, add } = recent();
  add(10, 0.5);
  add(8, 8);
  add(2, 8, true);
  clock.now += 700;
  const [point, ...others] = calls.take();
  expect(others).toEqual([]);
  expect(point).toMatchObject({ at: seconds(5_700), calls: 20, failed: 2 });
  // Half of the calls took up to 1 ms, the other half between 5 and 10 ms.
  expect(point!.p50).toBeCloseTo(1);
  expect(point!.p95).toBeCloseTo(9.5);
});

it('a point without calls has no durations', () => {
  const { calls } = recent();
  const silence = { at: seconds(5_000), calls: 0, failed: 0, p50: null, p95: null };
  expect(calls.take()).toEqual([silence]);
});

it('calls beyond the last bound count as the last bound', () => {
  const { calls, add } = recent();
  add(1, 10_000_000);
  expect(calls.take()[0]!.p95).toBe(300_000);
});

it('has the calls of the last minutes, including those from before someone looked (M27)', () => {
  const { clock, calls, add } = recent();
  add(1, 1);
  clock.now += 2_500;
  add(2, 1);
  clock.now += 400;
  add(3, 1);
  clock.now += 60_000;
  expect(calls.points().map((point) => point.calls)).toEqual([0]);
  calls.take();
  expect(calls.points()).toMatchObject([
    { at: seconds(6_000), calls: 1 },
    { at: seconds(67_900), calls: 5 },
    { at: seconds(67_900), calls: 0 },
  ]);
  add(7, 1);
  // Told later, and to everyone who listens.
  expect(calls.points()).toHaveLength(3);
  clock.now += 239_000;
  expect(calls.take()).toMatchObject([{ calls: 7 }]);
  expect(calls.points().map((point) => point.calls)).toEqual([5, 7, 0]);
  clock.now += 300_000;
  expect(calls.points().map((point) => point.calls)).toEqual([0]);
});

it('makes points of recorded calls, a second each', () => {
  const call = (at: number, ms: number, hasFailed = false) => ({ at: WALL + at, ms, hasFailed });
  expect(pointsOf([])).toEqual([]);
  const points = pointsOf([call(1_500, 8, true), call(300, 0.5), call(900, 0.5)]);
  expect(points).toMatchObject([
    { at: seconds(1_000), calls: 2, failed: 0 },
    { at: seconds(2_000), calls: 1, failed: 1 },
  ]);
  expect(points[0]!.p50).toBeCloseTo(0.5);
});
