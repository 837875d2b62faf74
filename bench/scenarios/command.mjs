// How long the command takes to say its first word, as it is published: bundled, and started anew each time.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { bundle } from '../../scripts/bundle.mjs';
import { scratch, writeConfig } from '../lineup/contestant.mjs';
import { HELLO } from '../load/client.mjs';
import { launch, stop } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';

const SCENARIO = 'command';
const COMMAND = join(import.meta.dirname, '../../packages/cli/bin/callsign.mjs');

export const command = {
  id: SCENARIO,
  title: 'The first word of the command',
  async run(context) {
    const { plan, results, say } = context;
    say('bundling');
    const packed = join(scratch, 'command');
    mkdirSync(join(packed, 'bin'), { recursive: true });
    cpSync(COMMAND, join(packed, 'bin/callsign.mjs'));
    await bundle(join(packed, 'bundle'));
    const file = join(packed, 'bin/callsign.mjs');
    // The log needs a database that is not in the bundle, and nothing is called here.
    const config = writeConfig({ one: ['--tools=10'] }, { audit: { mode: 'off' } });
    const commands = {
      'node -e 0': ['-e', '0'],
      'callsign --version': [file, '--version'],
      'callsign serve': [file, 'serve', '--stdio', '--config', config],
    };
    results.expect(Object.keys(commands));
    const turns = Object.entries(commands).map(([load, args]) => ({
      name: load,
      async run(counts) {
        const ms = await firstWord(args);
        if (counts) results.add({ scenario: SCENARIO, load, who: 'command', figure: 'ms' }, ms);
      },
    }));
    await inRounds(turns, { ...context, rounds: plan.commandRuns });
  },
};

/** Until it says something on standard output, or ends without a word. */
async function firstWord(args) {
  const start = performance.now();
  const launched = launch(args, { listener: 'stdio' });
  const { child, gone } = launched;
  child.stdin.write(`${HELLO.head}1${HELLO.tail}\n`);
  const said = new Promise((resolve) => child.stdout.once('data', resolve));
  await Promise.race([said, gone]);
  const ms = performance.now() - start;
  await stop(launched);
  return ms;
}
