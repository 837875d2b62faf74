/** Connections that waste resources: idle, half-open, slow, or too many. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { plain, temporaryFolder, type GatewayProcess } from '../gateway-process.js';
import { startPlain } from './greedy.js';
import { callText, headersOf, openSession, post } from './http-session.js';

function open(gateway: GatewayProcess, text = ''): Socket {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  if (text !== '') socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

async function metric(gateway: GatewayProcess, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', gateway.url))).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

it('F3: of 600 connections without a request, at most 256 stay open, and clients are served', async () => {
  const gateway = await startPlain({ plain: plain() });
  const sockets = Array.from({ length: 600 }, () => open(gateway));
  await expect
    .poll(() => metric(gateway, 'callsign_http_dropped_total{reason="idle"}'))
    .toBeGreaterThanOrEqual(300);
  await expect.poll(() => metric(gateway, 'callsign_http_connections')).toBeLessThanOrEqual(260);
  expect((await post(gateway.url, callText(1, 'x'), await openSession(gateway.url))).status).toBe(
    200,
  );
  // The other connections must send something soon, too.
  await Promise.all(sockets.map((socket) => socket.destroyed || closed(socket)));
});

it('G3: a burst of 1,000 new connections is served, although their requests come later', async () => {
  const gateway = await startPlain({ plain: plain() });
  const sockets = Array.from({ length: 1_000 }, () => open(gateway));
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => {
        socket.setEncoding('utf8').once('data', (data: string) => resolve(data.slice(0, 12)));
        socket.once('close', () => resolve('(closed)'));
      }),
  );
  await Promise.all(
    sockets.map(
      (socket) => socket.connecting && new Promise((done) => socket.once('connect', done)),
    ),
  );
  const { host } = new URL(gateway.url);
  for (const socket of sockets) socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200']));
  // They do not stay: nothing comes from them any more.
  await expect.poll(() => metric(gateway, 'callsign_http_connections')).toBeLessThanOrEqual(260);
});

it('F3: a gateway that runs out of files keeps running, and serves when there are some again', async () => {
  const limited = ['sh', '-c', 'ulimit -n 300; exec "$0" "$@"'];
  const gateway = await startPlain({ plain: plain() }, { through: limited });
  const client = await gateway.connect();
  await client.tools();
  const sockets = Array.from({ length: 600 }, () => open(gateway));
  await Promise.all(sockets.map((socket) => socket.destroyed || closed(socket)));
  expect(gateway.hasExited).toBe(false);
  expect((await client.call('plain:echo', { a: 1 })).result).toBeDefined();
  expect((await fetch(new URL('/healthz', gateway.url))).status).toBe(200);
});

it('F3: a limit on open files that is too low is said in a sentence', () => {
  const config = join(temporaryFolder(), 'mcp.json');
  writeFileSync(config, '{"mcpServers":{}}');
  const serve = `ulimit -n 96; exec "${process.execPath}" "${BIN}" serve --config "${config}" --http 0`;
  const { status, stderr } = spawnSync('sh', ['-c', serve], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'The limit on open files is 96. Callsign needs at least 256. Raise it, for example: ulimit -n 1024\n',
  );
});

it('F2: slow headers and slow bodies are dropped within seconds', async () => {
  const gateway = await startPlain({ plain: plain() });
  const host = new URL(gateway.url).host;
  const headers = open(gateway, `POST /mcp HTTP/1.1\r\nhost: ${host}\r\n`);
  const lines = Object.entries({ host, ...headersOf(), 'content-length': '1000000' });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const body = open(gateway, `POST /mcp HTTP/1.1\r\n${text}\r\n`);
  const timer = setInterval(() => {
    for (const socket of [headers, body]) if (!socket.destroyed) socket.write('x');
  }, 500);
  onTestFinished(() => clearInterval(timer));
  await Promise.all([closed(headers), closed(body)]);
});

it('serves pipelined requests in order, and reads no more than it answers', async () => {
  const gateway = await startPlain({ plain: plain() });
  const session = await openSession(gateway.url);
  const { host, pathname } = new URL(gateway.url);
  const request = (id: number): string => {
    const body = callText(id, 'plain:echo', { id });
    const all = { host, ...headersOf(session), 'content-length': String(body.length) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  };
  let heard = '';
  const socket = open(gateway, Array.from({ length: 200 }, (_, id) => request(id)).join(''));
  socket.setEncoding('utf8').on('data', (data: string) => (heard += data));
  await expect.poll(() => heard.match(/"id":\d+,"result"/g)?.length).toBe(200);
  const ids = Array.from(heard.matchAll(/"id":(\d+),"result"/g), ([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 200 }, (_, id) => id));
});

it('keeps 2,000 sessions of one client small, and ends its oldest ones beyond that', async () => {
  const gateway = await startPlain({ plain: plain() });
  const first = await openSession(gateway.url);
  for (let round = 0; round < 42; round++) {
    await Promise.all(Array.from({ length: 50 }, () => openSession(gateway.url)));
  }
  expect(gateway.peakMegabytes()).toBeLessThan(300);
  // The session that was used longest ago has ended; a client opens another.
  const ping = await post(gateway.url, '{"jsonrpc":"2.0","id":1,"method":"ping"}', first);
  expect(ping.status).toBe(404);
});
