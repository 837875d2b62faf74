// Other gateways from npm, each started as its documentation says, on the loopback.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { freePort } from '../../scripts/free-port.mjs';
import { httpClient } from '../load/http-client.mjs';
import { sseClient } from '../load/sse-client.mjs';
import { hear, launch } from '../processes.mjs';
import { childArguments, ready, scratch, startOnStdio, writeConfig } from './contestant.mjs';

const MODULES = join(import.meta.dirname, '../peers/node_modules');
const LOOPBACK = join(import.meta.dirname, '../peers/loopback.mjs');
export const SDK_GATEWAY = join(import.meta.dirname, 'sdk-gateway.mjs');
const LISTEN_MS = 60_000;
/** Files that peers write stay in a folder of the bench. */
const HOME = { HOME: scratch, XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch };

const bare = (_server, tool, args) => ({ name: tool, args });
const underscores = (server, tool, args) => ({ name: `${server}__${tool}`, args });
const byMetaTool = (server, tool, args) => ({
  name: 'call-tool',
  args: `"serverName":${JSON.stringify(server)},"toolName":${JSON.stringify(tool)},"toolArgs":{${args}}`,
});

/** @type {import('./contestant.mjs').Contestant} */
export const SDK_STDIO = {
  who: 'sdk',
  label: 'a small gateway on SDK v2',
  role: 'peer',
  listener: 'stdio',
  start: (servers) =>
    startOnStdio([SDK_GATEWAY, writeConfig(servers), '--stdio'], servers, underscores),
};

/** @type {import('./contestant.mjs').Contestant} */
export const SDK_HTTP = {
  ...SDK_STDIO,
  listener: 'http',
  async start(servers) {
    const launched = launch([SDK_GATEWAY, writeConfig(servers), '--http'], { listener: 'http' });
    const [, url] = await hear(launched, /listens on (\S+)/);
    const client = httpClient(url, { era: 'session', name: '' });
    return ready({ launched, client, servers, wording: underscores });
  },
};

/** @type {import('./contestant.mjs').Contestant[]} */
export const NPM_PEERS = [
  {
    who: 'mcp-hub-mcp',
    label: 'mcp-hub-mcp',
    role: 'peer',
    listener: 'stdio',
    start(servers) {
      const script = join(MODULES, 'mcp-hub-mcp/dist/index.js');
      const args = [script, '--config-path', writeConfig(servers)];
      return startOnStdio(args, servers, byMetaTool, { env: HOME });
    },
  },
  {
    who: 'mcp-hub',
    label: 'mcp-hub',
    role: 'peer',
    listener: 'http',
    async start(servers) {
      const port = await freePort();
      const script = join(MODULES, 'mcp-hub/dist/cli.js');
      const flags = ['--port', String(port), '--config', writeConfig(servers)];
      const launched = launch(['--import', LOOPBACK, script, ...flags], {
        listener: 'http',
        env: HOME,
      });
      // It never answers a call to a tool that it does not know yet.
      await listening(port, '/api/health', '"state":"ready"');
      const client = await sseClient(`http://127.0.0.1:${port}/mcp`);
      return ready({ launched, client, servers, wording: underscores });
    },
  },
  bridge('supergateway', 'supergateway/dist/index.js', (port, [script, ...flags]) => {
    const command = [process.execPath, script, ...flags].join(' ');
    const from = ['--stdio', command, '--stateful'];
    const to = ['--outputTransport', 'streamableHttp', '--port', String(port)];
    return [...from, ...to, '--logLevel', 'none'];
  }),
  bridge('mcp-proxy', 'mcp-proxy/dist/bin/mcp-proxy.mjs', (port, child) => {
    const to = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream'];
    return [...to, '--', process.execPath, ...child];
  }),
];

/** A bridge serves one server and keeps its names. */
function bridge(who, script, flagsFor) {
  return {
    who,
    label: who,
    role: 'peer',
    listener: 'http',
    async start(servers) {
      const [[key, flags]] = Object.entries(servers);
      const port = await freePort();
      const own = flagsFor(port, childArguments(flags));
      const args = ['--import', LOOPBACK, join(MODULES, script), ...own];
      const launched = launch(args, { listener: 'http', env: HOME });
      await listening(port);
      const client = httpClient(`http://127.0.0.1:${port}/mcp`, { era: 'session', name: '' });
      return ready({ launched, client, servers: { [key]: flags }, wording: bare });
    },
  };
}

/** Waits until a port answers with the expected words. */
export async function listening(port, path = '/', words = '') {
  const end = Date.now() + LISTEN_MS;
  for (;;) {
    const text = await textAt(`http://127.0.0.1:${port}${path}`);
    if (text?.includes(words)) return;
    if (Date.now() > end) throw new Error(`No server listens on port ${port}.`);
    await pause(50);
  }
}

async function textAt(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return await response.text();
  } catch {
    return undefined;
  }
}
