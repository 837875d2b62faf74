/** A server over HTTP, and the headers that it got. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';

export interface HttpFixture {
  readonly url: string;
  /** The headers of the last request. `undefined`: there was none. */
  readonly seen: () => IncomingHttpHeaders | undefined;
}

/** The fixture `plain` behind a proxy that looks at headers. */
export async function httpFixture(): Promise<HttpFixture> {
  const file = join(ROOT, 'test/fixtures/plain-child.mjs');
  const child = spawn(process.execPath, [file, '--http', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const target = await new Promise<URL>((resolve, reject) => {
    createInterface({ input: child.stderr })
      .on('line', (line) => {
        const [, url] = /^listening (\S+)/.exec(line) ?? [];
        if (url !== undefined) resolve(new URL(url));
      })
      .on('close', () => reject(new Error('The fixture ended.')));
  });
  let seen: IncomingHttpHeaders | undefined;
  const proxy = createServer((incoming, response) => {
    seen = incoming.headers;
    const { method, headers, url: path } = incoming;
    const onward = { host: target.hostname, port: target.port, path, method };
    const out = request({ ...onward, headers: { ...headers, host: target.host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    out.on('error', () => response.destroy());
    incoming.on('error', () => out.destroy());
    response.on('close', () => out.destroy());
    incoming.pipe(out);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, seen: () => seen };
}
