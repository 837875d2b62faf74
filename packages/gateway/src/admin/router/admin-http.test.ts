import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { OWNER } from './admin-caller.js';
import { serveAdmin } from './admin-http.js';
import { AdminRouter } from './admin-router.js';

/** The address of a server with one route, and the errors that nothing caught. */
async function serving(answer: () => unknown): Promise<{ url: string; stray: unknown[] }> {
  const router = new AdminRouter();
  router.on('GET', '/thing', answer);
  const stray: unknown[] = [];
  const server = createServer((request, response) => {
    serveAdmin(router, request, response, OWNER).catch((error: unknown) => stray.push(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/v1/thing`,
    stray,
  };
}

describe('an answer of the admin API', () => {
  it('that is not JSON is an error, and ends nothing', async () => {
    const { url, stray } = await serving(() => ({ n: 1n }));
    const response = await fetch(url);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('BigInt');
    expect(stray).toEqual([]);
  });

  it('that fails in the middle is cut off, and ends nothing', async () => {
    const events = new ReadableStream({
      pull: (controller) => controller.error(new Error('lost')),
    });
    const { url, stray } = await serving(() => events);
    const response = await fetch(url);
    // Newer versions of Node report the missing end as an error. Older ones read nothing.
    expect(await response.text().catch(() => '')).toBe('');
    expect(stray).toEqual([]);
  });
});
