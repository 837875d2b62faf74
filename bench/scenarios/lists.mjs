// The first list of tools after a start with 26 recorded servers, two of them slow: how long it
// takes, whether it is complete, how many change notices the client gets, and what the start costs.
// Measured at the first and at the second start.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { freshFolder } from '../lineup/contestant.mjs';
import { SDK_GATEWAY } from '../lineup/peers.mjs';
import { greet, request } from '../load/client.mjs';
import { lineClient } from '../load/line-client.mjs';
import { coreTime, launch, megabytes, stop } from '../processes.mjs';

const SCENARIO = 'lists';
const LOADS = ['first start', 'second start'];
const FIXTURES = join(import.meta.dirname, '../../test');
/** The servers of the recordings that were measured side by side with other gateways, and two slow ones. */
const SERVERS =
  'azure brave-search brightdata cloudflare commands context7 everart everything exa figma filesystem github ' +
  'gitlab google-maps mapbox memory notion perplexity playwright postgres puppeteer sequential-thinking slack tavily';
const SLOW = { jira: 3_000, trello: 5_000 };
/** The wait after the first list: longer than the slowest server needs. */
const REST_MS = 7_000;
const CHANGED = '"notifications/tools/list_changed"';

export const lists = {
  id: SCENARIO,
  title: 'The first list with 26 servers',
  async run({ plan, results, say }) {
    results.expect(LOADS);
    const command = await bundledCommand();
    const contestants = [
      { who: 'callsign', argsFor: (config) => [command, 'serve', '--config', config, '--quiet'] },
      { who: 'sdk', argsFor: (config) => [SDK_GATEWAY, config, '--stdio'] },
    ];
    for (let round = 1; round <= plan.starts; round++) {
      for (const { who, argsFor } of contestants) {
        const state = freshFolder('state');
        const config = join(state, 'mcp.json');
        writeFileSync(config, JSON.stringify({ mcpServers: entries() }));
        for (const load of LOADS) {
          say(`${who}, ${load}: round ${round} of ${plan.starts}`);
          const figures = await start(argsFor(config), state).catch((error) => {
            results.note(`${who} (${load}) dropped out: ${error.message}`);
            return {};
          });
          for (const [figure, value] of Object.entries(figures)) {
            if (value !== undefined) results.add({ scenario: SCENARIO, load, who, figure }, value);
          }
        }
      }
    }
  },
};

function entry(name, ...flags) {
  const child = join(FIXTURES, 'fixtures/recorded-child.mjs');
  return { command: process.execPath, args: [child, recording(name), ...flags] };
}

function entries() {
  return Object.fromEntries([
    ...SERVERS.split(' ').map((name) => [name, entry(name)]),
    ...Object.entries(SLOW).map(([name, ms]) => [name, entry(name, `--delay-start=${ms}`)]),
  ]);
}

function recording(name) {
  return join(FIXTURES, 'recordings/servers', `${name}.json`);
}

/** All tools that the servers have. */
function recordedTools() {
  return [...SERVERS.split(' '), ...Object.keys(SLOW)].reduce(
    (sum, name) => sum + JSON.parse(readFileSync(recording(name), 'utf8')).tools.length,
    0,
  );
}

/** One start, from the spawn to some time after all servers are there. */
async function start(args, state) {
  const env = { HOME: state, XDG_STATE_HOME: state };
  const began = performance.now();
  const launched = launch(args, { listener: 'stdio', env });
  const { pid } = launched.child;
  try {
    const client = lineClient(launched.child);
    let changes = 0;
    client.onNotice((line) => {
      if (line.includes(CHANGED)) changes++;
    });
    await greet(client, 'session');
    const asked = performance.now();
    const first = await request(client, 'tools/list');
    const got = performance.now();
    await pause(REST_MS);
    const core = coreTime(pid);
    return {
      'ms from the start': got - began,
      'ms from the request': got - asked,
      'share of all tools': first.result.tools.length / recordedTools(),
      'list changes announced': changes,
      's on a core': core === undefined ? undefined : core / 1e6,
      MB: megabytes(pid),
    };
  } finally {
    await stop(launched);
  }
}
