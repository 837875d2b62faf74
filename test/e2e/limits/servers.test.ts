/** Servers that overuse resources must not affect others. */

import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { plain } from '../gateway-process.js';
import { cancelledIn, textOf } from '../lifecycle/tool-results.js';
import { greedy, startPlain } from './greedy.js';
import { startRemote } from './remote-server.js';
import { callText, headersOf, openSession, post } from './http-session.js';

it('F8: a server that prints 100 MB in lines does not wait for us, and the rest is counted', async () => {
  const gateway = await startPlain({ loud: greedy() }, { flags: ['--verbose'] });
  const client = await gateway.connect();
  await client.tools();
  expect(textOf(await client.result('loud:print', { lines: 1_000_000 }))).toBe('printed');
  const dropped = (): number =>
    [...gateway.stderr.matchAll(/\[loud\] \((\d+) bytes were left out/g)].reduce(
      (sum, [, bytes]) => sum + Number(bytes),
      0,
    );
  await expect.poll(dropped).toBeGreaterThan(90_000_000);
  expect(gateway.stderr.length).toBeLessThan(10_000_000);
});

it('F9: an answer that is too long has the same code over HTTP as over stdio', async () => {
  const url = await startRemote();
  const gateway = await startPlain({ near: plain(), far: { url } });
  const client = await gateway.connect();
  const answers = await Promise.all([
    client.call('near:big', { bytes: 11 * 1024 * 1024 }),
    client.call('far:long_json'),
    client.call('far:long_event'),
  ]);
  for (const { error } of answers) {
    expect(error?.code).toBe(-32000);
    expect(error?.data).toMatchObject({ code: 'result-too-large', limit: 10 * 1024 * 1024 });
    expect(error?.data?.['bytes']).toBeGreaterThan(10 * 1024 * 1024);
  }
  expect((await client.call('far:echo')).result).toBeDefined();
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  expect(metrics).toMatch(/server="far".*outcome="result-too-large".* 2\n/);
});

it('F15: a client is told about changed lists at most twice per second', async () => {
  const gateway = await startPlain({ restless: greedy() });
  const client = await gateway.connect();
  await client.tools();
  const times: number[] = [];
  client.on('notifications/tools/list_changed', () => void times.push(performance.now()));
  await client.result('restless:change', { count: 300, ms: 3_000 });
  const seconds = (times.at(-1)! - times[0]!) / 1_000;
  expect(times.length).toBeGreaterThanOrEqual(3);
  expect(times.length).toBeLessThanOrEqual(2 * seconds + 1);
  // The last change is not lost.
  await expect.poll(async () => client.tools()).toContain('restless:new_299');
});

it('G4: a result far above the limit fails its own call alone, in bounded memory', async () => {
  const gateway = await startPlain({ greedy: greedy() });
  const client = await gateway.connect();
  await client.tools();
  const before = gateway.peakMegabytes();
  const bystander = client.result('greedy:wait');
  const { error } = await client.call('greedy:big', { bytes: 120 * 1024 * 1024 });
  expect(error?.data).toMatchObject({ code: 'result-too-large', limit: 10 * 1024 * 1024 });
  expect(textOf(await client.result('greedy:flood', { count: 0 }))).toBe('flooded');
  expect(textOf(await bystander)).toBe('waited');
  expect(gateway.peakMegabytes() - before).toBeLessThan(80);
  expect(gateway.stderr).not.toContain('[greedy]');
});

const ASKED = { capabilities: { elicitation: {} } };
const never = (): Promise<void> => new Promise(() => undefined);

it('a server that floods a client with questions gets few of them through, and the rest refused', async () => {
  const gateway = await startPlain({ curious: greedy(), fine: plain() });
  const client = await gateway.connect(ASKED);
  client.on('elicitation/create', never);
  await client.tools();
  const flooded = client.result('curious:ask', { count: 20_000 });
  await expect.poll(() => client.count('elicitation/create')).toBe(65);
  const other = await gateway.connect();
  expect(textOf(await other.result('fine:echo', { text: 'still here' }))).toContain('still here');
  expect(textOf(await flooded)).toBe('19935 refused');
  expect(client.count('elicitation/create')).toBe(65);
});

it('a flood of questions that may belong to two callers does not stop the gateway', async () => {
  const gateway = await startPlain({ curious: greedy() });
  const [ada, bob] = [await gateway.connect(ASKED), await gateway.connect(ASKED)];
  for (const client of [ada, bob]) client.on('elicitation/create', never);
  await ada.tools();
  const waits = ada.result('curious:wait');
  const floods = bob.result('curious:flood', { count: 50_000 });
  expect(textOf(await waits)).toBe('waited');
  expect(textOf(await floods)).toBe('flooded');
  const asked = ada.count('elicitation/create') + bob.count('elicitation/create');
  expect(asked).toBeLessThanOrEqual(64);
});

it('F16: a POST that is aborted cancels the call at the server', async () => {
  const gateway = await startPlain({ plain: plain() });
  // In this version a stream cannot be resumed before its first message, however long the call takes.
  const session = await openSession(gateway.url, '2025-06-18');
  const abort = new AbortController();
  const sleep = callText(1, 'plain:sleep', { ms: 600_000 });
  const call = post(gateway.url, sleep, session, abort.signal).then((reply) => reply.text());
  const client = await gateway.connect();
  await expect.poll(async () => textOf(await client.result('plain:calls'))).toMatch(/[2-9]/);
  abort.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => cancelledIn(client, 'plain')).toHaveLength(1);
});

it('F16: a call whose stream can be resumed is not cancelled', async () => {
  const gateway = await startPlain({ plain: plain() });
  const session = await openSession(gateway.url);
  const { port, host, pathname } = new URL(gateway.url);
  const body = callText(1, 'plain:sleep', { ms: 3_000 });
  const headers = { host, ...headersOf(session), 'content-length': String(body.length) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  // After a second the answer becomes a stream, whose first event has an id.
  await expect.poll(() => heard).toMatch(/id: (s\d+-\d+)/);
  socket.destroy();
  const lastEventId = /id: (s\d+-\d+)/.exec(heard)![1]!;
  const resumed = await fetch(gateway.url, {
    headers: { ...headersOf(session), 'last-event-id': lastEventId },
  });
  expect(await resumed.text()).toContain('Slept 3000 ms.');
});
