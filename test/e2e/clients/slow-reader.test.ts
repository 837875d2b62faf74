/** Clients that do not read their answers affect neither other clients nor memory. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { TestGateway } from './gateway.js';
import { HttpPeer, sessionHeaders, statelessHeaders } from './http-peer.js';
import { envelope, requestText } from './peer.js';
import { fixture } from './servers.js';

let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  gateway = new TestGateway('http', { servers: { plain: fixture('plain-child') } });
  url = await gateway.url();
  await (await openSession()).request('tools/list');
});
afterAll(() => gateway.stop());

async function openSession(): Promise<HttpPeer> {
  const peer = new HttpPeer(url, 'session', { capabilities: '{}' });
  await peer.open();
  return peer;
}

/** Sends a request over a connection that is never read. */
function sendUnread(method: string, headers: Record<string, string>, body = ''): Socket {
  const { port, host, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  const all = { host, 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => undefined);
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${gateway.pipe.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
}

/** How many connections were closed because of unread data. */
async function dropped(): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const counts = text.matchAll(/^callsign_http_dropped_total\{reason="\w+"\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

it('closes a reader with too much unread data, and serves the others meanwhile', async () => {
  const [slow, quick] = [await openSession(), await openSession()];
  const before = residentMegabytes();
  // More than the system keeps for a connection, and together more than the gateway keeps for all.
  const members = '"name":"plain:big","arguments":{"bytes":8000000}';
  let gone = 0;
  const sockets = Array.from({ length: 20 }, (_, id) => {
    const body = requestText(String(100 + id), 'tools/call', members, '');
    const socket = sendUnread('POST', sessionHeaders(slow.session), body);
    return socket.once('close', () => gone++);
  });
  for (let count = 0; count < 20; count++) {
    expect((await quick.request('ping')).result).toBe('{}');
  }
  expect(residentMegabytes() - before).toBeLessThan(200);
  await expect.poll(dropped).toBeGreaterThan(0);
  // A connection whose answer was read to its end would stay open.
  for (const socket of sockets) socket.resume();
  await expect.poll(() => gone).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
  await Promise.all([slow.close(), quick.close()]);
});

it('keeps one answer for each request that is not read, and no more', async () => {
  const quick = await openSession();
  const members = '"name":"plain:big","arguments":{"bytes":4000000}';
  const body = requestText('1', 'tools/call', members, envelope({ capabilities: '{}' }));
  const sockets = Array.from({ length: 10 }, () =>
    sendUnread('POST', statelessHeaders(body), body),
  );
  for (let count = 0; count < 20; count++) {
    expect((await quick.request('ping')).result).toBe('{}');
  }
  expect(residentMegabytes()).toBeLessThan(512);
  for (const socket of sockets) socket.destroy();
  await quick.close();
});
