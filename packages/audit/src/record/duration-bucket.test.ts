import { expect, it } from 'vitest';

import { bucketMs, durationBucket } from './duration-bucket.js';

it.each([0.001, 0.02, 1, 37.5, 1_000, 86_400_000])('%d ms is known within 2.5 percent', (ms) => {
  expect(Math.abs(bucketMs(durationBucket(ms)) / ms - 1)).toBeLessThan(0.025);
});

it('the shortest durations share one bucket', () => {
  expect([-1, 0, 0.000_1, 0.001].map(durationBucket)).toEqual([0, 0, 0, 0]);
  expect(durationBucket(0.001_05)).toBe(1);
});
