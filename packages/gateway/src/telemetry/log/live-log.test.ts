import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import { LiveLog } from './live-log.js';

it('shows a warning of a server once, at any time, and reads it in linear time', () => {
  const stream = new PassThrough() as unknown as NodeJS.WriteStream;
  const live = new LiveLog({ stream, env: {}, verbose: false });
  live.log('warning', '[s] it exited; starts again in 100 ms');
  live.log('warning', '[s] it exited; starts again in 200 ms');
  live.log('warning', `[s] ${'0'.repeat(2_000_000)}`);
  const lines = String((stream as unknown as PassThrough).read())
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThan(200);
  expect(lines.filter((line) => line.includes('starts again'))).toHaveLength(1);
  expect(lines[0]).toContain('starts again in 100 ms');
});
