// `callsign connect`, with a gateway that runs already: until the tool list, its memory, and calls through it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { bundled } from '../lineup/callsign.mjs';
import { freshFolder, startOnStdio, writeConfig } from '../lineup/contestant.mjs';
import { relayOnStdio } from '../lineup/floor.mjs';
import { ask } from '../load/client.mjs';
import { drive } from '../load/drive.mjs';
import { launch, megabytes, stop } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';

const SCENARIO = 'connect';
const SERVERS = { one: ['--tools=10'] };
const LIST = { head: '{"jsonrpc":"2.0","id":', tail: ',"method":"tools/list"}' };
const colon = (server, tool, args) => ({ name: `${server}:${tool}`, args });

export const connect = {
  id: SCENARIO,
  title: 'A client of the shared gateway',
  async run(context) {
    const { plan, results, say } = context;
    const state = freshFolder('state');
    const config = writeConfig(SERVERS);
    const args = [...(await bundled()), 'connect', '--config', config];
    const env = { XDG_STATE_HOME: state, CALLSIGN_CONNECT_MS: '60000' };
    const open = () => startOnStdio(args, SERVERS, colon, { env });
    results.expect(['until the list', 'idle', '16 in flight', '64 in flight']);
    say('starting the gateway');
    const first = await open();
    const relay = await relayOnStdio().start(SERVERS);
    try {
      await inRounds([nodeTurn(results), listTurn(results, open)], {
        ...context,
        rounds: plan.commandRuns,
      });
      await idle(results, first);
      for (const inFlight of [16, 64]) {
        const load = `${inFlight} in flight`;
        const turns = [
          ['connect', first],
          ['relay', relay],
        ].map(([who, running]) => callTurn(results, { who, running, inFlight, load, plan }));
        await inRounds(turns, { ...context, rounds: 2 * plan.rounds });
      }
    } finally {
      await Promise.all([first.stop(), relay.stop()]);
      endGateway(state);
    }
  },
};

function nodeTurn(results) {
  return {
    name: 'node -e 0',
    async run(counts) {
      const start = performance.now();
      await launch(['-e', '0'], { listener: 'http' }).gone;
      if (counts) add(results, 'until the list', 'node', 'ms', performance.now() - start);
    },
  };
}

function listTurn(results, open) {
  return {
    name: 'connect',
    async run(counts) {
      const start = performance.now();
      const running = await open();
      await ask(running.client, LIST);
      if (counts) add(results, 'until the list', 'connect', 'ms', performance.now() - start);
      await running.stop();
    },
  };
}

/** Memory of a client's `connect`, and of a Node that does nothing. */
async function idle(results, { pid }) {
  const bare = launch(['-e', 'setInterval(() => undefined, 1e6)'], { listener: 'http' });
  await pause(1_000);
  add(results, 'idle', 'node', 'MB', megabytes(bare.child.pid));
  add(results, 'idle', 'connect', 'MB', megabytes(pid));
  await stop(bare);
}

function callTurn(results, { who, running, inFlight, load, plan }) {
  const calls = [running.call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
  return {
    name: who,
    async run(counts) {
      const done = await drive(running.client, { calls, inFlight, ms: plan.turnMs, leastBytes: 1 });
      if (counts) add(results, load, who, 'calls/s', done.calls / done.seconds);
    },
  };
}

function add(results, load, who, figure, value) {
  results.add({ scenario: SCENARIO, load, who, figure }, value);
}

/** The gateway outlives its clients. */
function endGateway(state) {
  for (const name of readdirSync(join(state, 'callsign', 'run'))) {
    const pid = /^(\d+)\.sock$/.exec(name)?.[1];
    if (pid !== undefined) process.kill(Number(pid), 'SIGTERM');
  }
}
