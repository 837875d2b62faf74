/** A connection that is lost during a call and resumed: nothing is missing, and nothing comes twice. */

import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { temporaryFolder } from '../gateway-process.js';
import { TestGateway } from './gateway.js';
import { exchange, type Exchange, type StreamEvent } from './http-exchange.js';
import { HttpPeer, sessionHeaders } from './http-peer.js';
import type { Json } from './json-tree.js';
import { initializeMembers, requestText } from './peer.js';
import { v1, v2 } from './sdk.js';
import { fixture } from './servers.js';

let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  gateway = new TestGateway('http', { servers: { plain: fixture('plain-child') } });
  url = await gateway.url();
  await (await openSession()).request('tools/list');
});
afterAll(() => gateway.stop());

async function openSession(capabilities = '{}'): Promise<HttpPeer> {
  const peer = new HttpPeer(url, 'session', { capabilities });
  await peer.open();
  return peer;
}

const after = (id: string | undefined): Record<string, string> => ({ 'last-event-id': id! });
const withData = (events: readonly StreamEvent[]): Json[] =>
  events.flatMap(({ data }) => (data === '' ? [] : [JSON.parse(data)]));

describe('a long call whose connection is lost', () => {
  it('is answered on the resumed connection, exactly once', async () => {
    const peer = await openSession();
    const call = peer.start('tools/call', '"name":"plain:sleep","arguments":{"ms":1600}');
    const first = await call.event(() => true);
    expect(first).toMatchObject({ data: '', id: expect.any(String) });
    call.cut();
    const resumed = peer.get(after(first.id));
    await resumed.ended;
    const answers = withData(resumed.events);
    expect(answers).toMatchObject([{ id: Number(call.id), result: expect.anything() }]);
    // A client that has everything gets nothing more.
    const again = peer.get(after(resumed.events.at(-1)!.id));
    await again.ended;
    expect(withData(again.events)).toEqual([]);
    await peer.close();
  });

  it('gets all reports in order and once, after any number of losses', async () => {
    const peer = await openSession();
    const members = '"name":"plain:progress","arguments":{"steps":30,"ms":20}';
    const call = peer.start('tools/call', members, '"progressToken":"p"');
    const seen: StreamEvent[] = [];
    let stream: Exchange = call;
    for (let cuts = 0; cuts < 4; cuts++) {
      await stream.event(({ data }) => data !== '');
      stream.cut();
      seen.push(...stream.events);
      // The gateway may notice the loss before or after the next connection; both must work.
      await pause(cuts * 20);
      stream = peer.get(after(seen.at(-1)!.id));
    }
    await stream.ended;
    seen.push(...stream.events);
    const messages = withData(seen);
    const steps = messages.slice(0, -1).map(({ params }) => params.progress);
    expect(steps).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(messages.at(-1)).toHaveProperty('result');
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    await peer.close();
  });

  it('can be resumed before we notice the loss', async () => {
    const peer = await openSession();
    const members = '"name":"plain:progress","arguments":{"steps":10,"ms":30}';
    const call = peer.start('tools/call', members, '"progressToken":"p"');
    const { id } = await call.message({ method: 'notifications/progress' });
    const resumed = peer.get(after(id));
    await Promise.all([call.ended, resumed.ended]);
    expect(withData(call.events).some((message) => 'result' in message)).toBe(false);
    expect(withData(resumed.events).at(-1)).toHaveProperty('result');
    await peer.close();
  });

  it('can ask its client something on the resumed connection', async () => {
    const peer = await openSession('{"elicitation":{}}');
    const wait = '"name":"plain:progress","arguments":{"steps":2,"ms":10}';
    await peer.start('tools/call', wait, '"progressToken":1').ended;
    const call = peer.start('tools/call', '"name":"plain:ask","arguments":{"kind":"elicitation"}');
    const question = await call.message({ method: 'elicitation/create' });
    const [primer] = call.events;
    call.cut();
    const resumed = peer.get(after(primer!.id));
    const again = await resumed.message({ method: 'elicitation/create' });
    expect(again.data).toBe(question.data);
    const answer = { jsonrpc: '2.0', id: JSON.parse(again.data).id, result: { action: 'decline' } };
    await exchange(url, { headers: sessionHeaders(peer.session), body: JSON.stringify(answer) });
    const { data } = await resumed.message({ id: Number(call.id) });
    expect(JSON.parse(data).result.structuredContent).toEqual({ answer: { action: 'decline' } });
    await peer.close();
  });

  it('is not waited for once it was cancelled', async () => {
    const peer = await openSession();
    const members = '"name":"plain:progress","arguments":{"steps":1000,"ms":20}';
    const call = peer.start('tools/call', members, '"progressToken":"p"');
    const { id } = await call.message({ method: 'notifications/progress' });
    await peer.notify('notifications/cancelled', `"requestId":${call.id}`);
    await call.ended;
    expect((await peer.get(after(id)).reply()).status).toBe(405);
    await peer.close();
  });

  it('cannot be resumed with an unknown event, or by another session', async () => {
    const [peer, other] = [await openSession(), await openSession()];
    const call = peer.start('tools/call', '"name":"plain:sleep","arguments":{"ms":1300}');
    const { id } = await call.event(() => true);
    const [stream] = id!.split('-');
    for (const wrong of ['none', '', `${stream}-99`, `${stream}-x`, `${stream}--1`]) {
      expect((await peer.get(after(wrong)).reply()).status, wrong).toBe(400);
    }
    expect((await other.get(after(id)).reply()).status).toBe(400);
    await call.ended;
    expect(withData(call.events)).toHaveLength(1);
    await Promise.all([peer.close(), other.close()]);
  });

  it('has no event without data for clients that do not expect one', async () => {
    const body = requestText('1', 'initialize', initializeMembers({}, '2025-06-18'), '');
    const opened = await exchange(url, { headers: sessionHeaders(), body });
    const headers = {
      ...sessionHeaders(opened.headers['mcp-session-id'] as string),
      'mcp-protocol-version': '2025-06-18',
    };
    const slow = requestText('2', 'tools/call', '"name":"plain:sleep","arguments":{"ms":1200}', '');
    const call = await exchange(url, { headers, body: slow });
    expect(call.headers['content-type']).toBe('text/event-stream');
    expect(call.text.match(/^data:/gm)).toHaveLength(1);
  });
});

describe("the SDK's own client", () => {
  it.concurrent.for(['v1', 'v2'] as const)(
    '%s gets its answer over a connection that breaks',
    async (version, test) => {
      const folder = temporaryFolder(test.onTestFinished);
      const sockets = new Set<Socket>();
      let ids = 0;
      const { port } = new URL(url);
      const proxy = createServer((socket) => {
        const onward = connect(Number(port), '127.0.0.1');
        onward.on('data', (bytes) => (ids += bytes.toString().match(/^id: /gm)?.length ?? 0));
        for (const [from, to] of [
          [socket, onward],
          [onward, socket],
        ] as const) {
          sockets.add(from);
          from.on('error', () => undefined).on('close', () => to.destroy());
          from.pipe(to);
        }
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const { port: own } = proxy.address() as AddressInfo;
      const address = new URL(`http://127.0.0.1:${own}/mcp`);
      const info = { name: 'sdk-client', version: '1' };
      const client = version === 'v1' ? new v1.Client(info) : new v2.Client(info);
      const transport =
        version === 'v1'
          ? new v1.StreamableHTTPClientTransport(address)
          : new v2.StreamableHTTPClientTransport(address);
      await client.connect(transport as never);
      const morning = join(folder, version);
      const call = client.callTool({ name: 'plain:sleep', arguments: { until: morning } });
      // The stream of the session and that of the call can both be resumed now.
      await test.expect.poll(() => ids).toBeGreaterThanOrEqual(2);
      for (const socket of sockets) socket.destroy();
      writeFileSync(morning, '');
      test.expect(await call).toMatchObject({ content: [{ text: 'Slept until the file came.' }] });
      await client.close();
      proxy.close();
    },
  );
});

describe('the stream for what belongs to no request', () => {
  it('can be resumed too, with the messages sent meanwhile', async () => {
    const [peer, other] = [await openSession(), await openSession()];
    const stream = await peer.listen();
    const { id } = await stream.event(() => true);
    stream.cut();
    await other.request('tools/call', '"name":"plain:add_tool","arguments":{"name":"meanwhile"}');
    const resumed = peer.get(after(id));
    await resumed.message({ method: 'notifications/tools/list_changed' });
    // And it continues from there.
    await other.request(
      'tools/call',
      '"name":"plain:remove_tool","arguments":{"name":"meanwhile"}',
    );
    await expect
      .poll(() => withData(resumed.events).filter(({ method }) => method?.includes('tools')).length)
      .toBe(2);
    resumed.cut();
    await Promise.all([peer.close(), other.close()]);
  });
});
