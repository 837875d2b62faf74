/** Mutants in real worker processes: killed by a test or by a crash, surviving, or never returning. */

import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { runJobs, type JudgeJob } from '../../scripts/mutation/pool.mjs';

const FILE = 'packages/core/src/text/glob.ts';
const ENDLESS = 'for (;;);';
const source = readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8');

const job = (from: string, to: string): JudgeJob => {
  const start = source.indexOf(from);
  expect(start).not.toBe(-1);
  return {
    type: 'judge',
    file: FILE,
    edit: { start, end: start + from.length, text: to },
    runs: [{ test: 'packages/core/src/text/glob.test.ts' }],
  };
};

it(
  'kills, spares and gives up on mutants, and leaves the file alone',
  { timeout: 120_000 },
  async () => {
    const jobs = [
      job('return true;', ENDLESS),
      job('return true;', 'return false;'),
      job('let at = 0;', "let at = 0; process.kill(process.pid, 'SIGKILL');"),
      job('return true;', 'return true;'),
    ];
    const heard: string[] = [];
    const answers = await runJobs(jobs, {
      workers: 1,
      timeoutMs: ({ edit }) => (edit.text === ENDLESS ? 5_000 : 100_000),
      onLost: (_, why) => ({ state: why === 'timeout' ? why : 'killed' }),
      onAnswer: ({ state }) => heard.push(state),
    });
    expect(answers.map(({ state }) => state)).toEqual(['timeout', 'killed', 'killed', 'survived']);
    expect(heard).toEqual(['timeout', 'killed', 'killed', 'survived']);
    expect(readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8')).toBe(source);
  },
);
