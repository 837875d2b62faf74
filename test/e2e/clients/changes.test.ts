/** Notifications to clients: changed lists, changed resources, logs. Each client gets only its own. */

import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestGateway } from './gateway.js';
import { Exchange, exchange } from './http-exchange.js';
import { HttpPeer, statelessHeaders } from './http-peer.js';
import type { Json } from './json-tree.js';
import { envelope, requestText, type Note, type Peer } from './peer.js';
import { PipePeer } from './pipe-peer.js';
import { fixture } from './servers.js';

const K = 'io.modelcontextprotocol';
const SILENT = { capabilities: '{}' };
const TOOLS = 'notifications/tools/list_changed';
const UPDATED = 'notifications/resources/updated';

let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  gateway = new TestGateway('http', { servers: { plain: fixture('plain-child') } });
  url = await gateway.url();
  await (await gateway.connect('stateless')).request('tools/list');
});
afterAll(() => gateway.stop());

const tool = (peer: Peer, name: string, args: string): Promise<unknown> =>
  peer.request('tools/call', `"name":"plain:${name}","arguments":${args}`);
const named = (notes: readonly Note[], method: string): Note[] =>
  notes.filter((note) => note.method === method);
const toolNames = async (peer: Peer): Promise<string[]> =>
  JSON.parse((await peer.request('tools/list')).result!).tools.map(
    ({ name }: { name: string }) => name,
  );

async function session(): Promise<HttpPeer> {
  const peer = new HttpPeer(url, 'session', SILENT);
  await peer.open();
  await peer.listen();
  return peer;
}

function listen(id: string, filter: string): Exchange {
  const body = requestText(
    id,
    'subscriptions/listen',
    `"notifications":${filter}`,
    envelope(SILENT),
  );
  return new Exchange(url, { headers: statelessHeaders(body), body });
}

const heard = ({ events }: Exchange): Json[] => events.map(({ data }) => JSON.parse(data));

describe('a session', () => {
  it('is told once that tools came and went, and finds the new list', async () => {
    const [one, two] = [await session(), await session()];
    await tool(one, 'add_tool', '{"name":"guest"}');
    await expect.poll(() => named(two.notes, TOOLS).length).toBe(1);
    expect(await toolNames(two)).toContain('plain:guest');
    expect(
      JSON.parse((await two.request('tools/call', '"name":"plain:guest"')).result!),
    ).toMatchObject({
      content: [{ text: 'guest' }],
    });
    await Promise.all([1, 2, 3].map((n) => tool(two, 'add_tool', `{"name":"burst_${n}"}`)));
    await expect.poll(async () => (await toolNames(one)).includes('plain:burst_3')).toBe(true);
    // Changes in a burst are announced together.
    expect(named(one.notes, TOOLS).length).toBeLessThanOrEqual(4);
    for (const name of ['guest', 'burst_1', 'burst_2', 'burst_3']) {
      await tool(one, 'remove_tool', `{"name":"${name}"}`);
    }
    await expect.poll(async () => (await toolNames(one)).includes('plain:burst_3')).toBe(false);
    expect(await one.request('tools/call', '"name":"plain:guest"')).toHaveProperty(
      'error',
      expect.stringContaining('Tool not found'),
    );
    await Promise.all([one.close(), two.close()]);
  });

  it('is told about the resources that it watches, until it stops', async () => {
    const [one, two] = [await session(), await session()];
    for (const peer of [one, two])
      await peer.request('resources/subscribe', '"uri":"plain://static"');
    await tool(one, 'touch', '{}');
    await expect
      .poll(() => [one, two].map(({ notes }) => named(notes, UPDATED).length))
      .toEqual([1, 1]);
    expect(named(one.notes, UPDATED)[0]!.params).toBe('{"uri":"plain://static"}');
    // One stops watching; the other continues.
    await one.request('resources/unsubscribe', '"uri":"plain://static"');
    await tool(one, 'touch', '{}');
    await expect.poll(() => named(two.notes, UPDATED).length).toBe(2);
    expect(named(one.notes, UPDATED)).toHaveLength(1);
    // One watches again and then disconnects; the other continues.
    await one.request('resources/subscribe', '"uri":"plain://static"');
    await one.close();
    await tool(two, 'touch', '{}');
    await expect.poll(() => named(two.notes, UPDATED).length).toBe(3);
    await two.close();
    const three = await session();
    await tool(three, 'touch', '{}');
    // The stream keeps the order, so a notice about the touch would have arrived before this.
    await tool(three, 'add_tool', '{"name":"fence"}');
    await expect.poll(() => named(three.notes, TOOLS).length).toBe(1);
    expect(named(three.notes, UPDATED)).toEqual([]);
    await tool(three, 'remove_tool', '{"name":"fence"}');
    await three.close();
  });

  it('has its own log level, independent of others', async () => {
    const [one, two] = [await session(), await session()];
    const logged = ({ notes }: HttpPeer): unknown[] =>
      named(notes, 'notifications/message').map(({ params }) => JSON.parse(params!).data);
    expect((await one.request('logging/setLevel', '"level":"debug"')).result).toBe('{}');
    await two.request('logging/setLevel', '"level":"error"');
    await tool(one, 'log', '{"level":"debug","text":"small"}');
    await tool(one, 'log', '{"level":"error","text":"great"}');
    await expect.poll(() => logged(one)).toEqual(['small', 'great']);
    await tool(two, 'log', '{"level":"debug","text":"small too"}');
    await tool(two, 'log', '{"level":"error","text":"great too"}');
    // V2: each gets the logs of its own calls.
    await expect.poll(() => logged(two)).toEqual(['great too']);
    expect(logged(one)).toEqual(['small', 'great']);
    await one.close();
    // The client with the detailed level has disconnected, so no client wants these logs any more.
    await expect
      .poll(async () => JSON.stringify(await tool(two, 'log', '{"level":"debug","text":"x"}')))
      .toContain('Kept quiet.');
    await two.close();
  });

  it('gets notifications with its calls, without a separate stream', async () => {
    const peer = new HttpPeer(url, 'session', SILENT);
    await peer.open();
    const answer = await peer.request(
      'tools/call',
      '"name":"plain:log","arguments":{"level":"emergency","text":"loud"}',
    );
    expect(named(answer.notes, 'notifications/message')[0]!.params).toContain('"data":"loud"');
    await peer.close();
  });
});

describe('a subscription without a session', () => {
  it('is acknowledged first, sends only what was requested, and ends when its client disconnects', async () => {
    const [tools, prompts] = [
      listen('"L-1"', '{"toolsListChanged":true}'),
      listen('7', '{"promptsListChanged":true}'),
    ];
    await Promise.all([tools, prompts].map((each) => each.event(() => true)));
    expect(heard(tools)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: {
          notifications: { toolsListChanged: true },
          _meta: { [`${K}/subscriptionId`]: 'L-1' },
        },
      },
    ]);
    const peer = new HttpPeer(url, 'stateless', SILENT);
    await tool(peer, 'add_tool', '{"name":"guest"}');
    await tools.message({ method: TOOLS });
    expect(heard(tools)[1].params).toEqual({ _meta: { [`${K}/subscriptionId`]: 'L-1' } });
    await tool(peer, 'remove_tool', '{"name":"guest"}');
    // Shows that nothing comes.
    await pause(50);
    expect(heard(prompts)).toMatchObject([{ params: { _meta: { [`${K}/subscriptionId`]: 7 } } }]);
    tools.cut();
    prompts.cut();
  });

  it('reports resources that its server reports on request only', async () => {
    const uri = 'plain://static';
    const stream = listen('1', `{"resourceSubscriptions":["${uri}"]}`);
    await stream.event(() => true);
    const peer = new HttpPeer(url, 'stateless', SILENT);
    await tool(peer, 'touch', '{}');
    const { data } = await stream.message({ method: UPDATED });
    expect(JSON.parse(data).params).toEqual({ uri, _meta: { [`${K}/subscriptionId`]: 1 } });
    stream.cut();
  });

  it('that can never report anything ends at once', async () => {
    const stream = listen('"none"', '{"toolsListChanged":false}');
    await stream.ended;
    expect(heard(stream)).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      {
        id: 'none',
        result: { resultType: 'complete', _meta: { [`${K}/subscriptionId`]: 'none' } },
      },
    ]);
  });

  it('must name what it wants', async () => {
    for (const filter of ['null', '[]', '{"resourceSubscriptions":"x"}']) {
      expect((await listen('1', filter).reply()).json.error.code).toBe(-32602);
    }
  });

  it('is ended when the gateway ends', async () => {
    const other = new TestGateway('http', { servers: { plain: fixture('plain-child') } });
    url = await other.url();
    const stream = listen('"last"', '{"toolsListChanged":true}');
    await stream.event(() => true);
    await other.stop();
    url = await gateway.url();
    await stream.ended;
    expect(heard(stream).at(-1)).toMatchObject({ id: 'last', result: { resultType: 'complete' } });
  });

  it('shares a pipe with others, each under its own id', async () => {
    const piped = new TestGateway('stdio', { servers: { plain: fixture('plain-child') } });
    const { pipe } = piped;
    const peer = new PipePeer(pipe, 'stateless', SILENT);
    await peer.request('tools/list');
    const wish = (id: string, filter: string): void =>
      pipe.write(
        `${requestText(id, 'subscriptions/listen', `"notifications":${filter}`, envelope(SILENT))}\n`,
      );
    wish('"A"', '{"toolsListChanged":true}');
    wish('"B"', '{"toolsListChanged":true,"resourceSubscriptions":["plain://static"]}');
    await expect.poll(() => peer.notes.length).toBe(2);
    await tool(peer, 'add_tool', '{"name":"guest"}');
    await expect.poll(() => named(peer.notes, TOOLS).length).toBe(2);
    await peer.notify('notifications/cancelled', '"requestId":"A"');
    await tool(peer, 'touch', '{}');
    await tool(peer, 'remove_tool', '{"name":"guest"}');
    await expect.poll(() => named(peer.notes, TOOLS).length).toBe(3);
    expect(named(peer.notes, UPDATED)).toHaveLength(1);
    expect(JSON.stringify(peer.notes.slice(4))).not.toContain('"A"');
    await piped.stop();
  });
});

describe('many clients at once', () => {
  it('each get their own answers, under the same ids', async () => {
    const peers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const peer = new HttpPeer(url, 'session', { ...SILENT, name: `client-${index}` });
        await peer.open();
        return peer;
      }),
    );
    expect(new Set(peers.map(({ session: id }) => id)).size).toBe(50);
    await Promise.all(
      peers.map(async (peer, client) => {
        for (let call = 0; call < 4; call++) {
          const members = `"name":"plain:echo","arguments":{"client":${client},"call":${call}}`;
          const { json } = await peer.start('tools/call', members, '', '1').reply();
          expect(json).toMatchObject({ id: 1, result: { structuredContent: { client, call } } });
        }
      }),
    );
    await Promise.all(peers.map((peer) => peer.close()));
    const gone = await exchange(url, {
      headers: { 'mcp-session-id': peers[0]!.session! },
      method: 'GET',
    });
    expect(gone.status).toBe(406);
  });
});
