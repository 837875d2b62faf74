import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

it('a name costs the same among many', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['bench/naming.mjs', '--json', '--quick'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  expect(status).toBe(0);
  const { rows } = JSON.parse(stdout) as { rows: { what: string; growth: number }[] };
  // Flat per name: ten times the tools may not make each one several times dearer.
  for (const { what, growth } of rows) expect(growth, what).toBeLessThan(5);
});
