/** The bench itself: it measures, and leaves no process behind. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { eventually } from '../e2e/gateway-process.js';
import { descendantsOf, isAlive } from '../e2e/lifecycle/processes.js';
import { scratch } from '../testing/scratch.js';

interface Series {
  readonly who: string;
  readonly values: readonly number[];
}

type Judge = (
  results: { summary: () => { median: number; low: number; high: number } },
  scenarios: readonly string[],
) => { bar: { id: string }; verdict: string }[];

function startBench(...flags: string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'bench/run.mjs'), '--quick', ...flags]);
  onTestFinished(() => void child.kill('SIGTERM'));
  return { child, closed: once(child, 'close') as Promise<[number]> };
}

it('measures the floor and Callsign side by side, in every round', async () => {
  const folder = scratch();
  const file = join(folder, 'values.json');
  const { closed } = startBench('--only', 'progress', '--check', '--json', file);
  const [code] = await closed;
  expect(code).toBe(0);
  const { series } = JSON.parse(readFileSync(file, 'utf8')) as { series: Series[] };
  expect(series.map(({ who }) => who)).toEqual(['child', 'relay', 'callsign']);
  for (const { values } of series) {
    expect(values).toHaveLength(3);
    expect(Math.min(...values)).toBeGreaterThan(0);
  }
});

it('D16: holds limits on what a start with many servers costs', async () => {
  const { judge } = (await import(join(ROOT, 'bench/bars.mjs'))) as { judge: Judge };
  const missed = (median: number) =>
    judge({ summary: () => ({ median, low: median, high: median }) }, ['lists'])
      .filter(({ verdict }) => verdict === 'missed')
      .map(({ bar }) => bar.id);
  expect(missed(1)).toEqual([]);
  expect(missed(10_000)).toEqual(
    expect.arrayContaining(['lists-time', 'lists-memory', 'lists-core']),
  );
});

it('lists the scenarios for an unknown name', async () => {
  const { child, closed } = startBench('--only', 'weather');
  const said = await text(child.stderr);
  expect(await closed).toEqual([1, null]);
  expect(said).toContain('There is no scenario "weather". There are: stdio, http,');
});

it('leaves no process behind when it is interrupted', async () => {
  const { child, closed } = startBench('--only', 'progress');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  await eventually(() => said.includes('warming up'));
  const started = descendantsOf(child.pid!);
  // A server, a relay with its server, and a gateway with its own.
  expect(started.length).toBeGreaterThanOrEqual(5);
  child.kill('SIGINT');
  expect(await closed).toEqual([130, null]);
  await eventually(() => !started.some(isAlive));
});
