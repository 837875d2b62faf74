// A contestant: a process, a connection to it, and the form of its calls.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ask, callText, greet } from '../load/client.mjs';
import { lineClient } from '../load/line-client.mjs';
import { launch, stop } from '../processes.mjs';

/**
 * @typedef {object} Contestant
 * @property {string} who
 * @property {string} label
 * @property {'floor' | 'callsign' | 'peer'} role
 * @property {'stdio' | 'http'} listener
 * @property {{ who: string, label: string, tool: string }[]} [tools] tools it is called with besides `echo`
 * @property {(servers: Servers) => Promise<Running>} start
 */

/** @typedef {Record<string, string[]>} Servers keys of servers, each with the flags of its child */

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {import('../load/client.mjs').Client} client
 * @property {(what: { server: string, tool: string, args: string, meta?: string }) => { head: string, tail: string }} call
 * @property {() => Promise<void>} stop
 */

/** @typedef {(server: string, tool: string, args: string) => { name: string, args: string }} Wording */

const CHILD = join(import.meta.dirname, '../floor/child.mjs');
const READY_MS = 60_000;

export const scratch = mkdtempSync(join(tmpdir(), 'callsign-bench-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

let lastFile = 0;

/** A unique path. */
function freshFile(name) {
  return join(scratch, `${++lastFile}-${name}`);
}

export function freshFolder(name) {
  const folder = freshFile(name);
  mkdirSync(folder);
  return folder;
}

/** Writes a configuration in the form that every client has. Returns the file. */
export function writeConfig(servers, settings) {
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([key, flags]) => [
      key,
      { command: process.execPath, args: [CHILD, ...flags] },
    ]),
  );
  const file = freshFile('config.json');
  const all = settings === undefined ? { mcpServers } : { mcpServers, callsign: settings };
  writeFileSync(file, JSON.stringify(all));
  return file;
}

export function childArguments(flags) {
  return [CHILD, ...flags];
}

/** Launches a contestant on stdio. @param {Wording} wording */
export function startOnStdio(args, servers, wording, { era = 'session', env } = {}) {
  const launched = launch(args, { listener: 'stdio', env });
  const client = lineClient(launched.child);
  return ready({ launched, client, servers, wording, era });
}

/** Does the handshake, and waits until every server can be called. */
export async function ready({ launched, client, servers, wording, era = 'session' }) {
  const { child, gone } = launched;
  const call = ({ server, tool, args, meta }) =>
    callText({ ...wording(server, tool, args), ...(meta ? { meta } : {}), era });
  const usable = (async () => {
    await greet(client, era);
    const end = Date.now() + READY_MS;
    for (const server of Object.keys(servers)) {
      const probe = call({ server, tool: 'echo', args: '"text":"ready"' });
      while (!isEcho(await ask(client, probe))) {
        if (Date.now() > end) throw new Error(`It was not ready in time: ${launched.said}`);
        await pause(20);
      }
    }
  })();
  const dead = gone.then((code) => {
    throw new Error(`It ended with ${code}: ${launched.said}`);
  });
  await Promise.race([usable, dead]);
  dead.catch(() => undefined);
  return {
    pid: child.pid,
    client,
    call,
    async stop() {
      client.close();
      await stop(launched);
    },
  };
}

/** Whether an answer contains the echoed text, in any form. */
function isEcho(answer) {
  return answer.result?.isError !== true && JSON.stringify(answer.result ?? '').includes('ready');
}
