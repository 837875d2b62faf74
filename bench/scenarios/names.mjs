// What a name costs: rendering, tables, look-ups and guesses, each in a process of its own.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../naming.mjs');

export const names = {
  id: 'names',
  title: 'What a name costs',
  async run({ plan, results, say }) {
    if (!plan.names) return;
    say('rendering, looking up, guessing');
    const { stdout } = spawnSync(process.execPath, [SCRIPT, '--json'], { timeout: 60_000 });
    const { sizes, rows } = JSON.parse(stdout.toString());
    for (const { what, nanoseconds } of rows) {
      sizes.forEach((size, i) => {
        const load = `${size.toLocaleString('en')} tools`;
        results.add({ scenario: 'names', load, who: what, figure: 'ns per name' }, nanoseconds[i]);
      });
    }
  },
};
