/** Every command that the README tells people to type works, and says what the README says. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const commands = new Set(read('README.md').match(/npm (?:run )?[a-z:-]+/g));
const npm = (...args: string[]) =>
  spawnSync('npm', ['--silent', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

describe('README.md', () => {
  it('names no command that is not shown to work here', () => {
    expect([...commands].toSorted()).toEqual([
      'npm run bench',
      'npm run check',
      'npm start',
      'npm test',
    ]);
  });

  it('npm start shows the tools of four servers', { timeout: 60_000 }, () => {
    const { status, stdout } = npm('start');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^filesystem:read_file +filesystem__read_file +filesystem__read_file +read/m,
    );
    expect(stdout).toMatch(/37 tools of 4 servers/);
    expect(stdout).not.toContain('\u001b');
  });

  it('npm run bench measures what a name costs', { timeout: 60_000 }, () => {
    const { status, stdout } = npm('run', 'bench', '--', '--json');
    expect(status).toBe(0);
    const { rows } = JSON.parse(stdout) as { rows: { what: string; growth: number }[] };
    // Flat per name: ten times the tools may not make each one several times dearer.
    for (const { what, growth } of rows) expect(growth, what).toBeLessThan(5);
  });

  it('npm test and npm run check are what CI runs', () => {
    expect(read('.ci/run')).toMatch(/^npm test$/m);
    expect(read('.ci/run')).toMatch(/^npm run check$/m);
  });
});
