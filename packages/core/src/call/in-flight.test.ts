import { expect, test } from 'vitest';

import { InFlight } from './in-flight.js';

test('behaves like a map under any changes', () => {
  const [ours, map] = [new InFlight<string | number, number>(), new Map<string | number, number>()];
  let random = 7;
  const next = (below: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return (random >>> 8) % below;
  };
  for (let step = 0; step < 50_000; step++) {
    const number = next(300);
    const id = number % 3 === 0 ? number : `"${number}"`;
    if (next(2) === 0) {
      ours.set(id, step);
      map.set(id, step);
    } else expect(ours.delete(id)).toBe(map.delete(id));
    expect(ours.get(id)).toBe(map.get(id));
    expect(ours.size).toBe(map.size);
  }
  expect(ours.values().toSorted()).toEqual([...map.values()].toSorted());
  for (const [id, value] of map) expect(ours.get(id)).toBe(value);
});

test('distinguishes an id without a value from an unknown id', () => {
  const flights = new InFlight<string, object | undefined>();
  flights.set('"a"', undefined);
  expect([flights.has('"a"'), flights.has('"b"'), flights.size]).toEqual([true, false, 1]);
  expect(flights.values()).toEqual([undefined]);
  expect([flights.delete('"a"'), flights.delete('"a"'), flights.size]).toEqual([true, false, 0]);
});

test('distinguishes a number from a text, and an empty text from nothing', () => {
  const flights = new InFlight<string | number, string>();
  flights.set(1, 'number');
  flights.set('1', 'text');
  flights.set('', 'empty');
  flights.set(0, 'zero');
  expect([1, '1', '', 0].map((id) => flights.get(id))).toEqual(['number', 'text', 'empty', 'zero']);
});

test('keeps ten thousand ids at once, and none after they are removed', () => {
  const flights = new InFlight<number, number>();
  for (let id = 0; id < 10_000; id++) flights.set(id * 65_536, id);
  expect([flights.size, flights.get(9_999 * 65_536)]).toEqual([10_000, 9_999]);
  for (let id = 0; id < 10_000; id++) flights.delete(id * 65_536);
  expect([flights.size, flights.values()]).toEqual([0, []]);
  flights.set(1, 1);
  flights.clear();
  expect([flights.size, flights.has(1)]).toEqual([0, false]);
});
