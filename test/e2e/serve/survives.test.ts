/** Messages of clients that once ended the gateway for everyone. */

import { describe, expect, it } from 'vitest';

import { HttpPeer } from '../clients/http-peer.js';
import { plain, startGateway } from '../gateway-process.js';

/** Resolves if the gateway still answers. */
async function answers(url: string): Promise<void> {
  const other = new HttpPeer(url, 'session');
  await other.open();
  expect((await other.request('tools/list')).result).toContain('s:echo');
}

describe('a client', () => {
  it.each(['{"toString":1}', '{"toString":1,"valueOf":1}', '[{"toString":1}]', '5', 'null'])(
    'may cancel a call for the reason %s',
    async (reason) => {
      const gateway = await startGateway({ servers: { s: plain() }, listener: 'http' });
      const peer = new HttpPeer(gateway.url, 'session');
      await peer.open();
      await peer.request('tools/list');
      const running = peer.start(
        'tools/call',
        '"name":"s:sleep","arguments":{"ms":60000}',
        '',
        '7',
      );
      await gateway.connect().then((client) => client.result('s:calls', {}));
      await peer.notify('notifications/cancelled', `"requestId":7,"reason":${reason}`);
      running.cut();
      await answers(gateway.url);
      expect(gateway.hasExited).toBe(false);
    },
  );

  it('may leave if a rule refuses the end of its subscription', async () => {
    const gateway = await startGateway({
      servers: { s: plain() },
      listener: 'http',
      settings: { quota: { perCaller: { perMinute: 1 } } },
    });
    const peer = new HttpPeer(gateway.url, 'session');
    await peer.open();
    await peer.request('tools/list');
    const { result } = await peer.request('resources/subscribe', '"uri":"plain://static"');
    expect(result).toBe('{}');
    await peer.close();
    await answers(gateway.url);
    expect(gateway.stderr).not.toContain('Unexpected error');
  });

  it('cannot hide a second task or prompt behind a key that looks the same', async () => {
    const gateway = await startGateway({ servers: { s: plain() }, listener: 'http' });
    const peer = new HttpPeer(gateway.url, 'session');
    await peer.open();
    await peer.request('tools/list');
    const { error } = await peer.request('tasks/get', '"taskId":"a","taskID":"b"');
    expect(error).toContain('must be given once');
    const argument = '"argument":{"name":"a","value":""}';
    for (const ref of [
      '"ref":{"type":"ref/prompt","name":"s:greet","Name":"s:hidden"}',
      '"ref":{"type":"ref/prompt","name":"s:greet","name":"s:hidden"}',
      '"REF":{"type":"ref/prompt","name":"s:hidden"},"ref":{"type":"ref/prompt","name":"s:greet"}',
    ]) {
      const { error: refused } = await peer.request('completion/complete', `${ref},${argument}`);
      expect(refused).toContain('ref must name one prompt');
    }
  });
});
