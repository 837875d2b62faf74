/** A cancelled call is cancelled at its server, over every transport, and is never answered. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { arrived } from '../clients/arrival.js';
import { TestGateway, type Listener } from '../clients/gateway.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { Era, Peer } from '../clients/peer.js';
import { PipePeer } from '../clients/pipe-peer.js';
import { fixture } from '../clients/servers.js';

const SERVERS = {
  session: fixture('plain-child'),
  stateless: fixture('plain-child', '--stateless'),
};
/** A call of a client that cannot answer questions never waits for calls of others. */
const SILENT = { capabilities: '{}' };
const LISTENERS: readonly Listener[] = ['stdio', 'http'];
const ERAS: readonly Era[] = ['session', 'stateless'];

describe.each(LISTENERS)('behind the listener of %s', (listener) => {
  let gateway: TestGateway;

  beforeAll(() => {
    gateway = new TestGateway(listener, { servers: SERVERS });
  });
  afterAll(() => gateway.stop());

  const cases = ERAS.flatMap((era) => ERAS.map((server) => ({ era, server })));

  it.each(cases)(
    'a client of the $era era cancels a call to a server of the $server era',
    shows('ANN-45', async ({ era, server }: { era: Era; server: Era }) => {
      const peer = await gateway.connect(era, SILENT);
      const before = await cancelled(peer, server);
      const members = `"name":"${server}:sleep","arguments":{"ms":60000}`;
      const late = await cancelWhenRunning(peer, server, members);
      await expect.poll(() => cancelled(peer, server)).toBe(before + 1);
      // Everything that the server sent before this answer has arrived.
      await cancelled(peer, server);
      expect(late()).toEqual([]);
      if (peer instanceof HttpPeer) await peer.close();
    }),
  );

  it.each(cases)(
    'a client of the $era era cancels in the middle of progress from a server of the $server era',
    shows('ANN-45', async ({ era, server }: { era: Era; server: Era }) => {
      const peer = await gateway.connect(era, SILENT);
      const before = await cancelled(peer, server);
      const members = `"name":"${server}:progress","arguments":{"steps":1000,"ms":10}`;
      const late = await cancelWhenRunning(peer, server, members, '"progressToken":"p"');
      await expect.poll(() => cancelled(peer, server)).toBe(before + 1);
      // Everything that the server sent before this answer has arrived.
      await cancelled(peer, server);
      expect(late()).toEqual([]);
      if (peer instanceof HttpPeer) await peer.close();
    }),
  );
});

/** How many requests the server has seen cancelled. */
async function cancelled(peer: Peer, server: Era): Promise<number> {
  const { result } = await peer.request('tools/call', `"name":"${server}:cancelled"`);
  return (JSON.parse(result!) as { structuredContent: { ids: unknown[] } }).structuredContent.ids
    .length;
}

/** Sends a call, cancels it when it runs, and returns what the client gets after that. */
async function cancelWhenRunning(
  peer: Peer,
  server: Era,
  members: string,
  meta = '',
): Promise<() => string[]> {
  const calls = async (): Promise<number> => {
    const { result } = await peer.request('tools/call', `"name":"${server}:calls"`);
    return (JSON.parse(result!) as { structuredContent: { calls: number } }).structuredContent
      .calls;
  };
  if (peer instanceof PipePeer) {
    const id = await arrived(calls, () => {
      peer.request('tools/call', members, meta).catch(() => undefined);
      return peer.lastId;
    });
    await peer.notify('notifications/cancelled', `"requestId":${id},"reason":"bye"`);
    // When this is answered, the gateway knows about the cancellation.
    await peer.request('ping');
    const heard: string[] = [];
    peer.pipe.onLine((line) => {
      if (line.includes(`"id":${id},`) || line.includes('"progressToken":"p"')) heard.push(line);
    });
    return () => heard;
  }
  const http = peer as HttpPeer;
  const call = await arrived(calls, () => http.start('tools/call', members, meta));
  if (peer.era === 'stateless') call.cut();
  else {
    await http.notify('notifications/cancelled', `"requestId":${call.id}`);
    // The exchange must end, so that no client waits for ever.
    await call.ended;
  }
  const known = call.events.length;
  return () => call.events.slice(known).map(({ data }) => data);
}
