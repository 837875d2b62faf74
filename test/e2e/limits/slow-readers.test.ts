/**
 * Clients that read very slowly: each is dropped, what waits for it too, and others are not affected.
 */

import { connect, type Socket } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { pause, plain, type GatewayProcess, type RawClient } from '../gateway-process.js';
import { greedy, residentMegabytes, startPlain } from './greedy.js';
import { callText, headersOf, openSession } from './http-session.js';

/** `npm run test:load` uses 200. */
const READERS = Number(process.env['CALLSIGN_READERS'] ?? 16);
const ANSWER_BYTES = 9 * 1024 * 1024;
const MB = 1024 * 1024;

/** Sends a call and reads one byte per second of its answer. */
class SlowReader {
  isGone = false;
  readonly #socket: Socket;

  constructor(url: string, session: string, id: number) {
    const { port, host, pathname } = new URL(url);
    const body = callText(id, 'big:big', { bytes: ANSWER_BYTES });
    const headers = { host, ...headersOf(session), 'content-length': String(body.length) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    this.#socket = connect(Number(port), '127.0.0.1').pause();
    this.#socket.on('error', () => undefined);
    this.#socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    const timer = setInterval(() => this.#socket.read(1), 1_000);
    this.#socket.once('close', () => {
      this.isGone = true;
      clearInterval(timer);
    });
    onTestFinished(() => void this.#socket.destroy());
  }

  /** Reads the rest from the system's buffers, which shows the end of the connection. */
  drain(): void {
    this.#socket.resume();
  }
}

/** The 99th percentile of small calls to another server, one after the other, for some time. */
async function latency(client: RawClient, until: () => boolean): Promise<number> {
  const times: number[] = [];
  while (!until() || times.length < 200) {
    const started = performance.now();
    await client.result('other:echo', { n: times.length });
    times.push(performance.now() - started);
    await pause(2);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

async function unsent(gateway: GatewayProcess): Promise<number> {
  const text = await (await fetch(new URL('/metrics', gateway.url))).text();
  return Number(/^callsign_http_unsent_bytes (\d+)$/m.exec(text)?.[1]);
}

it(`F2: ${READERS} readers of one byte per second cost little memory, and are dropped`, async () => {
  const gateway = await startPlain({ big: greedy(), other: plain() });
  const client = await gateway.connect();
  await client.tools();
  const start = residentMegabytes(gateway.pid);
  const deadline = performance.now() + 2_000;
  const baseline = await latency(client, () => performance.now() > deadline);

  const sessions = await Promise.all(
    Array.from({ length: READERS }, () => openSession(gateway.url)),
  );
  const readers = sessions.map((session) => new SlowReader(gateway.url, session, 1));
  let peak = 0;
  let most = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, residentMegabytes(gateway.pid));
      most = Math.max(most, await unsent(gateway));
      await pause(50);
    }
  })();
  const measured = latency(client, () => over.signal.aborted);
  const dropped = async (): Promise<number> => {
    const text = await (await fetch(new URL('/metrics', gateway.url))).text();
    const counts = text.matchAll(
      /^callsign_http_dropped_total\{reason="(?:slow|total)"\} (\d+)$/gm,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  await expect.poll(dropped, { timeout: 240_000, interval: 250 }).toBe(READERS);
  over.abort();
  await watching;
  const p99 = await measured;

  expect(most).toBeLessThanOrEqual(128 * MB);
  // V8 decides when it collects, so this counts what is no longer used, too.
  expect(peak - start).toBeLessThan(400);
  // Nothing waits any more for clients that were dropped.
  await expect.poll(() => unsent(gateway)).toBe(0);
  const after = residentMegabytes(gateway.pid);
  if (READERS >= 200) {
    const figures = { start, peak, after, unsent: most / MB, baseline, p99 };
    process.stderr.write(`${JSON.stringify(figures)}\n`);
  }
  for (const reader of readers) reader.drain();
  await expect.poll(() => readers.every(({ isGone }) => isGone)).toBe(true);
}, 300_000);
