/** D13: capabilities are passed on in both directions, and methods of unknown extensions go to the server they name. */

import { describe, expect, it } from 'vitest';

import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era } from '../clients/peer.js';
import { official } from '../clients/servers.js';
import { directly, errorOf, extended, gatewayWith, resultOf } from './extended.js';

const ERAS: readonly Era[] = ['session', 'stateless'];
const WAIT = { timeout: 15_000 };

interface Listed {
  readonly tools: readonly { readonly name: string }[];
}

describe('the capabilities of the only client', () => {
  it.each(['{}', '{"sampling":{},"elicitation":{},"roots":{}}'])(
    'D13: reach the official everything server, so that it lists the same: %s',
    async (capabilities) => {
      const client: ClientOptions = { capabilities, answer: () => '{"roots":[]}' };
      const direct = await directly(official('everything', ['stdio']), 'session', client);
      const gateway = gatewayWith('stdio', {
        servers: { everything: official('everything', ['stdio']) },
      });
      const through = await gateway.connect('session', client);
      const own = async () =>
        (await resultOf<Listed>(direct, 'tools/list')).tools.map(({ name }) => name);
      const ours = async () =>
        (await resultOf<Listed>(through, 'tools/list')).tools.map(({ name }) =>
          name.replace('everything:', ''),
        );
      // The server registers some tools after the handshake.
      await expect.poll(own, WAIT).toContain('echo');
      await expect
        .poll(async () => (await ours()).toSorted(), WAIT)
        .toEqual((await own()).toSorted());
    },
  );
});

describe.each(ERAS)('an extension that is not known, in the %s era', (era) => {
  const server = (name: string) => extended(`--${era}`, '--custom', `--name=${name}`);

  it('D13: is announced, and its methods go to the server of the item that they name', async () => {
    const gateway = gatewayWith('http', {
      servers: { a: server('a'), b: server('b') },
      settings: { policy: { destructive: 'allow', rules: [{ match: 'b:add', decision: 'deny' }] } },
    });
    const peer = await gateway.connect(era);
    await peer.request('tools/list');
    const { result } = await new HttpPeer(await gateway.url(), era).open();
    expect(JSON.parse(result!)).toMatchObject({
      capabilities: { extensions: { 'com.example/custom': { servers: ['a', 'b'], level: 1 } } },
    });
    const describeIt = (params: object) => resultOf<object>(peer, 'com.example/describe', params);
    expect(await describeIt({ name: 'b:echo' })).toMatchObject({ by: 'b', name: 'echo' });
    expect(await describeIt({ name: 'a:greet' })).toMatchObject({ by: 'a', name: 'greet' });
    expect(await describeIt({ uri: 'plain://static' })).toMatchObject({ by: 'a' });
    expect((await errorOf(peer, 'com.example/describe', { name: 'nobody:echo' })).code).toBe(
      -32601,
    );
    expect((await errorOf(peer, 'com.example/describe')).code).toBe(-32601);
    // Governed like a call of the tool: a denied tool is hidden.
    expect((await errorOf(peer, 'com.example/describe', { name: 'b:add' })).code).toBe(-32601);
    const two = { name: 'b:echo', uri: 'plain://static' };
    expect((await errorOf(peer, 'com.example/describe', two)).code).toBe(-32602);
  });

  it('V1: is never treated as a read, even if the item is one', async () => {
    const gateway = gatewayWith('http', {
      servers: { a: server('a') },
      settings: { policy: { destructive: 'deny' } },
    });
    const peer = await gateway.connect(era);
    const call = { name: 'a:echo', arguments: { text: 'x' } };
    expect(await resultOf<object>(peer, 'tools/call', call)).toHaveProperty('content');
    for (const params of [{ name: 'a:echo' }, { uri: 'plain://static' }]) {
      const { message } = await errorOf(peer, 'com.example/describe', params);
      expect(message).toContain('policy.destructive is "deny"');
    }
  });
});

describe('a page that a server wants visited', () => {
  it('D13: is shown to the caller whose call asked, and so is its end', async () => {
    const gateway = gatewayWith('http', { servers: { a: extended('--custom') } });
    const url = await gateway.url();
    const shown = { ada: 0, bob: 0 };
    const clientOf = (who: keyof typeof shown): ClientOptions => ({
      name: who,
      answer: () => {
        shown[who]++;
        return '{"action":"accept"}';
      },
    });
    const [ada, bob] = [
      new HttpPeer(url, 'session', clientOf('ada')),
      new HttpPeer(url, 'session', clientOf('bob')),
    ];
    await Promise.all([ada.open(), bob.open()]);
    const [{ result }] = await Promise.all([
      ada.request('tools/call', '"name":"a:visit"'),
      bob.request('tools/call', '"name":"a:echo"'),
    ]);
    expect(result).toContain('accept');
    expect(shown).toEqual({ ada: 1, bob: 0 });
    const done = 'notifications/elicitation/complete';
    await expect.poll(() => ada.notes.filter(({ method }) => method === done).length, WAIT).toBe(1);
    expect(bob.notes.filter(({ method }) => method === done)).toEqual([]);
  });

  it('D13: is not answered for another caller', async () => {
    const gateway = gatewayWith('http', { servers: { a: extended('--custom') } });
    const url = await gateway.url();
    const [ada, bob] = ['ada', 'bob'].map((name) => new HttpPeer(url, 'stateless', { name })) as [
      HttpPeer,
      HttpPeer,
    ];
    const asked = await resultOf<{
      requestState: string;
      inputRequests: Record<string, { params: object }>;
    }>(ada, 'tools/call', { name: 'a:visit' });
    const [[key, { params }]] = Object.entries(asked.inputRequests) as [
      [string, { params: object }],
    ];
    expect(params).toMatchObject({ mode: 'url', url: 'https://example.com/consent' });
    const answer = {
      name: 'a:visit',
      requestState: asked.requestState,
      inputResponses: { [key]: { action: 'accept' } },
    };
    expect((await errorOf(bob, 'tools/call', answer)).code).toBe(-32602);
    expect(await resultOf<object>(ada, 'tools/call', answer)).toMatchObject({
      content: [{ text: 'accept' }],
    });
  });
});
