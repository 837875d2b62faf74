// Real clients that sign in to a gateway: each prints the page that it would open in a browser, a person says yes there,
// and it lists and calls tools. A second start needs no person, and after `callsign sign-ins revoke` it needs one again.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { freePort } from '../free-port.mjs';
import { sayYes } from '../say-yes.mjs';

const FIXTURE = join(import.meta.dirname, '../../test/fixtures/everything.mjs');
const TOOL = 'kid:test_simple_text';
const ANSWER = 'This is a simple text response for testing.';
/** The limit for one start of a client. */
const PATIENCE_MS = 60_000;
/** How long a person looks at a page. A client may print its address before it listens for the answer. */
const LOOK_MS = 1_000;

/**
 * @typedef {object} SignInClient
 * @property {string} name
 * @property {string} packageName with its version
 * @property {(setup: Setup) => Promise<{ tools: string[], text: string }>} use lists the tools and calls one
 *
 * @typedef {object} Setup
 * @property {string} folder where it is installed
 * @property {string} home a folder of its own
 * @property {string} url the address of the gateway
 * @property {(url: string) => Promise<void>} visit opens a page as a person does
 */

/** @type {readonly SignInClient[]} */
export const SIGN_IN_CLIENTS = [
  {
    name: 'mcp-remote',
    packageName: 'mcp-remote@0.15.1',
    async use({ folder, home, url, visit }) {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [join(folder, 'node_modules/mcp-remote/dist/proxy.js'), url],
        env: { ...environment(home), MCP_REMOTE_CONFIG_DIR: join(home, 'mcp-remote') },
        stderr: 'pipe',
      });
      const client = new Client({ name: 'clients', version: '1' });
      const visited = visiting(transport.stderr, visit);
      try {
        await Promise.race([client.connect(transport, { timeout: PATIENCE_MS }), visited]);
        const { tools } = await client.listTools();
        const { content } = await client.callTool({ name: TOOL, arguments: {} });
        return { tools: tools.map(({ name }) => name), text: content[0].text };
      } finally {
        await client.close();
      }
    },
  },
  {
    name: 'Inspector',
    packageName: '@modelcontextprotocol/inspector@2.12.0',
    async use({ folder, home, url, visit }) {
      const inspect = async (...words) => {
        const program = join(folder, 'node_modules/.bin/mcp-inspector');
        const args = ['--cli', '--server-url', url, '--transport', 'http', '--format', 'json'];
        const port = await freePort();
        const callback = ['--callback-url', `http://127.0.0.1:${port}/oauth/callback`];
        const child = spawn(process.execPath, [program, ...args, ...callback, ...words], {
          env: {
            ...environment(home),
            // Otherwise it asks only in a terminal.
            MCP_AUTO_OPEN_ENABLED: 'true',
            MCP_INSPECTOR_SECRET_STORE: 'file',
          },
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: PATIENCE_MS,
        });
        let out = '';
        child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
        const visited = visiting(child.stderr, visit);
        const ended = new Promise((resolve, reject) => {
          child.once('error', reject).once('close', resolve);
        });
        try {
          const code = await Promise.race([ended, visited]);
          if (code !== 0) throw new Error(`it ended with ${code}: ${visited.said()}`);
        } finally {
          child.kill();
        }
        const answers = out.split('\n').filter((line) => line.startsWith('{"result"'));
        return JSON.parse(answers.at(-1)).result;
      };
      const { tools } = await inspect('--method', 'tools/list');
      const { content } = await inspect('--method', 'tools/call', '--tool-name', TOOL);
      return { tools: tools.map(({ name }) => name), text: content[0].text };
    },
  },
];

/**
 * @param {{
 *   clients: readonly SignInClient[], folder: string, command: string, work: string,
 *   say: (line: string) => void,
 * }} parts
 * @returns {Promise<string[]>} what failed
 */
export async function runSignIns({ clients, folder, command, work, say }) {
  const failures = [];
  for (const client of clients) {
    const home = join(work, `sign-in-${client.name}`);
    mkdirSync(home, { recursive: true });
    const gateway = await startGateway(command, home);
    try {
      for (const [label, wanted, before] of [
        ['first start', 1, () => {}],
        ['second start', 0, () => {}],
        ['after its sign-in was revoked', 1, gateway.revokeAll],
      ]) {
        before();
        let visits = 0;
        const visit = async (url) => {
          visits++;
          const back = await sayYes(url, gateway.key);
          await pause(LOOK_MS);
          const { status } = await fetch(back);
          if (status !== 200) throw new Error(`the client answers its browser with ${status}`);
        };
        const { tools, text } = await client.use({ folder, home, url: gateway.url, visit });
        const people = visits === 1 ? 'one person asked' : `${visits} people asked`;
        say(`${client.name} signs in, ${label}: ${tools.length} tools, ${people}`);
        if (visits !== wanted) failures.push(`${client.name}, ${label}: ${people}`);
        if (!tools.includes(TOOL)) failures.push(`${client.name}, ${label}: no ${TOOL}`);
        if (text !== ANSWER) failures.push(`${client.name}, ${label}: it answers ${text}`);
      }
    } catch (error) {
      failures.push(`${client.name}: ${error.message}`);
    } finally {
      await gateway.stop();
    }
  }
  return failures;
}

/** A gateway that lets Ann sign in with a key, and lets clients register. */
async function startGateway(command, home) {
  const port = await freePort();
  const config = join(home, 'callsign.json');
  const settings = {
    auth: { keys: [], signIn: { origin: `http://127.0.0.1:${port}`, registration: true } },
    roles: { reader: { allow: ['*'] } },
  };
  const kid = { command: process.execPath, args: [FIXTURE] };
  writeFileSync(config, JSON.stringify({ mcpServers: { kid }, callsign: settings }));
  const env = { ...process.env, XDG_STATE_HOME: join(home, 'state') };
  const run = (...words) => {
    const args = [command, ...words, '--config', config, '--json'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`callsign ${words.join(' ')} failed: ${stderr.trim()}`);
    return JSON.parse(stdout);
  };
  const { key } = run('key', 'add', 'ann', '--roles', 'reader');
  const args = [command, 'serve', '--config', config, '--http', String(port)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  const listens = new Promise((resolve) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.includes('listens on')) resolve(true);
    });
  });
  if ((await Promise.race([listens, ended])) !== true) throw new Error('The gateway has ended.');
  return {
    key,
    url: `http://127.0.0.1:${port}/mcp`,
    revokeAll: () => void run('sign-ins', 'revoke', '--all'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** `true` stands in for the browser that a client opens. */
function environment(home) {
  return { PATH: process.env.PATH, HOME: home, BROWSER: 'true', NO_COLOR: '1' };
}

/** Visits the page that a client prints, once. It never resolves, and rejects if the visit fails. */
function visiting(stream, visit) {
  let said = '';
  let isVisited = false;
  const failed = new Promise((_, reject) => {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
      const url = /(http:\S+\/authorize\?\S+)\s/.exec(said)?.[1];
      if (url === undefined || isVisited) return;
      isVisited = true;
      visit(url).catch(reject);
    });
  });
  failed.catch(() => {});
  return Object.assign(failed, { said: () => said.trim().split('\n').slice(-3).join(' | ') });
}
