// The gateways of the comparison. To add one: install it with `npm install --prefix bench/peers NAME`, and add an object here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { listening, SDK_GATEWAY } from '../lineup/peers.mjs';
import { httpClient } from '../load/http-client.mjs';
import { lineClient } from '../load/line-client.mjs';
import { sseClient } from '../load/sse-client.mjs';
import { hear, launch } from '../processes.mjs';

/**
 * @typedef {object} Gateway
 * @property {string} name
 * @property {string} [package] of bench/peers, whose version is shown
 * @property {true} [hasOneServer] a bridge, which serves one server under its own names
 * @property {true} [hidesTools] it lists tools of its own, which call the others
 * @property {(server: string, tool: string, args: object) => { name: string, arguments: object }} call
 * @property {(place: Place) => Promise<Started>} start
 */

/** @typedef {{ servers: Record<string, string[]>, folder: string }} Place keys of servers, each with the arguments of Node */

/**
 * @typedef {object} Started
 * @property {ReturnType<typeof launch>} launched
 * @property {() => Promise<import('../load/client.mjs').Client>} open a new connection; over stdio there is only one
 */

const MODULES = join(import.meta.dirname, '../peers/node_modules');
/** Makes a peer listen on loopback only. Not every peer has an option for that. */
const LOOPBACK = ['--import', join(import.meta.dirname, '../peers/loopback.mjs')];

const named = (separator) => (server, tool, args) => ({
  name: `${server}${separator}${tool}`,
  arguments: args,
});
const bare = (_server, tool, args) => ({ name: tool, arguments: args });

/** @type {Gateway[]} */
export const GATEWAYS = [
  {
    name: 'Callsign',
    call: named(':'),
    async start(place) {
      const command = await bundledCommand();
      const args = [command, 'serve', '--config', configIn(place), '--http', '0'];
      const launched = launchIn(place, args, 'http');
      const [, url] = await hear(launched, /listens on (\S+)/);
      return { launched, open: async () => overHttp(url) };
    },
  },
  {
    name: 'mcp-hub',
    package: 'mcp-hub',
    call: (server, tool, args) => named('__')(server.replaceAll('-', '_'), tool, args),
    async start(place) {
      const port = await freePort();
      const flags = ['--port', String(port), '--config', configIn(place)];
      const args = [...LOOPBACK, join(MODULES, 'mcp-hub/dist/cli.js'), ...flags];
      const launched = launchIn(place, args, 'http');
      // Before that, it refuses clients.
      await listening(port, '/api/health', '"state":"ready"');
      return { launched, open: () => sseClient(`http://127.0.0.1:${port}/mcp`) };
    },
  },
  {
    name: 'mcp-hub-mcp',
    package: 'mcp-hub-mcp',
    hidesTools: true,
    call: (server, tool, args) => ({
      name: 'call-tool',
      arguments: { serverName: server, toolName: tool, toolArgs: args },
    }),
    start: async (place) =>
      onStdio(place, [
        join(MODULES, 'mcp-hub-mcp/dist/index.js'),
        '--config-path',
        configIn(place),
      ]),
  },
  {
    name: 'a small gateway on SDK v2',
    call: named('__'),
    async start(place) {
      const launched = launchIn(place, [SDK_GATEWAY, configIn(place), '--http'], 'http');
      const [, url] = await hear(launched, /listens on (\S+)/);
      return { launched, open: async () => overHttp(url) };
    },
  },
  bridge('mcp-proxy', 'mcp-proxy/dist/bin/mcp-proxy.mjs', (port, server) => {
    const to = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream'];
    return [...to, '--', process.execPath, ...server];
  }),
  bridge('supergateway', 'supergateway/dist/index.js', (port, server) => {
    const from = ['--stdio', [process.execPath, ...server].join(' '), '--stateful'];
    const to = ['--outputTransport', 'streamableHttp', '--port', String(port)];
    return [...from, ...to, '--logLevel', 'none'];
  }),
];

function bridge(name, script, flagsFor) {
  return {
    name,
    package: name,
    hasOneServer: true,
    call: bare,
    async start(place) {
      const port = await freePort();
      const [server] = Object.values(place.servers);
      const args = [...LOOPBACK, join(MODULES, script), ...flagsFor(port, server)];
      const launched = launchIn(place, args, 'http');
      await listening(port);
      return { launched, open: async () => overHttp(`http://127.0.0.1:${port}/mcp`) };
    },
  };
}

/** The file that every client has. */
function configIn({ servers, folder }) {
  const file = join(folder, 'mcp.json');
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([key, args]) => [key, { command: process.execPath, args }]),
  );
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

/** What a gateway writes stays in its folder. */
function launchIn({ folder }, args, listener) {
  const env = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  return launch(args, { listener, env, cwd: folder });
}

function onStdio(place, args) {
  const launched = launchIn(place, args, 'stdio');
  const client = lineClient(launched.child);
  return { launched, open: async () => client };
}

function overHttp(url) {
  return httpClient(url, { era: 'session', name: '' });
}
