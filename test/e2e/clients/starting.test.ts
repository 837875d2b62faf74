/** Requests while a server is starting, or is replaced: they wait for it, and lose nothing. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { plain, startGateway, temporaryFolder } from '../gateway-process.js';
import type { ServerEntry } from '../gateway-process.js';
import { HttpPeer } from './http-peer.js';
import type { Era } from './peer.js';

const WAIT = { timeout: 20_000 };
const UPDATED = 'notifications/resources/updated';
const touch = '"name":"s:touch","arguments":{}';

/** A gateway with one server, which starts only when it is told to. A second one might take its URIs. */
async function withSlow(...flags: string[]) {
  const file = join(temporaryFolder(), 'go');
  const slow = plain(`--start-when=${file}`, ...flags);
  const gateway = await startGateway({
    servers: { s: slow },
    listener: 'http',
    settings: { listWaitMs: 50 },
  });
  const go = (): void => writeFileSync(file, '');
  const connect = async (era: Era): Promise<HttpPeer> => {
    const peer = new HttpPeer(gateway.url, era);
    await peer.open();
    return peer;
  };
  return { gateway, go, connect };
}

/** Changes the entry of a server in the file of a running gateway. */
function edit(config: string, change: (entry: ServerEntry) => ServerEntry): void {
  const { mcpServers, ...rest } = JSON.parse(readFileSync(config, 'utf8'));
  mcpServers.s = change(mcpServers.s);
  writeFileSync(config, JSON.stringify({ mcpServers, ...rest }));
}

/** Waits long enough for an answer that does not wait, then lets the server start. */
async function onlyAfter<T>(go: () => void, asked: Promise<T>): Promise<T> {
  await Promise.race([asked, setTimeout(400)]);
  go();
  return asked;
}

describe('while its server starts', () => {
  it.each(['session', 'stateless'] as const)(
    'a request of an extension waits, %s era',
    async (era) => {
      const { go, connect } = await withSlow();
      const peer = await connect(era);
      const { error, result } = await onlyAfter(go, peer.request('ui/open', '"name":"s:echo"'));
      // It reaches the server, which does not know this method.
      expect(error ?? result).not.toContain('"code":"method-not-found"');
    },
  );

  it('a completion waits', async () => {
    const { go, connect } = await withSlow();
    const peer = await connect('session');
    const ref = '"ref":{"type":"ref/prompt","name":"s:greet"}';
    const asked = peer.request('completion/complete', `${ref},"argument":{"name":"a","value":""}`);
    const { error } = await onlyAfter(go, asked);
    expect(error ?? '').not.toContain('not found');
  });

  it('a subscription to its resource is made when it has started', async () => {
    const { go, connect } = await withSlow('--dual');
    const peer = await connect('stateless');
    const filter = '"notifications":{"resourceSubscriptions":["plain://static"]}';
    const listening = peer.start('subscriptions/listen', filter);
    onTestFinished(() => listening.cut());
    const heard = (): string[] => listening.events.map(({ data }) => data);
    await expect.poll(() => heard()[0], WAIT).toContain('plain://static');
    go();
    await expect
      .poll(async () => {
        await peer.request('tools/call', touch);
        return heard().some((data) => data.includes(UPDATED));
      }, WAIT)
      .toBe(true);
  });

  it('an unknown task does not delay a subscription, and no change is lost', async () => {
    const { go, connect } = await withSlow();
    const peer = await connect('stateless');
    const filter = '"notifications":{"toolsListChanged":true,"taskIds":["task-gone"]}';
    const listening = peer.start('subscriptions/listen', filter);
    onTestFinished(() => listening.cut());
    const heard = (): string[] => listening.events.map(({ data }) => data);
    await expect.poll(() => heard()[0], WAIT).toContain('acknowledged');
    go();
    await expect.poll(() => heard().join(), WAIT).toContain('tools/list_changed');
  });

  it('a reload that replaces it does not end the wait', async () => {
    const { gateway, go, connect } = await withSlow();
    const peer = await connect('session');
    const asked = peer.request('tools/call', '"name":"s:add","arguments":{"a":1,"b":2}');
    await Promise.race([asked, setTimeout(300)]);
    edit(gateway.config, (entry) => ({ ...entry, env: { ...entry.env, CHANGED: '1' } }));
    await Promise.race([asked, setTimeout(1_500)]);
    go();
    expect((await asked).result).toContain('3');
  });

  it('a cancelled call is not made, even if its id is used again', async () => {
    const { go, connect, gateway } = await withSlow();
    const client = await gateway.connect();
    const peer = await connect('session');
    const first = peer.start('tools/call', '"name":"s:echo","arguments":{"n":1}', '', '41');
    await setTimeout(100);
    await peer.notify('notifications/cancelled', '"requestId":41');
    const second = peer.start('tools/call', '"name":"s:echo","arguments":{"n":2}', '', '41');
    await setTimeout(100);
    go();
    expect((await second.reply()).text).toContain('2');
    first.cut();
    expect(await client.result('s:calls', {})).toMatchObject({
      content: [{ text: '{"calls":2}' }],
    });
  });

  it('a server that is down is announced with all that it might offer', async () => {
    const servers = { s: { command: process.execPath, args: ['-e', 'process.exit(1)'] } };
    const gateway = await startGateway({ servers, listener: 'http' });
    const client = await gateway.connect();
    await client.tools();
    const { result } = await new HttpPeer(gateway.url, 'session').open();
    expect(JSON.parse(result!).capabilities).toMatchObject({ prompts: {}, resources: {} });
  });
});

describe('a resource that a client watches', () => {
  it('is watched again at the successor of its server', async () => {
    const gateway = await startGateway({ servers: { s: plain() }, listener: 'http' });
    const peer = new HttpPeer(gateway.url, 'session');
    await peer.open();
    await peer.listen();
    await peer.request('tools/list');
    const { result } = await peer.request('resources/subscribe', '"uri":"plain://static"');
    expect(result).toBe('{}');
    const pid = async (): Promise<string | undefined> =>
      (await peer.request('tools/call', '"name":"s:pid","arguments":{}')).result;
    const before = await pid();
    edit(gateway.config, (entry) => ({ ...entry, env: { ...entry.env, CHANGED: '1' } }));
    await expect.poll(pid, WAIT).not.toBe(before);
    await expect
      .poll(async () => {
        await peer.request('tools/call', touch);
        return peer.notes.filter(({ method }) => method === UPDATED).length;
      }, WAIT)
      .toBeGreaterThan(0);
  });
});

it('the first list waits for a server that was added by a reload', async () => {
  const gateway = await startGateway({ servers: { ready: plain() }, listener: 'http' });
  const client = await gateway.connect();
  await client.tools();
  const config = JSON.parse(readFileSync(gateway.config, 'utf8'));
  config.mcpServers.s = plain('--delay-start=700');
  writeFileSync(gateway.config, JSON.stringify(config));
  await expect.poll(async () => gateway.stateOf('s'), WAIT).toBeDefined();
  const again = await gateway.connect();
  expect(await again.tools()).toContain('s:echo');
});

it('the search over all servers waits for the server of a call', async () => {
  const file = join(temporaryFolder(), 'go');
  const gateway = await startGateway({
    servers: { s: plain(`--start-when=${file}`), ready: plain() },
    listener: 'http',
    settings: { listWaitMs: 50, view: 'search' },
  });
  const peer = new HttpPeer(gateway.url, 'session');
  await peer.open();
  await expect
    .poll(async () => (await peer.request('tools/list')).result, WAIT)
    .toContain('callsign:call');
  const args = '{"operation":"s:add","params":{"a":1,"b":2}}';
  const asked = peer.request('tools/call', `"name":"callsign:call","arguments":${args}`);
  const { result } = await onlyAfter(() => writeFileSync(file, ''), asked);
  expect(result).toContain('3');
  expect(result).not.toContain('NOT_FOUND_OPERATION');
});
