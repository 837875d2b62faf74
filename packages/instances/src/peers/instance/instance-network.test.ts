import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { announcement } from '../../../../../test/contracts/instance-directory.js';
import { memoryDirectory } from '../../../../../test/memory/memory-directory.js';
import type { InstanceDirectory } from '../../directory/instance-directory.js';
import { Client, lastMessage, readUntil } from '../testing/client.js';
import { CLOCK, runInstance, type RunningInstance } from '../testing/running-instance.js';

const DONE = { content: [{ type: 'text', text: 'done' }] };

async function run(count: number): Promise<RunningInstance[]> {
  const directory = memoryDirectory(CLOCK);
  const instances: RunningInstance[] = [];
  for (let number = 0; number < count; number++) instances.push(await runInstance(directory));
  return instances;
}

/** What happens to new connections: they are passed on, get no answer, or are closed. */
interface Wire {
  state: 'open' | 'pause' | 'cut';
}

/** A directory in which the first instance is reached through a wire. */
function wiredDirectory(): { directory: InstanceDirectory; wire: Wire } {
  const inner = memoryDirectory(CLOCK);
  const wire: Wire = { state: 'open' };
  let first: Promise<{ id: string; address: string }> | undefined;
  const directory: InstanceDirectory = {
    ...inner,
    async announce(each, report) {
      first ??= wireTo(each.address, wire).then((address) => ({ id: each.id, address }));
      const { id, address } = await first;
      await inner.announce(each.id === id ? { ...each, address } : each, report);
    },
  };
  return { directory, wire };
}

/** Returns the address of the wire. It ends with the test. */
async function wireTo(address: string, wire: Wire): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    if (wire.state === 'cut') return void near.destroy();
    if (wire.state === 'pause') return;
    const far = connect(Number(new URL(address).port), '127.0.0.1');
    sockets.add(far.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a stream, which ends with the test. */
function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  const reader = response.body!.getReader();
  onTestFinished(() => reader.cancel().catch(() => undefined));
  return reader;
}

describe('an instance with an address that is not valid', () => {
  it('counts as one that does not answer', async () => {
    const directory = memoryDirectory(CLOCK);
    await directory.announce(announcement('odd', { address: 'https://[odd:1]:1' }));
    const { network, url, fake } = await runInstance(directory);
    fake.answerAll(DONE);
    const [odd] = await directory.list();
    expect(await network.isAlive(odd!)).toBe(false);
    const client = new Client();
    await client.initialize(url);
    expect(await client.call(url)).toMatchObject({ status: 200 });
  });
});

describe('a session of many instances', () => {
  it('is answered by its home through any instance', async () => {
    const [home, ...others] = await run(3);
    home!.fake.answerAll(DONE);
    const client = new Client();
    await client.initialize(home!.url);
    for (const { url } of [home!, ...others]) {
      expect(await client.call(url)).toMatchObject({ status: 200, body: { result: DONE } });
    }
    expect(home!.fake.calls).toHaveLength(3);
    expect(others.flatMap(({ fake }) => fake.calls)).toEqual([]);
  });

  it('has an id that names its home to the instances only', async () => {
    const [home] = await run(1);
    const client = new Client();
    await client.initialize(home!.url);
    expect(client.session).toMatch(/^[\w-]{80,160}$/);
    const bytes = Buffer.from(client.session!, 'base64url').toString('latin1');
    expect(bytes).not.toContain(home!.network.id);
  });

  it('streams through another instance, and resumes through a third', async () => {
    const [home, second, third] = await run(3);
    const client = new Client();
    await client.initialize(home!.url);
    await (await client.post(home!.url, 'tools/list')).text();
    const stream = readerOf(await client.get(second!.url));
    expect(await readUntil(stream, 'id: ')).toContain('id: own-1');
    home!.fake.offers({ tools: ['work', 'rest'] });
    expect(await readUntil(stream, 'list_changed')).toContain('id: own-2');
    await stream.cancel();
    const again = readerOf(await client.get(third!.url, 'own-1'));
    expect(await readUntil(again, 'list_changed')).toContain('id: own-2');
  });

  it('gets progress and questions of its calls through another instance', async () => {
    const [home, other] = await run(2);
    const client = new Client();
    await client.initialize(home!.url);
    const params = { name: 's:work', arguments: {}, _meta: { progressToken: 'p' } };
    const response = client.post(other!.url, 'tools/call', params);
    const { call, answer } = await home!.fake.next();
    const progress = '{"progressToken":7,"progress":1}';
    call.context.progress!(progress, 17, 18);
    const stream = readerOf(await response);
    expect(await readUntil(stream, '"progress":1')).toContain('"progressToken":"p"');
    const asked = call.context.ask!({ method: 'elicitation/create', params: '{"message":"?"}' });
    const question = lastMessage(await readUntil(stream, 'elicitation')) as { id: number };
    const reply = { jsonrpc: '2.0', id: question.id, result: { action: 'accept' } };
    expect((await client.send(other!.url, reply)).status).toBe(202);
    expect(await asked).toEqual({ ok: true, json: '{"action":"accept"}' });
    answer(DONE);
    expect(await readUntil(stream, 'done')).toContain('"result"');
  });

  it('cancels a call when the client leaves the other instance', async () => {
    const [home, other] = await run(2);
    const client = new Client();
    await client.initialize(home!.url);
    const leaves = new AbortController();
    const response = fetch(other!.url, {
      method: 'POST',
      headers: client.headers(),
      signal: leaves.signal,
      body: '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"s:work","arguments":{}}}',
    });
    const { call } = await home!.fake.next();
    const cancelled = new Promise((resolve) => call.context.onCancel(resolve));
    leaves.abort();
    await expect(response).rejects.toThrow();
    await cancelled;
    expect(call.context.isCancelled).toBe(true);
  });

  it('can be ended through another instance', async () => {
    const [home, other] = await run(2);
    const client = new Client();
    await client.initialize(home!.url);
    expect((await client.delete(other!.url)).status).toBe(200);
    expect((await client.call(home!.url)).status).toBe(404);
    expect((await client.call(other!.url)).status).toBe(404);
  });

  it('belongs to its caller, whose credential the home does not get (L2)', async () => {
    const [home, other] = await run(2);
    home!.fake.answerAll(DONE);
    const [ann, bob] = [new Client('ann'), new Client('bob')];
    await ann.initialize(home!.url);
    bob.session = ann.session;
    home!.checked.length = 0;
    expect((await bob.call(other!.url)).status).toBe(404);
    expect((await ann.call(other!.url)).status).toBe(200);
    expect([other!.checked, home!.checked, home!.told]).toEqual([
      ['bob', 'ann'],
      [],
      ['bob', 'ann'],
    ]);
    expect(home!.received).toHaveLength(2);
    for (const headers of home!.received)
      expect(headers).not.toMatch(/authorization|\b(?:ann|bob)\b/i);
    const { authorization: _, ...headers } = ann.headers();
    const anonymous = await fetch(other!.url, { method: 'POST', headers, body: '{}' });
    expect(anonymous.status).toBe(401);
    expect(home!.told).toEqual(['bob', 'ann']);
  });

  it('does not take its caller from what the client says (L2)', async () => {
    const [home, other] = await run(2);
    const client = new Client('ann');
    await client.initialize(home!.url);
    const sealed = other!.network.callers.seal({ caller: { name: 'ann', roles: [] } }, 'elsewhere');
    const headers = { ...new Client('bob').headers(), 'mcp-session-id': client.session! };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const init = { method: 'POST', headers: { ...headers, 'callsign-caller': sealed }, body };
    expect((await fetch(other!.url, init)).status).toBe(404);
    expect(home!.told).toEqual(['bob']);
  });

  it('is unknown once its home is gone, so that the client opens a new one', async () => {
    const [home, other] = await run(2);
    other!.fake.answerAll(DONE);
    const client = new Client();
    await client.initialize(home!.url);
    await home!.crash();
    expect(await client.call(other!.url)).toMatchObject({
      status: 404,
      body: { error: { code: -32001 } },
    });
    expect((await client.get(other!.url)).status).toBe(404);
    client.session = undefined;
    await client.initialize(other!.url);
    expect(await client.call(other!.url)).toMatchObject({ body: { result: DONE } });
  });

  it.each(['pause', 'cut'] as const)(
    'survives a %s of the network to its home, which still runs (L5)',
    async (trouble) => {
      const { directory, wire } = wiredDirectory();
      const home = await runInstance(directory);
      home.fake.answerAll(DONE);
      const client = new Client();
      await client.initialize(home.url);
      const other = await runInstance(directory);
      wire.state = trouble;
      const response = await client.post(other.url, 'tools/call', { name: 's:work' });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await client.get(other.url)).status).toBe(503);
      expect((await client.delete(other.url)).status).toBe(503);
      expect(home.fake.calls).toHaveLength(0);
      wire.state = 'open';
      expect(await client.call(other.url)).toMatchObject({ status: 200, body: { result: DONE } });
      // The directory does not list it any more, so it counts as ended.
      wire.state = trouble;
      await home.membership.close();
      await vi.waitFor(() => expect(other.membership.instances).toHaveLength(1));
      expect((await client.call(other.url)).status).toBe(404);
    },
  );

  it.each(['a call', 'a stream'])('gets an error when its home ends during %s', async (kind) => {
    const [home, other] = await run(2);
    const client = new Client();
    await client.initialize(home!.url);
    const params = { name: 's:work', arguments: {}, _meta: { progressToken: 1 } };
    const response = client.post(other!.url, 'tools/call', params);
    const { call } = await home!.fake.next();
    const isStream = kind === 'a stream';
    if (isStream) call.context.progress!('{"progressToken":7,"progress":1}', 17, 18);
    const begun = isStream ? await response : undefined;
    await home!.crash();
    const text = await (begun ?? (await response)).text();
    expect(lastMessage(text)).toMatchObject({
      id: 2,
      error: { code: -32000, data: { code: 'instance-lost' } },
    });
  });

  it('is told that its home stopped answering, since no more is known (L13)', async () => {
    const [home, other] = await run(2);
    const client = new Client();
    await client.initialize(home!.url);
    const underWay = client.call(other!.url);
    await home!.fake.next();
    await home!.crash();
    const message = expect.stringMatching(/that had this call stopped answering before/) as string;
    expect(await underWay).toMatchObject({ body: { error: { message } } });
  });

  it('waits at an instance that is not in the directory yet', async () => {
    const directory = memoryDirectory(CLOCK);
    const home = await runInstance(directory);
    home.fake.answerAll(DONE);
    const client = new Client();
    await client.initialize(home.url);
    let join = (): void => undefined;
    const late = await runInstance(directory, undefined, (enter) => (join = enter));
    const early = client.call(late.url);
    // The instance has read the request when it answers another one.
    expect((await new Client().call(late.url)).status).toBe(400);
    join();
    expect(await early).toMatchObject({ status: 200, body: { result: DONE } });
  });

  it('is not reported as lost by an instance that cannot ask the directory', async () => {
    const directory = memoryDirectory(CLOCK);
    const home = await runInstance(directory);
    const client = new Client();
    await client.initialize(home.url);
    const find = (): Promise<never> => Promise.reject(new Error('down'));
    const alone = await runInstance(directory, undefined, () => undefined);
    const cut = await runInstance({ ...directory, list: async () => [], find });
    for (const { url } of [alone, cut]) {
      const response = await client.post(url, 'tools/call', { name: 's:work', arguments: {} });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await client.get(url)).status).toBe(503);
    }
    expect(home.fake.calls).toHaveLength(0);
  });

  it('is refused if its id was not sealed by an instance', async () => {
    const [home, other] = await run(2);
    const client = new Client();
    await client.initialize(home!.url);
    const sealed = client.session!;
    client.session = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`;
    expect((await client.call(other!.url)).status).toBe(404);
    client.session = '00000000-0000-4000-8000-000000000000';
    expect((await client.call(other!.url)).status).toBe(404);
  });
});

describe('a held call of many instances', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const post = async (url: string, who: string, more: object = {}): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${who}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 's:work',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 's:work', arguments: {}, ...more, _meta: META },
      }),
    });
    return lastMessage(await response.text());
  };
  const ask = async ({ fake, url }: RunningInstance): Promise<{ requestState: string }> => {
    const asked = post(url, 'ann');
    const { call, answer } = await fake.next();
    void call.context.ask!({ method: 'elicitation/create', params: '{"message":"?"}' }).then(
      ({ json }) => answer({ content: [{ type: 'text', text: json }] }),
    );
    return ((await asked) as { result: { requestState: string } }).result;
  };
  const inputResponses = { q1: { action: 'accept' } };

  it('continues on its home, for its caller only', async () => {
    const [home, other] = await run(2);
    const { requestState } = await ask(home!);
    const invalid = { error: { data: { code: 'request-state-invalid' } } };
    expect(await post(other!.url, 'bob', { requestState, inputResponses })).toMatchObject(invalid);
    expect(await post(other!.url, 'ann', { requestState, inputResponses })).toMatchObject({
      result: { content: [{ text: '{"action":"accept"}' }] },
    });
    expect(await post(other!.url, 'ann', { requestState, inputResponses })).toMatchObject(invalid);
    expect(other!.fake.calls).toEqual([]);
  });

  it('is invalid once its home is gone', async () => {
    const [home, other] = await run(2);
    const { requestState } = await ask(home!);
    await home!.crash();
    expect(await post(other!.url, 'ann', { requestState, inputResponses })).toMatchObject({
      error: { data: { code: 'request-state-invalid' } },
    });
    expect(other!.fake.calls).toEqual([]);
  });
});

describe('an instance that drains', () => {
  it('sends new sessions to another, and keeps its own', async () => {
    const [first, second] = await run(2);
    first!.fake.answerAll(DONE);
    second!.fake.answerAll(DONE);
    const [old, young] = [new Client(), new Client()];
    await old.initialize(first!.url);
    await vi.waitFor(() => expect(first!.membership.instances).toHaveLength(2));
    first!.listener.drain();
    await first!.network.drain();
    await young.initialize(first!.url);
    await young.call(first!.url);
    expect(second!.fake.calls).toHaveLength(1);
    await old.call(second!.url);
    expect(first!.fake.calls).toHaveLength(1);
    const ready = await fetch(new URL('/readyz', first!.url));
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not-ready', reason: 'draining' },
    ]);
    expect((await fetch(new URL('/readyz', second!.url))).status).toBe(200);
  });

  it('refuses new calls in the end, and answers those under way', async () => {
    const [first, second] = await run(2);
    const client = new Client();
    await client.initialize(first!.url);
    const underWay = client.call(second!.url);
    await vi.waitFor(() => expect(first!.fake.calls).toHaveLength(1));
    first!.listener.retire();
    expect(await client.call(second!.url)).toMatchObject({ status: 404 });
    expect(first!.listener.callsUnderWay).toBe(1);
    expect(second!.listener.callsUnderWay).toBe(1);
    first!.fake.calls[0]!.answer(DONE);
    expect(await underWay).toMatchObject({ status: 200, body: { result: DONE } });
    expect(first!.fake.calls).toHaveLength(1);
  });

  it('says of a call that it could not finish that it may have been made', async () => {
    const [only] = await run(1);
    const client = new Client();
    await client.initialize(only!.url);
    const underWay = client.call(only!.url);
    await vi.waitFor(() => expect(only!.fake.calls).toHaveLength(1));
    await only!.listener.close();
    // A client may send a call again after 404, so that would be wrong here.
    const body = { error: { data: { code: 'instance-lost' } } };
    expect(await underWay).toMatchObject({ status: 200, body });
  });

  it('leaves when the others have heard, and nothing is under way to it', async () => {
    const [first, second] = await run(2);
    const client = new Client();
    await client.initialize(first!.url);
    const underWay = client.call(second!.url);
    await vi.waitFor(() => expect(first!.fake.calls).toHaveLength(1));
    await vi.waitFor(() => expect(first!.membership.instances).toHaveLength(2));
    let hasLeft = false;
    const left = first!.network.leave().then(() => (hasLeft = true));
    await vi.waitFor(async () =>
      expect(await second!.network.find(first!.network.id)).toBeUndefined(),
    );
    // It is still in the directory, and its session is still open.
    expect(await client.call(second!.url)).toMatchObject({ status: 404 });
    expect(hasLeft).toBe(false);
    first!.fake.calls[0]!.answer(DONE);
    expect(await underWay).toMatchObject({ status: 200, body: { result: DONE } });
    await left;
    expect(first!.fake.calls).toHaveLength(1);
  });

  it('asks clients to try again later if there is no other', async () => {
    const [only] = await run(1);
    only!.listener.drain();
    const response = await new Client().post(only!.url, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('an instance of the directory that does not know the secrets', () => {
  it('gets nothing, is reported once, and counts as not running (L2)', async () => {
    const directory = memoryDirectory(CLOCK);
    const first = await runInstance(directory);
    const forged = await runInstance(directory, ['another secret']);
    await vi.waitFor(() => expect(first.unproved).toContain(forged.network.id));
    const client = new Client();
    await client.initialize(first.url);
    expect(await first.network.find(forged.network.id)).toBeUndefined();
    expect(first.network.hasSuccessor()).toBe(false);
    first.listener.drain();
    const response = await new Client().post(first.url, 'initialize', {});
    expect(response.status).toBe(503);
    expect(forged.received).toEqual([]);
    expect(first.received).toEqual([]);
    // One report for the entry in the directory, and one for its attempts to connect.
    expect(first.unproved.length).toBeLessThanOrEqual(2);
  });

  it('is one of them as soon as it has the right secrets (L2)', async () => {
    const directory = memoryDirectory(CLOCK);
    const first = await runInstance(directory);
    const other = await runInstance(directory, ['another secret']);
    await vi.waitFor(() => expect(first.unproved).toContain(other.network.id));
    other.network.replaceSecrets(['a secret']);
    await vi.waitFor(
      async () => expect(await first.network.find(other.network.id)).toBeDefined(),
      30_000,
    );
  });
});

describe('readiness', () => {
  it('lasts while no instance can reach the directory, and ends for one that is cut off alone', async () => {
    const away = new Set<string>();
    const inner = memoryDirectory(CLOCK);
    const directory: InstanceDirectory = {
      ...inner,
      announce: (each) =>
        away.has(each.id) ? Promise.reject(new Error('away')) : inner.announce(each),
    };
    const all = [await runInstance(directory), await runInstance(directory)];
    const [first, second] = all as [RunningInstance, RunningInstance];
    await vi.waitFor(() => {
      for (const { membership } of all) expect(membership.instances).toHaveLength(2);
    });
    const cut = new Set<string>();
    for (const { network } of all) network.onCut = () => cut.add(network.id);
    away.add(first.network.id);
    await vi.waitFor(() => expect(first.network.notReady()).toContain('only this instance'));
    expect(second.network.notReady()).toBeUndefined();
    expect(cut).toEqual(new Set());
    away.add(second.network.id);
    await vi.waitFor(() => {
      expect(second.membership.isReachable).toBe(false);
      for (const { network } of all) expect(network.notReady()).toBeUndefined();
      // Each was asked by the other, and knows that the other may keep its leases.
      expect(cut).toEqual(new Set(all.map(({ network }) => network.id)));
    });
  });
});

describe('the directory', () => {
  it('is asked for an instance that is too new to be on the list', async () => {
    const directory: InstanceDirectory = memoryDirectory(CLOCK);
    const home = await runInstance(directory);
    home.fake.answerAll(DONE);
    const client = new Client();
    await client.initialize(home.url);
    const young = await runInstance(directory);
    expect(await client.call(young.url)).toMatchObject({ body: { result: DONE } });
  });
});
