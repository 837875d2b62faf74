/** Long results that stateless clients read on through another instance. */

import { createApiKey } from '@callsign/auth';
import { expect, it } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { HttpPeer } from '../clients/http-peer.js';
import { errorOf, resultOf } from '../extensions/extended.js';
import { type Machine, machines } from './machines.js';

const ITEMS = Array.from({ length: 400 }, (_, id) => ({ id, name: `item ${id}` }));
const [ADA, BOB] = ['ada', 'bob'].map((name) => ({ name, ...createApiKey() }));
const SETTINGS = {
  results: { previewAbove: 1_000 },
  instances: { secrets: ['a secret of the instances in this test'] },
  auth: {
    keys: [ADA, BOB].map((each) => ({ name: each!.name, hash: each!.hash, roles: ['all'] })),
  },
  roles: { all: { allow: ['*'] } },
};

interface Preview {
  readonly id: string;
  readonly uri: string;
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: { readonly callsignPreview?: Preview };
}

describePostgres('long results of gateways that share a database', (postgres) => {
  it('are read on by stateless clients through any instance, until theirs has ended', async () => {
    const [a, b] = await machines(postgres, 2, SETTINGS);
    const connect = async ({ gateway }: Machine, caller: typeof ADA) => {
      const authorization = `Bearer ${caller!.key}`;
      const peer = new HttpPeer(gateway.url, 'stateless', {}, { authorization });
      await peer.open();
      return peer;
    };
    const call = (peer: HttpPeer, name: string, args: object) =>
      resultOf<ToolResult>(peer, 'tools/call', { name, arguments: args });
    const [here, there] = [await connect(a!, ADA), await connect(b!, ADA)];
    const long = await call(here, 'kid:echo', { items: ITEMS });
    const { id, uri } = long.structuredContent!.callsignPreview!;

    const query = { id, jmespath: 'items[7].name' };
    const read = async (peer: HttpPeer) => await call(peer, 'callsign:read_result', query);
    for (const peer of [here, there]) expect((await read(peer)).content[0]!.text).toBe('"item 7"');
    const whole = await resultOf<{ contents: { text: string }[] }>(there, 'resources/read', {
      uri,
    });
    expect(JSON.parse(whole.contents[0]!.text)).toEqual({ items: ITEMS });

    const other = await connect(b!, BOB);
    expect((await read(other)).isError).toBe(true);
    await errorOf(other, 'resources/read', { uri });

    a!.gateway.kill('SIGKILL');
    const gone = async () => {
      try {
        return (await read(there)).content[0]!.text;
      } catch (error) {
        return String(error);
      }
    };
    await expect.poll(gone, { timeout: 40_000 }).toContain('No result is stored for you');
  }, 90_000);
});
