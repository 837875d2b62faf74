import { expect, it } from 'vitest';

import { BOUNDS } from '../../telemetry/metrics/tally.js';
import { pulseOf } from './live-feed.js';

const totals = (ended: number, failed: number, durations: Record<number, number>) => ({
  ended,
  failed,
  inFlight: 2,
  durations: Array.from({ length: BOUNDS.length + 1 }, (_, i) => durations[i] ?? 0),
});

it('a pulse counts the calls since the last one, and estimates how long they took', () => {
  const pulse = pulseOf(totals(10, 1, { 0: 10 }), totals(30, 3, { 0: 20, 3: 10 }), 7);
  expect(pulse).toMatchObject({ at: 7, calls: 20, failed: 2, inFlight: 2 });
  // Half of the new calls took up to 1 ms, the other half between 5 and 10 ms.
  expect(pulse.p50).toBeCloseTo(1);
  expect(pulse.p95).toBeCloseTo(9.5);
});

it('a pulse without calls has no durations', () => {
  const same = totals(1, 0, { 0: 1 });
  expect(pulseOf(same, same, 0)).toMatchObject({ calls: 0, p50: null, p95: null });
});

it('calls beyond the last bound count as the last bound', () => {
  expect(pulseOf(totals(0, 0, {}), totals(1, 0, { [BOUNDS.length]: 1 }), 0).p95).toBe(300_000);
});
