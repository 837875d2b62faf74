import { createServer, type AddressInfo } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { readText } from './http-body.js';
import { ServerClient } from './server-client.js';

/** A client of a server that answers every request with this text. */
async function clientOf(answer: string): Promise<ServerClient> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new ServerClient(new URL(`http://127.0.0.1:${port}/mcp`), {});
  onTestFinished(() => {
    client.close();
    server.close();
  });
  return client;
}

const HINTS = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

it('accepts interim responses before the answer', async () => {
  const client = await clientOf(HINTS.repeat(10) + ANSWER);
  const { body, url } = await client.exchange({ method: 'POST', headers: {}, body: '' }).response;
  expect(await readText(body, { maxBytes: 10, url })).toBe('{}');
});

it('gives up if there are too many interim responses', async () => {
  const client = await clientOf(HINTS.repeat(10_001));
  const { response } = client.exchange({ method: 'POST', headers: {}, body: '' });
  await expect(response).rejects.toThrow('it sent too many interim responses');
});
