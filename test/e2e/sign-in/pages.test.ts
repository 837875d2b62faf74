/** The pages of a sign-in in a real browser. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import {
  ANN,
  SigningInGateway,
} from '../../../packages/auth/src/authorization/testing/signing-in-gateway.js';
import { describeInBrowser } from '../console/browser.js';
import { expectReadable } from './readable-page.js';

/** A server of the client, or of an attacker. */
async function serving(html: string): Promise<{ origin: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') seen.push(request.url!);
    response.setHeader('content-type', 'text/html').end(html);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describeInBrowser('the pages of a sign-in', (open) => {
  it('lead a person from a client and back, at both widths and in both themes', async () => {
    const client = await serving('<!doctype html><title>Done</title>');
    const gateway = await SigningInGateway.start();
    const { page } = await open(onTestFinished);
    const back = `${client.origin}/back`;
    await page.goto(gateway.authorizeUrl({ redirect_uri: back }).href);
    await expectReadable(page, 'key');
    await page.getByLabel('Your key for this gateway').fill(ANN.key);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('that only read').waitFor();
    await expectReadable(page, 'consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${back}?*`);
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('iss')).toBe(gateway.origin);
    const response = await gateway.exchange(answer.get('code')!, { redirect_uri: back });
    expect(response.ok).toBe(true);
    expect(client.seen).toHaveLength(1);
  });

  it('cannot be shown in a frame, and another site cannot send their forms', async () => {
    const gateway = await SigningInGateway.start();
    const url = gateway.authorizeUrl().href.replaceAll('&', '&amp;');
    const evil = await serving(`<!doctype html><title>Evil</title><iframe src="${url}"></iframe>
      <form method="post" action="${gateway.origin}/authorize/key"><button>Win</button></form>`);
    // The browser reports the frame as a fault, which is what this expects.
    const { page, faults } = await open(() => undefined);
    onTestFinished(() => page.context().close());
    await page.goto(evil.origin);
    await expect.poll(() => faults.join()).toContain('frame-ancestors');
    expect(page.frames()[1]!.url()).not.toContain('/authorize');
    const sent = page.waitForResponse(/\/authorize\/key$/);
    await page.getByRole('button', { name: 'Win' }).click();
    expect((await sent).status()).toBe(400);
    await page.getByText('Another site has sent this form').waitFor();
  });
});
