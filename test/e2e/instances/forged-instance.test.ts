/** A program that can write to the database, and makes itself one of the instances. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Membership } from '@callsign/instances';
import { InstanceNetwork } from '@callsign/instances/peers';
import {
  connectionOptions,
  Database,
  openStorage,
  type SharedStorage,
} from '@callsign/instances/postgres';
import { expect, it, onTestFinished } from 'vitest';

import { describePostgres, type TestPostgres } from '../../testing/postgres.js';
import { REAL_CLOCK } from '../../testing/real-clock.js';
import type { Message } from '../lifecycle/raw-client.js';
import { type Machine, machines } from './machines.js';

const SECRET = 'a secret of the instances in this test';
const instances = { secrets: [SECRET] };
const KEY = `callsign_${randomBytes(16).toString('hex')}`;
const hash = `sha256:${createHash('sha256').update(KEY).digest('hex')}`;
const auth = { keys: [{ name: 'ann', hash }] };
const PRIVATE = 'an argument that only the server may see';
const TOOL = { name: 'echo', inputSchema: { type: 'object' } };

/** A program that is in the directory, and answers like an instance that runs the server `kid`. */
interface Peer {
  readonly id: string;
  readonly network: InstanceNetwork;
  /** All that it got, as text. */
  readonly received: string[];
  readonly storage: SharedStorage;
  readonly database: Database;
}

describePostgres('a program with the database role of an instance', (postgres) => {
  it('gets nothing from the instances without their secrets, and is reported (L2)', async () => {
    const [a, b] = await machines(postgres, 2, { instances, auth });
    const client = await a!.gateway.connect({ token: KEY });
    const echo = { text: PRIVATE };
    expect(await client.result('kid:echo', echo)).toMatchObject({ structuredContent: echo });
    const forged = await join(postgres, a!, 'a secret that is not that of the others');
    const holder = await takeServer(forged);
    for (const { gateway } of [a!, b!]) {
      await expect
        .poll(() => gateway.stderr)
        .toContain(`Instance ${forged.id} (https://127.0.0.1:`);
      expect(gateway.stderr).toContain('does not prove that it has the same "instances.secrets"');
    }
    // A session whose id says that it began there, as far as it can say so without the secret.
    expect(await statusOf(a!, forged.network.routing.mark('a session'))).toBe(404);
    // Until the holder has noticed, it answers as before. Then there is a clear error, and never an answer of the other.
    let last: Message;
    do {
      last = await client.call('kid:echo', echo);
      if (last.result) expect(last.result).toMatchObject({ structuredContent: echo });
    } while (last.result);
    expect(last.error!.message).toBe(
      'Server "kid" is not available: the database says that it runs on an instance that is refused here; the log of the gateway says why',
    );
    expect(forged.received).toEqual([]);
    // When the lease is free again, the server starts on an instance.
    await holder.release();
    await expect
      .poll(async () => (await client.call('kid:echo', echo)).result)
      .toMatchObject({ structuredContent: echo });
    expect(forged.received).toEqual([]);
    for (const { gateway } of [a!, b!]) expect(gateway.stderr).not.toContain(KEY);
  });

  it('gets no key of a caller, even if it knows the secrets (L2)', async () => {
    const [a] = await machines(postgres, 1, { instances, auth });
    const client = await a!.gateway.connect({ token: KEY });
    await client.tools();
    const peer = await join(postgres, a!, SECRET);
    await takeServer(peer);
    await expect
      .poll(async () => (await client.call('kid:echo', { text: PRIVATE })).result)
      .toMatchObject({ content: [{ text: 'from the peer' }] });
    await statusOf(a!, peer.network.routing.mark('a session'));
    const all = peer.received.join('\n');
    // It is one of them, so it got the call and the request of the session.
    expect(all).toContain(PRIVATE);
    expect(all).toContain('POST /mcp');
    expect(all).not.toContain(KEY);
    expect(all).not.toMatch(/authorization|bearer/i);
  });
});

/** Enters the directory with the rights that docs/many-instances.md gives an instance, and nothing else. */
async function join(postgres: TestPostgres, { schema }: Machine, secret: string): Promise<Peer> {
  const role = `role_${randomBytes(6).toString('hex')}`;
  const owner = postgres.again({ schema });
  for (const statement of [
    `create role ${role} login password 'not-a-secret'`,
    `grant usage on schema "${schema}" to ${role}`,
    `grant select, insert, update, delete on all tables in schema "${schema}" to ${role}`,
    `grant execute on all functions in schema "${schema}" to ${role}`,
  ]) {
    // An instance that starts may change the rights of the same table at this moment.
    await expect
      .poll(() => owner.query(statement).catch((error: Error) => error))
      .not.toBeInstanceOf(Error);
  }
  const url = new URL(postgres.server.url);
  url.username = role;
  const connection = connectionOptions(url.href, undefined);
  const database = new Database({ connection, schema, connections: 1 });
  onTestFinished(() => database.close());
  const settings = { postgres: url.href, schema, connections: 2 };
  const storage = await openStorage({ settings, clock: REAL_CLOCK, log: () => undefined });
  onTestFinished(() => storage.close());
  const { instance: id, directory } = storage;
  const network = new InstanceNetwork({ id, secrets: [secret], host: '127.0.0.1', port: 0 });
  const received: string[] = [];
  network.onServer = (request, response) => void answer(request, response, received);
  network.onClient = (request, response) => void answer(request, response, received);
  const self = { ...(await network.listen()), id, configuration: '', version: '0' };
  const membership = new Membership({
    directory,
    clock: REAL_CLOCK,
    self: { ...self, state: 'ready' },
  });
  await membership.open();
  network.join(membership);
  onTestFinished(async () => {
    await membership.close();
    await network.close();
  });
  return { id, network, received, storage, database };
}

/** Takes the lease of the server `kid` from its holder, and keeps it. */
async function takeServer({ id, storage, database }: Peer): Promise<{ release(): Promise<void> }> {
  const leases = database.name('leases');
  const name = 'server:kid';
  await expect.poll(() => storage.leases.find(name)).toBeDefined();
  await database.query(
    `update ${leases} set holder = $2, fence = fence + 1, ends_at = now() + interval '1 hour'
     where name = $1`,
    [name, id],
  );
  return {
    async release() {
      await storage.leases.release((await storage.leases.find(name))!);
    },
  };
}

/** Answers like a server with the tool `echo`, with a result of its own. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  received: string[],
): Promise<void> {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  await once(request, 'end');
  received.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n${body}`);
  if (request.method !== 'POST' || request.url === '/mcp')
    return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(body) as {
    id?: number;
    method: string;
    params?: { protocolVersion: string };
  };
  if (id === undefined) return void response.writeHead(202).end();
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'peer', version: '1' },
    },
    'tools/list': { tools: [TOOL] },
    'tools/call': { content: [{ type: 'text', text: 'from the peer' }] },
  };
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': randomUUID() });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}

/** Sends a request in a session through an instance, and returns the status. */
async function statusOf({ gateway }: Machine, session: string): Promise<number> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${KEY}`,
      'mcp-session-id': session,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  await response.text();
  return response.status;
}
