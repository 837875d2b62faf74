/**
 * Under the profile that changes no names, and with unchanged titles, lists equal those of the
 * server, token by token.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { TestGateway } from '../clients/gateway.js';
import type { Peer } from '../clients/peer.js';
import { Pipe, PipePeer } from '../clients/pipe-peer.js';
import { fixture } from '../clients/servers.js';
import { tokens } from './normal-form.js';

const SERVER = fixture('plain-child', '--nasty', '--tools=20', '--pages=1');
const METHODS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

const direct = new PipePeer(new Pipe(SERVER), 'session');
const gateway = new TestGateway('stdio', {
  servers: { plain: SERVER },
  settings: { profile: 'identity', titles: false },
});
let through: Peer;

beforeAll(async () => {
  await direct.open();
  through = await gateway.connect('session');
});
afterAll(() => Promise.all([direct.close(), gateway.stop()]));

it.each(METHODS)(
  '%s',
  shows('AGG-38', 'FR-008', async (method: string) => {
    const [own, same] = [await direct.request(method), await through.request(method)];
    expect(tokens(same.result)).toBe(tokens(own.result));
  }),
);

it('calls by the names that servers give, however nasty', async () => {
  for (const name of ['echo', 't_19', '__proto__', 'spaces, a colon: and 🚀', 'long_'.repeat(80)]) {
    const members = `"name":${JSON.stringify(name)},"arguments":{}`;
    const own = await direct.request('tools/call', members);
    expect((await through.request('tools/call', members)).result).toBe(own.result);
  }
});
