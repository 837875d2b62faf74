/** Watching a resource of a server, in both eras. */

import { describe, expect, it, onTestFinished } from 'vitest';

import { TestGateway } from './gateway.js';
import { fixture } from './servers.js';

const UPDATED = 'notifications/resources/updated';

describe.each([['--dual'], ['--stateless'], ['--tools=0']])('of a server with %s', (flag) => {
  it('a client with a session is told about changes', async () => {
    const gateway = new TestGateway('stdio', { servers: { plain: fixture('plain-child', flag) } });
    onTestFinished(() => gateway.stop());
    const peer = await gateway.connect('session', { capabilities: '{}' });
    await peer.request('tools/list');
    const { result } = await peer.request('resources/subscribe', '"uri":"plain://static"');
    expect(result).toBe('{}');
    // The subscription may still be on its way when the first change comes.
    await expect
      .poll(async () => {
        await peer.request('tools/call', '"name":"plain:touch","arguments":{}');
        return peer.notes.filter(({ method }) => method === UPDATED).map(({ params }) => params);
      })
      .toContainEqual(expect.stringContaining('"uri":"plain://static"'));
  });
});

it('continues after the server was restarted', async () => {
  const gateway = new TestGateway('stdio', { servers: { plain: fixture('plain-child') } });
  onTestFinished(() => gateway.stop());
  const peer = await gateway.connect('session', { capabilities: '{}' });
  await peer.request('tools/list');
  await peer.request('resources/subscribe', '"uri":"plain://static"');
  await peer.request('tools/call', '"name":"plain:crash","arguments":{"code":1}');
  const touched = () => peer.notes.filter(({ method }) => method === UPDATED).length;
  await expect
    .poll(
      async () => {
        await peer.request('tools/call', '"name":"plain:touch","arguments":{}');
        return touched();
      },
      { interval: 200 },
    )
    .toBeGreaterThan(0);
});
