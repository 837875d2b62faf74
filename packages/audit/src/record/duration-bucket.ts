/**
 * Durations in steps of 5 percent. Groups of calls can be added up, and their percentiles are still
 * known.
 */

const STEP = Math.log(1.05);
const SMALLEST_MS = 0.001;

/**
 * The number of the step that a duration falls into. `bucketMs` is its inverse, within 2.5
 * percent.
 */
export function durationBucket(ms: number): number {
  return ms <= SMALLEST_MS ? 0 : Math.round(Math.log(ms / SMALLEST_MS) / STEP);
}

/** The duration in the middle of a bucket. */
export function bucketMs(bucket: number): number {
  return SMALLEST_MS * Math.exp(bucket * STEP);
}
