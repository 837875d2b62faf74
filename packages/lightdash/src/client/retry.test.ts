import { describe, expect, it } from 'vitest';

import { LightdashError, type LightdashErrorKind } from './lightdash-error.js';
import { pauseBeforeRetry } from './retry.js';

const POLICY = { retries: 3, firstPauseMs: 100, longestPauseMs: 5_000 };
const error = (kind: LightdashErrorKind, retryAfterMs?: number): LightdashError =>
  new LightdashError(kind, 'no', { retryAfterMs });

describe('the pause before another try', () => {
  it.each<LightdashErrorKind>(['rate-limited', 'server', 'unreachable', 'malformed'])(
    'exists for a temporary error: %s',
    (kind) => {
      expect(pauseBeforeRetry(error(kind), 0, POLICY)).toBeGreaterThan(0);
    },
  );

  it.each<LightdashErrorKind>([
    'unauthorized',
    'forbidden',
    'not-found',
    'no-endpoint',
    'invalid',
    'timeout',
    'not-lightdash',
  ])('does not exist for a permanent error: %s', (kind) => {
    expect(pauseBeforeRetry(error(kind), 0, POLICY)).toBeUndefined();
  });

  it('doubles, and varies between clients', () => {
    const pauses = [0, 1, 2].map((attempt) => {
      return [0, 1].map((random) =>
        pauseBeforeRetry(error('server'), attempt, POLICY, () => random),
      );
    });
    expect(pauses).toEqual([
      [50, 100],
      [100, 200],
      [200, 400],
    ]);
  });

  it('ends after the allowed number of tries', () => {
    expect(pauseBeforeRetry(error('server'), 3, POLICY)).toBeUndefined();
  });

  it('is the server’s, unless that is too long', () => {
    expect(pauseBeforeRetry(error('rate-limited', 1_234), 0, POLICY)).toBe(1_234);
    expect(pauseBeforeRetry(error('rate-limited', 5_001), 0, POLICY)).toBeUndefined();
  });

  it('does not exist for our own errors', () => {
    expect(pauseBeforeRetry(new TypeError('no'), 0, POLICY)).toBeUndefined();
  });
});
