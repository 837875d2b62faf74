import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { notShown } from './coverage.js';
import { REGISTER } from './register.js';
import type { Requirement } from './requirement.js';
import { shows } from './shows.js';

const FIXTURE = join(ROOT, 'test', 'requirements', 'fixture');

describe('the register of requirements', () => {
  it('has unique ids and sentences', () => {
    expect(new Set(REGISTER.map(({ id }) => id)).size).toBe(REGISTER.length);
    expect(new Set(REGISTER.map(({ says }) => says)).size).toBe(REGISTER.length);
  });

  it('refuses a citation of an id that it does not have', () => {
    expect(() => shows('AGG-00' as 'AGG-01', () => undefined)).toThrow('AGG-00');
  });
});

describe('notShown', () => {
  const requirement = (id: string): Requirement => ({
    id,
    owner: 'naming',
    topic: 'annotation guide',
    level: 'must',
    says: id,
  });
  const register = [requirement('A-1'), requirement('A-2')];
  const missing = (...evidence: Parameters<typeof notShown>[1][]) =>
    notShown(
      register,
      evidence.flatMap((some) => [...some]),
    ).map(({ id }) => id);

  it('names every requirement without evidence', () => {
    expect(missing()).toEqual(['A-1', 'A-2']);
  });

  it('counts only tests that passed', () => {
    expect(missing([{ passed: false, ids: ['A-1', 'A-2'] }])).toEqual(['A-1', 'A-2']);
    expect(missing([{ passed: true, ids: ['A-2'] }])).toEqual(['A-1']);
  });
});

describe('the requirement reporter', () => {
  it('passes a full run that shows every requirement', async () => {
    const run = await runFixture('AGG-01,AGG-02,AGG-03');
    expect(run.output).not.toContain('Requirements without a passed test');
    expect(run.code).toBe(0);
  });

  it('fails a full run for what is skipped, expected to fail or not cited', async () => {
    const run = await runFixture('AGG-01,AGG-04,AGG-05,AGG-06,AGG-07');
    expect(run.output).toContain('Requirements without a passed test: 4\n');
    expect(run.output.match(/AGG-\d+/g)).toEqual(['AGG-04', 'AGG-05', 'AGG-06', 'AGG-07']);
    expect(run.code).toBe(1);
  });

  it('passes a full run for what this machine cannot show, and says so in one line (G21)', async () => {
    const run = await runFixture('AGG-01,N1');
    expect(run.output.match(/.*left out.*/gi)).toEqual([
      'Left out: 2 tests, because there is no moon.',
    ]);
    expect(run.code).toBe(0);
  });

  it.each([['not-passed.case.ts'], ['-t', 'passes with 1']])(
    'does not judge a filtered run: %s %s',
    async (...filter) => {
      const run = await runFixture('AGG-01,AGG-07', ...filter);
      expect(run.output).not.toContain('Requirements without a passed test');
      expect(run.code).toBe(0);
    },
  );
});

function runFixture(ids: string, ...filter: string[]): Promise<{ code: number; output: string }> {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const env: NodeJS.ProcessEnv = { ...process.env, REQUIREMENTS: ids, NO_COLOR: '1' };
  // Variables of the outer run would make the inner one think that it is a worker.
  for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', '--config', join(FIXTURE, 'vitest.config.ts'), ...filter],
      { cwd: FIXTURE, env },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
      },
    );
  });
}
