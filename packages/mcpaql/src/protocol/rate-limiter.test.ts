import { describe, expect, it } from 'vitest';

import type { RateLimitDocument } from '../adapter/adapter-document.js';
import { harbourAdapter, harbourDesk } from '../../../../test/adapters/harbour.js';
import { RateLimiter } from './rate-limiter.js';

const START = Date.UTC(2026, 0, 1);

async function limiterWith(...rules: RateLimitDocument[]) {
  let now = START;
  const { operations } = await harbourAdapter();
  const limiter = new RateLimiter(rules, { now: () => now });
  return {
    limiter,
    wait: (ms: number) => {
      now += ms;
    },
    /** The seconds that it asks to wait. 0: the call may run. */
    take(name: string): number {
      try {
        limiter.take(operations.get(name)!);
        return 0;
      } catch (error) {
        return (error as { details: { retry_after_seconds: number } }).details.retry_after_seconds;
      }
    },
  };
}

describe('a rate limit', () => {
  it('names the time until the next call is accepted, and accepts it then', async () => {
    const { take, wait } = await limiterWith({ scope: 'global', limit: 2, window: 'minute' });
    expect(take('list_ships')).toBe(0);
    wait(10_500);
    expect([take('list_ships'), take('list_ships')]).toEqual([0, 50]);
    wait(49_000);
    expect(take('list_ships')).toBe(1);
    wait(1000);
    expect([take('list_ships'), take('list_ships')]).toEqual([0, 10]);
  });

  it('counts calls in its scope', async () => {
    const { take } = await limiterWith(
      { scope: 'endpoint', endpoint: 'create', limit: 1, window: 'hour' },
      { scope: 'operation', operation: 'get_ship', limit: 1, window: 'day' },
    );
    expect([take('register_ship'), take('create_booking')]).toEqual([0, 3600]);
    expect([take('get_ship'), take('get_ship'), take('get_berth')]).toEqual([0, 86_400, 0]);
  });

  it('does not count a call that another limit refuses', async () => {
    const { take, wait } = await limiterWith(
      { scope: 'global', limit: 2, window: 'hour' },
      { scope: 'operation', operation: 'get_ship', limit: 1, window: 'second' },
    );
    expect([take('get_ship'), take('get_ship')]).toEqual([0, 1]);
    wait(1000);
    expect(take('get_ship')).toBe(0);
  });

  it('stays exact over many windows', async () => {
    const { take, wait } = await limiterWith({ scope: 'global', limit: 3, window: 'second' });
    let passed = 0;
    for (let i = 0; i < 1000; i++) {
      if (take('list_ships') === 0) passed++;
      wait(100);
    }
    expect(passed).toBe(300);
  });

  it('is reported to the caller, and the target gets no request', async () => {
    const rateLimits = [{ scope: 'global', limit: 1, window: 'minute' }] as const;
    const { desk, harbour } = await harbourDesk({ rateLimits }, { now: () => START });
    const list = { operation: 'list_berths' };
    expect(await desk.ask('read', list)).toMatchObject({ success: true });
    expect((await desk.ask('read', list)).error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: {
        limit: 1,
        remaining: 0,
        window: 'minute',
        retry_after_seconds: 60,
        resets_at: '2026-01-01T00:01:00.000Z',
      },
    });
    expect(harbour.requests).toHaveLength(1);
    expect(await desk.ask('read', { operation: 'introspect' })).toMatchObject({ success: true });
  });
});
