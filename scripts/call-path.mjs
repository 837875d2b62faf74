// Counts the functions and files that one tools/call over HTTP passes, with V8's precise coverage and a plain
// configuration. Usage: npm run call-path [-- --list]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { readableCommand } from './bundled-command.mjs';

/** Runs in the gateway: takes the coverage since the last message when it is asked. */
const PROFILER = `
import { Session } from 'node:inspector/promises';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('message', async () => process.send((await session.post('Profiler.takePreciseCoverage')).result));
`;

const folder = mkdtempSync(join(tmpdir(), 'callsign-call-path-'));

const server = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const config = join(folder, 'callsign.json');
const mcpServers = { everything: { command: process.execPath, args: [server, 'stdio'] } };
writeFileSync(config, JSON.stringify({ mcpServers }));

const gateway = fork(await readableCommand(), ['serve', '--http', '0', '--config', config], {
  cwd: folder,
  env: { PATH: process.env.PATH, HOME: folder },
  execArgv: ['--import', `data:text/javascript,${encodeURIComponent(PROFILER)}`],
  stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
});
try {
  const send = await connect(await addressOf(gateway.stderr));
  for (let n = 0; n < 5; n++) await send(n);
  // Six calls, so that what runs now and then (a timer, a first use) can be told from the path.
  const calls = [];
  for (let n = 10; n < 16; n++) calls.push(await passed(() => send(n)));
  report(calls[0].filter((key) => calls.every((each) => each.includes(key))));
} finally {
  // It writes into the folder until it has ended.
  const ended = once(gateway, 'exit');
  gateway.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function addressOf(stderr) {
  let text = '';
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const url = /http:\/\/\S+?\/mcp\b/.exec(text)?.[0];
    if (!url) continue;
    stderr.resume();
    return url;
  }
  throw new Error(`The gateway exited early: ${text.slice(-500)}`);
}

/** A session of the client. The result calls a tool that answers at once. */
async function connect(url) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    const session = response.headers.get('mcp-session-id');
    if (session) headers['mcp-session-id'] = session;
    return text;
  };
  const clientInfo = { name: 'call-path', version: '1' };
  const protocolVersion = '2025-11-25';
  await post({
    id: 'a',
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo },
  });
  headers['mcp-protocol-version'] = protocolVersion;
  await post({ method: 'notifications/initialized' });
  const name = await listedEcho(post);
  return async (n) => {
    const params = { name, arguments: { message: `hello ${n}` } };
    const answer = await post({ id: n, method: 'tools/call', params });
    if (!answer.includes(`hello ${n}`)) throw new Error(answer);
  };
}

/** The first list waits only a few seconds for a server. On a busy machine it comes without the tool. */
async function listedEcho(post) {
  for (let attempt = 0; attempt < 60; attempt++) {
    const list = await post({ id: `list ${attempt}`, method: 'tools/list' });
    const name = /"name":"([^"]*\becho)"/.exec(list)?.[1];
    if (name) return name;
    await setTimeout(500);
  }
  throw new Error('The server did not start within half a minute.');
}

/** The named functions of Callsign that ran, as `file function offset`. */
async function passed(act) {
  await coverage();
  await act();
  return (await coverage()).flatMap(({ url, functions }) => {
    if (!url.startsWith('file:') || !url.includes('/.callsign-command/')) return [];
    const sourceAt = sourcesIn(fileURLToPath(url));
    return functions
      .filter(({ functionName, ranges }) => functionName && ranges[0].count > 0)
      .map(({ functionName, ranges: [{ startOffset }] }) => [functionName, startOffset])
      .filter(([, start]) => sourceAt(start)?.startsWith('packages/'))
      .map(([name, start]) => `${sourceAt(start)} ${name} ${start}`);
  });
}

async function coverage() {
  gateway.send('coverage');
  const [result] = await once(gateway, 'message');
  return result;
}

/** The bundle names the source of each part in a comment before it. */
function sourcesIn(file) {
  const text = readFileSync(file, 'utf8');
  const parts = [...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)];
  return (offset) => parts.findLast(({ index }) => index <= offset)?.[1];
}

function report(keys) {
  const files = new Map();
  for (const key of keys) {
    const [file, name] = key.split(' ');
    files.set(file, [...(files.get(file) ?? []), name]);
  }
  const packages = new Set([...files.keys()].map((file) => file.split('/')[1]));
  if (process.argv.includes('--list')) {
    for (const [file, names] of [...files].toSorted()) console.log(`${file}: ${names.join(', ')}`);
  }
  console.log(
    `One tools/call passes ${keys.length} named functions in ${files.size} files of ${packages.size} packages.`,
  );
}
