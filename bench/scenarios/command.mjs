// How long the command takes to its first output, as it is published: bundled, and started again each time.
import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { freshFolder, writeConfig } from '../lineup/contestant.mjs';
import { HELLO } from '../load/client.mjs';
import { launch, stop } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';

const SCENARIO = 'command';
/** After this answer, Callsign knows its servers, and remembers them at its end. */
const LIST = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}
${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`;

export const command = {
  id: SCENARIO,
  title: 'The first output of the command',
  async run(context) {
    const { plan, results, say } = context;
    say('bundling');
    const file = await bundledCommand();
    const config = writeConfig({ one: ['--tools=10'] });
    const serve = [file, 'serve', '--stdio', '--config', config];
    const kept = freshFolder('state');
    await firstWord(serve, kept, LIST);
    const commands = {
      'node -e 0': { args: ['-e', '0'] },
      'callsign --version': { args: [file, '--version'] },
      'callsign serve, first start': { args: serve },
      'callsign serve, second start': { args: serve, state: kept },
    };
    results.expect(Object.keys(commands));
    const turns = Object.entries(commands).map(([load, { args, state }]) => ({
      name: load,
      async run(counts) {
        const ms = await firstWord(args, state ?? freshFolder('state'));
        if (counts) results.add({ scenario: SCENARIO, load, who: 'command', figure: 'ms' }, ms);
      },
    }));
    await inRounds(turns, { ...context, rounds: plan.commandRuns });
  },
};

/** Until it prints to standard output, or ends without output. `more` is asked after that. */
async function firstWord(args, state, more) {
  const start = performance.now();
  const launched = launch(args, { listener: 'stdio', env: { XDG_STATE_HOME: state } });
  const { child, gone } = launched;
  child.stdin.write(`${HELLO.head}1${HELLO.tail}\n`);
  const said = new Promise((resolve) => child.stdout.once('data', resolve));
  await Promise.race([said, gone]);
  const ms = performance.now() - start;
  if (more !== undefined) {
    child.stdin.write(more);
    await new Promise((resolve) => child.stdout.once('data', resolve));
  }
  await stop(launched);
  return ms;
}
