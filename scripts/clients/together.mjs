// Six real clients at the same time on one shared gateway with twelve servers, of which two have a process for each
// client: which tools each client sends in its first request to the model, how many processes run, and their memory.
// Linux only, because it finds processes in /proc.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { startFakeApi } from './fake-api.mjs';

const CLIENTS = 6;
const OWN = ['puppeteer', 'sequential-thinking'];
const SHARED =
  'brave-search context7 everart exa figma filesystem gitlab google-maps memory postgres'.split(
    ' ',
  );
/** The longest time until all clients have asked the model. */
const ASKED_MS = 120_000;
/** After it, processes that were needed for lists only have ended. */
const SETTLED_MS = 15_000;
/** Names the processes of this run. */
const MARK = 'CALLSIGN_TOGETHER';

/**
 * @param {{
 *   clients: readonly import('./real-clients.mjs').RealClient[],
 *   entry: (name: string) => object,
 *   toolCount: (names: string[]) => number,
 *   takeTurn: (program: string, setup: object, home: string) => Promise<string | undefined>,
 *   programOf: (client: object) => string,
 *   command: string, work: string, say: (line: string) => void,
 * }} parts
 * @returns {Promise<string[]>} what failed
 */
export async function runTogether(parts) {
  const { work, command, say, entry, toolCount } = parts;
  const names = [...SHARED, ...OWN];
  const config = join(work, 'together.json');
  const marked = (name) => ({ ...entry(name), env: { [MARK]: work } });
  const servers = Object.fromEntries(
    names.map((name) => [
      name,
      { start: 'eager', ...(OWN.includes(name) ? { share: 'client' } : {}) },
    ]),
  );
  const mcpServers = Object.fromEntries(names.map((name) => [name, marked(name)]));
  writeFileSync(config, JSON.stringify({ mcpServers, callsign: { servers } }));
  const state = join(work, 'shared-state');
  const whole = toolCount(names);
  const failures = [];
  const entryFor = (...words) => ({
    command: process.execPath,
    args: [command, ...words, '--config', config],
  });
  try {
    // Today's way: a gateway of one's own for each client. One is measured, because six need several gigabytes.
    const alone = await crowd({
      ...parts,
      count: 1,
      callsign: entryFor('serve', '--stdio'),
      state,
    });
    say(
      `A gateway for each client: ${describe(alone)}, so ${CLIENTS} clients need ${mb(alone.memory * CLIENTS)}`,
    );
    // The first client starts the gateway.
    const connect = entryFor('connect');
    await crowd({ ...parts, count: 1, callsign: connect, state });
    const all = await crowd({ ...parts, count: CLIENTS, callsign: connect, state });
    say(`One gateway for ${CLIENTS} clients: ${describe(all)}`);
    for (const { name, tools } of all.asked) {
      say(`  ${name}: ${tools} of ${whole} tools in its first request`);
      if (tools < whole) failures.push(`${name}: ${whole - tools} tools missing`);
    }
    for (const failure of all.failures) failures.push(failure);
    const wanted = SHARED.length + OWN.length * CLIENTS;
    if (all.servers !== wanted) failures.push(`${all.servers} server processes, not ${wanted}`);
    if (all.memory > alone.memory * CLIENTS) failures.push('sharing takes more memory');
  } finally {
    const env = { ...process.env, XDG_STATE_HOME: state };
    spawnSync(process.execPath, [command, 'stop', '--all'], { env });
  }
  return failures;
}

/** Clients that come at the same time, measured when each has asked its model. */
async function crowd({ clients, takeTurn, programOf, work, count, callsign, state }) {
  let release;
  const isMeasured = new Promise((resolve) => (release = resolve));
  const turns = [];
  const apis = [];
  for (let i = 0; i < count; i++) {
    const client = clients[i % clients.length];
    const home = join(work, `together-${i}`);
    mkdirSync(home, { recursive: true });
    const api = await startFakeApi(() => isMeasured);
    apis.push({ api, name: `${client.name} ${Math.floor(i / clients.length) + 1}` });
    const setup = client.prepare({ home, api: api.url, callsign, waits: true, state });
    turns.push(takeTurn(programOf(client), setup, home));
  }
  const ended = Promise.all(turns);
  const end = Date.now() + ASKED_MS;
  while (Date.now() < end && !apis.every(({ api }) => api.tools.length > 0)) await pause(200);
  await pause(SETTLED_MS);
  const measured = measure(work);
  release();
  const failures = (await ended).filter((failure) => failure !== undefined);
  const asked = apis.map(({ api, name }) => ({
    name,
    tools: Math.max(0, ...api.tools.map((tools) => ours(tools))),
  }));
  for (const { api } of apis) api.close();
  return { ...measured, failures, asked };
}

const ours = (tools) => tools.filter((name) => name.includes('callsign')).length;

/** Servers are found by their variable, gateways and `connect` by the file in their command line. */
function measure(work) {
  const found = { servers: 0, others: 0, memory: 0 };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const isServer = textOf(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${work}`);
    const words = textOf(`/proc/${pid}/cmdline`).split('\0');
    const isOurs =
      words.includes(join(work, 'together.json')) && /^(?:connect|serve)$/.test(words[2]);
    if (!isServer && !isOurs) continue;
    if (isServer) found.servers++;
    else found.others++;
    found.memory += Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
  }
  return found;
}

function describe({ servers, others, memory }) {
  return `${servers} processes of servers and ${others} of Callsign, ${mb(memory)}`;
}

const mb = (megabytes) => `${megabytes.toFixed(0)} MB`;

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
