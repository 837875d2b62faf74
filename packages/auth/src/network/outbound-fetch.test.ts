import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Lookup } from '@callsign/outbound';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createOutboundFetch } from './outbound-fetch.js';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const REFUSED = /not called|fetch failed/i;

describe('fetching an address that another party chose', () => {
  it('reaches addresses of this machine only if they are in the configuration', async () => {
    const own = await serve((_, response) => response.end('own'));
    const other = await serve((_, response) => response.end('other'));
    const fetch = createOutboundFetch({ allowPrivate: [] }, `${own}/mcp`);
    expect(await (await fetch(`${own}/metadata`)).text()).toBe('own');
    await expect(fetch(other)).rejects.toThrow(REFUSED);
    const allowed = createOutboundFetch({ allowPrivate: [other] });
    expect(await (await allowed(other)).text()).toBe('other');
    await expect(allowed(own)).rejects.toThrow(REFUSED);
  });

  it('checks the addresses of a configured name too', async () => {
    let visits = 0;
    const own = await serve((_, response) => {
      visits++;
      response.end();
    });
    const moved = own.replace('127.0.0.1', 'mcp.example');
    const asked: string[] = [];
    const lookup: Lookup = (hostname, callback) => {
      asked.push(hostname);
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const fetch = createOutboundFetch({ allowPrivate: [], lookup }, moved);
    const error = await fetch(moved).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'AddressRefused' });
    expect(asked).toEqual(['mcp.example']);
    expect(visits).toBe(0);
  });

  it('is not led to a private address by a redirect', async () => {
    let visits = 0;
    const inner = await serve((_, response) => {
      visits++;
      response.end('secret');
    });
    const outer = await serve((_, response) => response.writeHead(302, { location: inner }).end());
    await expect(createOutboundFetch({ allowPrivate: [outer] })(outer)).rejects.toThrow(REFUSED);
    expect(visits).toBe(0);
  });

  it('does not post the body again after a redirect', async () => {
    let visits = 0;
    const origins: string[] = [];
    const thief = await serve((_, response) => {
      visits++;
      response.end();
    });
    const outer = await serve((_, response) => response.writeHead(307, { location: thief }).end());
    origins.push(outer, thief);
    const fetch = createOutboundFetch({ allowPrivate: origins });
    const response = await fetch(outer, { method: 'POST', body: 'refresh_token=x' });
    expect(response.status).toBe(307);
    expect(visits).toBe(0);
  });

  it('limits the size of a response', async () => {
    const url = await serve((_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', write);
      };
      write();
    });
    await expect(createOutboundFetch({ allowPrivate: [url] })(url)).rejects.toThrow('longer than');
  });
});
