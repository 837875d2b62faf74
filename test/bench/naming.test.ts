import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

it('the bench of names measures what each operation costs among many tools', () => {
  const args = ['bench/naming.mjs', '--json', '--quick'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status).toBe(0);
  const { rows } = JSON.parse(stdout) as { rows: { what: string; growth: number }[] };
  expect(rows.map(({ what }) => what)).toContain('look up');
  for (const { what, growth } of rows) expect(growth, what).toBeGreaterThan(0);
});
