import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { QuickResponse } from './quick-response.js';

/** Both ends of a connection. */
async function connection(): Promise<{ readonly ours: Socket; readonly client: Socket }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [ours] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    client.destroy();
    ours.destroy();
    server.close();
  });
  return { ours, client };
}

it('ends once if the client disconnects before it has taken everything', async () => {
  const { ours, client } = await connection();
  client.pause();
  const ends: string[] = [];
  const response = new QuickResponse(ours, 'timeout=1', () => ends.push('answered'));
  response.onClose(() => ends.push('closed'));
  ours.once('close', () => response.onDisconnect());
  const text = Buffer.alloc(32 * 1024 * 1024, 'x');
  response.begin(200, ['content-length', text.length]).end(text);
  await nextTurn();
  ours.destroy();
  await once(ours, 'close');
  await nextTurn();
  expect(ends).toEqual(['closed']);
});
