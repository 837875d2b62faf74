import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Instance } from '../../directory/instance-directory.js';
import { createInstanceKey, type InstanceKey } from '../keys/instance-key.js';
import { PeerConnections } from './peer-connections.js';
import { PeerListener } from './peer-listener.js';

const KNOWN = 'known-instance';
const GET = { method: 'GET', path: '/', headers: {} };

/** A listener whose directory holds itself and the known instance. */
async function open(known: InstanceKey): Promise<{ home: Instance; requests: string[] }> {
  const key = createInstanceKey();
  const requests: string[] = [];
  const instance = (id: string, publicKey: string, port: number): Instance => ({
    id,
    address: `https://127.0.0.1:${port}`,
    key: publicKey,
    configuration: '',
    version: '',
    state: 'ready',
    startedAt: '',
    seenAt: '',
  });
  const listener = new PeerListener({
    host: '127.0.0.1',
    port: 0,
    key,
    find: async (id) => (id === KNOWN ? instance(KNOWN, known.publicKey, 1) : undefined),
    onRequest(_, response, from) {
      requests.push(from.id);
      response.end('welcome');
    },
  });
  onTestFinished(() => listener.close());
  return { home: instance('home', key.publicKey, await listener.listen()), requests };
}

function connect(self: string, key: InstanceKey): PeerConnections {
  const connections = new PeerConnections({ self, key });
  onTestFinished(() => connections.close());
  return connections;
}

function textOf(request: ClientRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve(text);
    });
    request.end();
  });
}

describe('the internal listener', () => {
  it('answers an instance of the directory', async () => {
    const known = createInstanceKey();
    const { home, requests } = await open(known);
    expect(await textOf(connect(KNOWN, known).request(home, GET))).toBe('welcome');
    expect(requests).toEqual([KNOWN]);
  });

  it('refuses an instance that is not in the directory', async () => {
    const { home, requests } = await open(createInstanceKey());
    const stranger = connect('stranger', createInstanceKey());
    await expect(textOf(stranger.request(home, GET))).rejects.toThrow();
    expect(requests).toEqual([]);
  });

  it('refuses an instance that shows the id of another with a wrong key', async () => {
    const { home, requests } = await open(createInstanceKey());
    const impostor = connect(KNOWN, createInstanceKey());
    await expect(textOf(impostor.request(home, GET))).rejects.toThrow();
    expect(requests).toEqual([]);
  });

  it('is refused by a client that expects another key', async () => {
    const known = createInstanceKey();
    const { home, requests } = await open(known);
    const meant = { ...home, key: createInstanceKey().publicKey };
    await expect(textOf(connect(KNOWN, known).request(meant, GET))).rejects.toThrow();
    expect(requests).toEqual([]);
  });

  it('refuses plain HTTP and TLS without a key', async () => {
    const { home, requests } = await open(createInstanceKey());
    const plain = plainRequest(home.address.replace('https:', 'http:'));
    await expect(textOf(plain)).rejects.toThrow();
    const keyless = tlsRequest(home.address, { rejectUnauthorized: false });
    await expect(textOf(keyless)).rejects.toThrow();
    expect(requests).toEqual([]);
  });
});
