import { describe, expect, it } from 'vitest';

import { bucketMs, durationBucket } from '../record/duration-bucket.js';
import { type CallsOfTool, statsOf } from './stats-sum.js';

const [FAST, MIDDLE, SLOW] = [10, 100, 1_000].map(durationBucket) as [number, number, number];

const FS = { server: 'fs', tool: 'fs:read', caller: 'ada' };

const counted = (
  calls: number,
  bucket: number | null,
  more: Partial<CallsOfTool> = {},
): CallsOfTool => ({ ...FS, failed: false, bucket, calls, ...more });

describe('statistics', () => {
  it('have groups by server, tool and caller, those with most calls first', () => {
    const { servers, tools, callers } = statsOf(
      [
        counted(1, FAST),
        counted(2, FAST, { server: null, tool: 'typo', caller: 'bob', failed: true }),
        counted(3, MIDDLE, { tool: 'fs:write', failed: true }),
        counted(1, SLOW, { caller: 'cid' }),
        counted(2, FAST, { tool: 'fs:also' }),
      ],
      [],
    );
    const told = (groups: typeof tools): unknown[] =>
      groups.map(({ name, calls, errors }) => [name, calls, errors]);
    expect(told(servers)).toEqual([
      ['fs', 7, 3],
      ['(unknown)', 2, 2],
    ]);
    // Of equal numbers, the first name comes first.
    expect(told(tools)).toEqual([
      ['fs:write', 3, 3],
      ['fs:also', 2, 0],
      ['fs:read', 2, 0],
      ['typo', 2, 2],
    ]);
    expect(told(callers)).toEqual([
      ['ada', 6, 3],
      ['bob', 2, 2],
      ['cid', 1, 0],
    ]);
  });

  it('have the total and the days from the calls of days, the oldest first', () => {
    const ofDay = (day: string, calls: number, failed: boolean) => ({
      day,
      calls,
      failed,
      bucket: FAST,
    });
    const { total, days } = statsOf(
      [],
      [
        ofDay('2026-11-15', 9, false),
        ofDay('2026-11-14', 1, true),
        ofDay('2026-11-15', 2, true),
        ofDay('2026-11-16', 1, false),
      ],
    );
    expect(total).toMatchObject({ name: '', calls: 13, errors: 3 });
    expect(days.map(({ name, calls, errors }) => [name, calls, errors])).toEqual([
      ['2026-11-14', 1, 1],
      ['2026-11-15', 11, 2],
      ['2026-11-16', 1, 0],
    ]);
  });

  it.each<[string, CallsOfTool[], number | undefined, number | undefined]>([
    ['no call that has ended', [counted(3, null)], undefined, undefined],
    ['one call', [counted(1, MIDDLE), counted(9, null)], MIDDLE, MIDDLE],
    ['two calls', [counted(1, SLOW), counted(1, FAST)], FAST, SLOW],
    ['95 fast and 5 slow ones', [counted(5, SLOW), counted(95, FAST)], FAST, FAST],
    ['94 fast and 6 slow ones', [counted(6, SLOW), counted(94, FAST)], FAST, SLOW],
    [
      'several of each duration',
      [counted(20, FAST), counted(29, MIDDLE), counted(20, FAST, { tool: 'b' }), counted(9, SLOW)],
      FAST,
      SLOW,
    ],
  ])('have the percentiles of %s', (_, calls, p50, p95) => {
    const [server] = statsOf(calls, []).servers;
    expect(server!.p50).toBe(p50 && bucketMs(p50));
    expect(server!.p95).toBe(p95 && bucketMs(p95));
    expect('p50' in server!).toBe(p50 !== undefined);
  });
});
