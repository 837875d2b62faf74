import { HttpClient, readText, type HttpResponse } from '@callsign/outbound';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Instance } from '../../directory/instance-directory.js';
import { createInstanceKey, type InstanceKey } from '../keys/instance-key.js';
import { PeerSecrets } from '../keys/peer-secrets.js';
import { PeerConnections } from './peer-connections.js';
import { PeerListener } from './peer-listener.js';
import { isRefusedHandshake } from './peer-tls.js';

const KNOWN = 'known-instance';
const SECRETS = ['a secret of all instances'];
const GET = { method: 'GET', path: '/', headers: {} };

interface Opened {
  readonly home: Instance;
  readonly requests: string[];
  /** The ids of programs that were refused because they do not know the secrets. */
  readonly unproved: string[];
  readonly secrets: PeerSecrets;
  readonly listener: PeerListener;
}

/** A listener whose directory holds itself and the known instance. */
async function open(known: InstanceKey): Promise<Opened> {
  const key = createInstanceKey();
  const secrets = new PeerSecrets(SECRETS);
  const requests: string[] = [];
  const unproved: string[] = [];
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
    self: 'home',
    key,
    secrets,
    onUnproved: (id, address) => unproved.push(`${id} ${address}`),
    find: async (id) => (id === KNOWN ? instance(KNOWN, known.publicKey, 1) : undefined),
    onRequest(_, response, from) {
      requests.push(from.id);
      response.end('welcome');
    },
  });
  onTestFinished(() => listener.close());
  const home = instance('home', key.publicKey, await listener.listen());
  return { home, requests, unproved, secrets, listener };
}

function connect(
  self: string,
  key: InstanceKey,
  secrets: PeerSecrets = new PeerSecrets(SECRETS),
): PeerConnections {
  const connections = new PeerConnections({ self, key, secrets });
  onTestFinished(() => connections.close());
  return connections;
}

async function textOf(request: Promise<HttpResponse>): Promise<string> {
  return readText((await request).body, 1_000);
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

  it('refuses an instance of the directory that does not know the secret, and reports it (L2)', async () => {
    const known = createInstanceKey();
    const { home, requests, unproved } = await open(known);
    const forged = connect(KNOWN, known, new PeerSecrets(['another secret']));
    const error = await textOf(forged.request(home, GET)).catch((reason: unknown) => reason);
    expect(isRefusedHandshake(error)).toBe(true);
    expect(unproved).toEqual([`${KNOWN} 127.0.0.1`]);
    expect(requests).toEqual([]);
  });

  it('refuses one that names the secret, but does not know it (L2)', async () => {
    const known = createInstanceKey();
    const { home, requests, unproved } = await open(known);
    const { name } = new PeerSecrets(SECRETS).newest;
    const secrets = { newest: { name, key: Buffer.alloc(32) }, find: () => undefined };
    const forged = connect(KNOWN, known, secrets as unknown as PeerSecrets);
    const error = await textOf(forged.request(home, GET)).catch((reason: unknown) => reason);
    expect(isRefusedHandshake(error)).toBe(true);
    await expect.poll(() => unproved).toEqual([`${KNOWN} 127.0.0.1`]);
    expect(requests).toEqual([]);
  });

  it('gets nothing if it does not know the secret itself (L2)', async () => {
    const known = createInstanceKey();
    const { home, requests, secrets } = await open(known);
    secrets.replace(['a secret of a forged instance']);
    const error = await textOf(connect(KNOWN, known).request(home, GET)).catch(
      (reason: unknown) => reason,
    );
    expect(isRefusedHandshake(error)).toBe(true);
    expect(requests).toEqual([]);
  });

  it('takes an older secret while it is replaced, and ends its connections when it is removed (L2)', async () => {
    const known = createInstanceKey();
    const { home, secrets, listener } = await open(known);
    const peer = connect(KNOWN, known);
    secrets.replace(['a new secret', ...SECRETS]);
    expect(await textOf(peer.request(home, GET))).toBe('welcome');
    listener.dropUnproved();
    expect(await textOf(peer.request(home, GET))).toBe('welcome');
    secrets.replace(['a new secret']);
    listener.dropUnproved();
    await expect(textOf(peer.request(home, GET))).rejects.toThrow();
  });

  it('gets nothing any more over connections with a secret that was removed (L2)', async () => {
    const known = createInstanceKey();
    const { home, requests } = await open(known);
    const secrets = new PeerSecrets(SECRETS);
    const peer = connect(KNOWN, known, secrets);
    expect(await textOf(peer.request(home, GET))).toBe('welcome');
    secrets.replace(['a new secret']);
    peer.dropUnproved();
    await expect(textOf(peer.request(home, GET))).rejects.toThrow();
    expect(requests).toEqual([KNOWN]);
  });

  it('refuses plain HTTP and TLS without a key', async () => {
    const { home, requests } = await open(createInstanceKey());
    const keyless = new HttpClient({ tls: { rejectUnauthorized: false } });
    onTestFinished(() => keyless.close());
    const plain = home.address.replace('https:', 'http:');
    await expect(textOf(keyless.request(plain))).rejects.toThrow();
    await expect(textOf(keyless.request(home.address))).rejects.toThrow();
    expect(requests).toEqual([]);
  });
});
