/**
 * A call before the servers have started waits for them and is not answered with "unknown tool".
 */

import { expect, it } from 'vitest';

import { TestGateway, type Listener } from './gateway.js';
import { HttpPeer } from './http-peer.js';
import type { Era } from './peer.js';
import { PipePeer } from './pipe-peer.js';
import { fixture } from './servers.js';

const SERVERS = {
  slow: fixture('plain-child', '--delay-start=700'),
  quick: fixture('plain-child'),
};
const LISTENERS: readonly Listener[] = ['stdio', 'http'];
const ERAS: readonly Era[] = ['session', 'stateless'];

it.concurrent.each(LISTENERS.flatMap((listener) => ERAS.map((era) => ({ listener, era }))))(
  'at the listener of $listener in the $era era',
  async ({ listener, era }) => {
    const gateway = new TestGateway(listener, { servers: SERVERS });
    const client = { capabilities: '{}' };
    const peer =
      listener === 'stdio'
        ? new PipePeer(gateway.pipe, era, client)
        : new HttpPeer(await gateway.url(), era, client);
    if (era === 'session') await peer.open();
    const [echo, prompt, resource, completion, none] = await Promise.all([
      peer.request('tools/call', '"name":"slow:echo","arguments":{"a":1}'),
      peer.request('prompts/get', '"name":"slow:greet"'),
      peer.request('resources/read', '"uri":"plain://item/1"'),
      peer.request(
        'completion/complete',
        '"ref":{"type":"ref/prompt","name":"slow:greet"},"argument":{"name":"name","value":"A"}',
      ),
      peer.request('tools/call', '"name":"slow:none"'),
    ]);
    expect(JSON.parse(echo.result!).structuredContent).toEqual({ a: 1 });
    expect(prompt.result).toContain('Greet you');
    expect(resource.result).toContain('plain://item/1');
    expect(completion.result).toContain('Ada');
    expect(none.error).toContain('Tool not found: slow:none');
    await gateway.stop();
  },
);
