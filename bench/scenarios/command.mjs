// How long the command takes to its first output, as it is published: bundled, and started again each time.
import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { freshFolder, writeConfig } from '../lineup/contestant.mjs';
import { HELLO } from '../load/client.mjs';
import { launch, stop } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';

const SCENARIO = 'command';

export const command = {
  id: SCENARIO,
  title: 'The first output of the command',
  async run(context) {
    const { plan, results, say } = context;
    say('bundling');
    const file = await bundledCommand();
    const config = writeConfig({ one: ['--tools=10'] });
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
  const env = { XDG_STATE_HOME: freshFolder('state') };
  const launched = launch(args, { listener: 'stdio', env });
  const { child, gone } = launched;
  child.stdin.write(`${HELLO.head}1${HELLO.tail}\n`);
  const said = new Promise((resolve) => child.stdout.once('data', resolve));
  await Promise.race([said, gone]);
  const ms = performance.now() - start;
  await stop(launched);
  return ms;
}
