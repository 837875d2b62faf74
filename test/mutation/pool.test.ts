/** Mutants in real worker processes: one that a test kills, one that survives, one that never returns. */

import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { runJobs, type JudgeJob } from '../../scripts/mutation/pool.mjs';

const FILE = 'packages/core/src/glob.ts';
const source = readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8');

const job = (from: string, to: string): JudgeJob => {
  const start = source.indexOf(from);
  expect(start).not.toBe(-1);
  return {
    type: 'judge',
    file: FILE,
    edit: { start, end: start + from.length, text: to },
    runs: [{ test: 'packages/core/src/glob.test.ts' }],
  };
};

it(
  'kills, spares and gives up on mutants, and leaves the file alone',
  { timeout: 120_000 },
  async () => {
    const jobs = [
      job('return true;', 'for (;;);'),
      job('return true;', 'return false;'),
      job('return true;', 'return true;'),
    ];
    const heard: string[] = [];
    const answers = await runJobs(jobs, {
      workers: 1,
      timeoutMs: () => 20_000,
      onTimeout: () => ({ state: 'timeout' }),
      onAnswer: ({ state }) => heard.push(state),
    });
    expect(answers.map(({ state }) => state)).toEqual(['timeout', 'killed', 'survived']);
    expect(heard).toEqual(['timeout', 'killed', 'survived']);
    expect(readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8')).toBe(source);
  },
);
