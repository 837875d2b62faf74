import { once } from 'node:events';

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';

import { shows } from '../../../../test/requirements/shows.js';
import { type AuditRecord, createRegistrar, type ToolHandler, type ToolServer } from '../index.js';
import { createProgress } from './progress.js';
import { SESSIONS } from '../testing/session-kinds.js';
import type { Reported } from '../testing/sessions.js';

const NOTHING = z.object({});

describe.each(SESSIONS)('a handler on SDK %s', (_version, connect) => {
  const records: AuditRecord[] = [];
  const withHandler = (handler: ToolHandler<typeof NOTHING>) => {
    records.length = 0;
    return connect((server: ToolServer) => {
      const registerTool = createRegistrar({
        prefix: '',
        interceptors: { audit: (record) => records.push(record) },
      });
      registerTool(server, 'work', { description: 'Works.', inputSchema: NOTHING }, handler);
    });
  };
  const done = { content: [{ type: 'text' as const, text: 'done' }] };

  it(
    'reports steps done, steps in all and a text',
    shows('ANN-40', async () => {
      const session = await withHandler(async (_args, { progress }) => {
        await progress(0, 2, 'Loading');
        await progress(1, 2, 'Sailing');
        await progress(2, 2, 'Mooring');
        return done;
      });
      const reports: Reported[] = [];
      await session.call('work', {}, { onprogress: (report) => reports.push(report) });
      expect(reports).toEqual([
        { progress: 0, total: 2, message: 'Loading' },
        { progress: 1, total: 2, message: 'Sailing' },
        { progress: 2, total: 2, message: 'Mooring' },
      ]);
      await session.close();
    }),
  );

  it('may report to a client that did not ask, and nothing is sent', async () => {
    const session = await withHandler(async (_args, { progress }) => {
      await progress(1);
      return done;
    });
    expect(await session.call('work')).toEqual({ text: 'done' });
    await session.close();
  });

  it('never reports less than before, and never sends a value that is not a number', async () => {
    const session = await withHandler(async (_args, { progress }) => {
      for (const step of [1, 3, 2, 3, Number.NaN, Infinity, 4]) await progress(step);
      return done;
    });
    const reports: Reported[] = [];
    await session.call('work', {}, { onprogress: (report) => reports.push(report) });
    expect(reports.map(({ progress }) => progress)).toEqual([1, 3, 4]);
    await session.close();
  });

  it('limits its reports, and always sends the last step', async () => {
    const STEPS = 5000;
    const session = await withHandler(async (_args, { progress }) => {
      for (let step = 1; step <= STEPS; step += 1) await progress(step, STEPS);
      return done;
    });
    const reports: number[] = [];
    await session.call('work', {}, { onprogress: ({ progress }) => reports.push(progress) });
    expect(reports.length).toBeGreaterThanOrEqual(33);
    expect(reports.length).toBeLessThan(STEPS / 10);
    expect(reports.at(-1)).toBe(STEPS);
    await session.close();
  });

  it('sends a delayed step as soon as the limit allows', async () => {
    let heard: (() => void) | undefined;
    const waited = new Promise<void>((resolve) => (heard = resolve));
    const session = await withHandler(async (_args, { progress }) => {
      for (let step = 1; step <= 40; step += 1) void progress(step);
      await waited;
      return done;
    });
    const onprogress = ({ progress }: Reported) => progress === 40 && heard?.();
    expect(await session.call('work', {}, { onprogress })).toEqual({ text: 'done' });
    await session.close();
  });

  it('sees a cancellation even if it never pauses', async () => {
    let steps = 0;
    let ended: (() => void) | undefined;
    const finished = new Promise<void>((resolve) => (ended = resolve));
    const session = await withHandler(async (_args, { progress, signal }) => {
      while (!signal.aborted) await progress((steps += 1));
      ended?.();
      return done;
    });
    const cancel = new AbortController();
    const onprogress = () => cancel.abort();
    await expect(session.call('work', {}, { signal: cancel.signal, onprogress })).rejects.toThrow();
    await finished;
    expect(steps).toBeGreaterThan(0);
    await session.close();
  });

  it(
    'sees a cancellation between two steps, and one that throws then has not failed',
    shows('ANN-41', async () => {
      const steps: number[] = [];
      let ended: (() => void) | undefined;
      const finished = new Promise<void>((resolve) => (ended = resolve));
      const session = await withHandler(async (_args, { progress, signal }) => {
        try {
          for (let step = 0; step < 3; step += 1) {
            signal.throwIfAborted();
            steps.push(step);
            await progress(step);
            if (!signal.aborted) await once(signal, 'abort');
          }
          return done;
        } finally {
          ended?.();
        }
      });
      const cancel = new AbortController();
      const call = session.call(
        'work',
        {},
        { signal: cancel.signal, onprogress: () => cancel.abort() },
      );
      await expect(call).rejects.toThrow();
      await finished;
      await session.list();
      expect(steps).toEqual([0]);
      expect(records.map(({ status }) => status)).toEqual(['cancelled']);
      await session.close();
    }),
  );
});

it('the last report goes out before the answer, and nothing after it', async () => {
  // A client drops what comes late, so only the sending side can show this.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sent: unknown[] = [];
  const { report, close } = createProgress({
    signal: new AbortController().signal,
    progressToken: 1,
    auth: undefined,
    sessionId: undefined,
    notify: async ({ params }) => void sent.push(params['progress']),
  });
  for (let step = 1; step <= 40; step += 1) void report(step);
  await close();
  await report(41);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([...Array.from({ length: 32 }, (_, i) => i + 1), 40]);
});

it('a client that has disconnected causes no failure', async () => {
  const { report } = createProgress({
    signal: new AbortController().signal,
    progressToken: 1,
    auth: undefined,
    sessionId: undefined,
    notify: () => Promise.reject(new Error('Not connected')),
  });
  await expect(report(1)).resolves.toBeUndefined();
});
