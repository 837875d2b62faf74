/** Other faults: each affects only the server or client that causes it. */

import { expect, it } from 'vitest';

import { plain, type RawClient } from '../gateway-process.js';
import { textOf } from '../lifecycle/tool-results.js';
import { greedy, residentMegabytes, startPlain } from './greedy.js';
import { openSession, post } from './http-session.js';
import { startRemote } from './remote-server.js';

async function serves(client: RawClient, tool: string): Promise<void> {
  for (let n = 0; n < 50; n++) {
    expect((await client.result(tool, { n }))['structuredContent']).toEqual({ n });
  }
}

it('a server that answers the ids of others reaches no other server, and no other client', async () => {
  const gateway = await startPlain({ thief: greedy(), fine: plain() });
  const [one, two] = [await gateway.connect(), await gateway.connect()];
  await Promise.all([one.tools(), two.tools()]);
  const stolen = Array.from({ length: 20 }, () => one.call('thief:steal'));
  await Promise.all([serves(two, 'fine:echo'), serves(one, 'fine:echo'), ...stolen]);
  expect(one.received.concat(two.received).filter(({ method }) => method === undefined)).toEqual(
    [],
  );
});

it('a server that floods notifications does not stop the others', async () => {
  const gateway = await startPlain({ loud: greedy(), fine: plain() });
  const [one, two] = [await gateway.connect(), await gateway.connect()];
  await two.tools();
  const start = residentMegabytes(gateway.pid);
  const shouting = one.call('loud:shout', { count: 20_000 });
  await serves(two, 'fine:echo');
  expect(residentMegabytes(gateway.pid) - start).toBeLessThan(200);
  expect(textOf((await shouting).result)).toBe('shouted');
});

it('an answer that is nested 100,000 deep is refused, and the server goes on', async () => {
  const gateway = await startPlain({ deep: greedy() });
  const client = await gateway.connect();
  await client.tools();
  const { error } = await client.call('deep:deep', { depth: 100_000 });
  expect(error?.data).toMatchObject({ code: 'answer-unreadable' });
  expect(textOf(await client.result('deep:echo', { text: 'alive' }))).toBe('alive');
});

it('a remote server that unpacks to a gigabyte, or streams for ever, harms only its own calls', async () => {
  const url = await startRemote();
  const gateway = await startPlain({ far: { url }, fine: plain() });
  const client = await gateway.connect();
  await client.tools();
  const start = residentMegabytes(gateway.pid);
  const { error } = await client.call('far:bomb');
  expect(error?.data).toMatchObject({ code: 'result-too-large' });
  for (const tool of ['far:endless', 'far:silent']) void client.call(tool);
  await serves(client, 'fine:echo');
  expect(residentMegabytes(gateway.pid) - start).toBeLessThan(200);
  expect((await client.call('far:echo')).result).toBeDefined();
});

it('a client that watches 5,000 resources may watch 1,000', async () => {
  const gateway = await startPlain({ plain: plain() });
  const client = await gateway.connect();
  await client.tools();
  const codes = new Map<unknown, number>();
  for (let round = 0; round < 50; round++) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        client.request('resources/subscribe', { uri: `plain://item/${round * 100 + n}` }),
      ),
    );
    for (const { error } of answers) {
      const code = error?.data?.['code'] ?? 'ok';
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(codes)).toEqual({ ok: 1_000, 'too-many': 4_000 });
});

it('an id of a megabyte is returned unchanged', async () => {
  const gateway = await startPlain({ plain: plain() });
  const session = await openSession(gateway.url);
  const id = 'x'.repeat(1_000_000);
  const reply = await post(
    gateway.url,
    JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }),
    session,
  );
  expect(((await reply.json()) as { id: string }).id === id).toBe(true);
});
