import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { byKind, type Item, type Principal } from '@callsign/core';
import { listed } from '@callsign/core/testing';
import { openHttp, Upstream, type CachedOffer, type UpstreamOptions } from '@callsign/wire';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CallerSeal } from '../keys/caller-seal.js';
import { ServedServer } from './served-server.js';

const SELF = { name: 'test', version: '1' };
const ITEMS: Readonly<Record<string, Item>> = {
  tool: { name: 't', json: '{"name":"t","inputSchema":{"type":"object"}}' },
  prompt: { name: 'p', json: '{"name":"p"}' },
  resource: { name: 'a:r', json: '{"uri":"a:r","name":"r"}' },
};
const OFFER: CachedOffer = {
  lists: byKind((kind) => (ITEMS[kind] ? [ITEMS[kind]] : [])),
  capabilities: '{"tools":{},"prompts":{},"resources":{}}',
};

function upstream(
  options: Partial<UpstreamOptions> & Pick<UpstreamOptions, 'transport'>,
): Upstream {
  const made = new Upstream({
    key: 's',
    self: SELF,
    era: 'session',
    restart: { initialMs: 10, maxMs: 10, giveUpAfter: 1 },
    ...options,
  });
  onTestFinished(() => made.stop());
  return made;
}

/** A server that fails at each start, as another instance reaches it. */
async function reached(cached: CachedOffer | undefined): Promise<Upstream> {
  const broken = upstream({
    ...(cached ? { cached } : {}),
    transport: {
      onePipe: true,
      open: () => (events) => {
        setImmediate(() => events.onClose('it ended'));
        const close = (): Promise<void> => Promise.resolve();
        return { backlog: 0, send: () => undefined, abandon: () => false, close };
      },
    },
  });
  const state = (principal: Principal): Principal => principal;
  const callers = { isRequired: false, state, check: () => undefined };
  const server = new ServedServer({
    key: 's',
    server: broken,
    maxMessageBytes: 100_000,
    self: SELF,
    callers,
    seal: new CallerSeal('here', ['a secret']),
  });
  const listener = createServer((request, response) => server.take(request, response));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    server.close('stopped the server');
    listener.closeAllConnections();
    listener.close();
  });
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
  const other = upstream({
    cached: OFFER,
    transport: {
      onePipe: false,
      open: (era) => openHttp({ url, era, headers: {}, maxMessageBytes: 100_000 }),
    },
  });
  void broken.start();
  await other.start();
  expect(broken.state.is).toBe('failed');
  return other;
}

describe('a server that does not start', () => {
  it('leaves other instances the lists that they remember', async () => {
    const other = await reached(undefined);
    expect(listed(other)).toEqual(['t']);
    expect(listed(other, 'prompt')).toEqual(['p']);
    expect(listed(other, 'resource')).toEqual(['a:r']);
    const { state } = other;
    expect(state).toMatchObject({ is: 'ready' });
    expect(JSON.stringify(state)).toContain('it ended');
  });

  it('still offers what it offered before', async () => {
    const other = await reached({ ...OFFER, lists: { ...OFFER.lists, prompt: [] } });
    expect(listed(other)).toEqual(['t']);
    expect(listed(other, 'prompt')).toEqual([]);
  });
});
