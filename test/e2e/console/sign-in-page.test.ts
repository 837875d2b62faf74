/** A sign-in to a server from the console. */

import { Gateway } from '@callsign/gateway/host';
import { describe, expect, it, onTestFinished } from 'vitest';

import { AuthorizationServer } from '../../../packages/auth/src/sign-in/testing/authorization-server.js';
import { ProtectedServer } from '../../../packages/auth/src/sign-in/testing/protected-server.js';
import { AdminRouter } from '../../../packages/gateway/src/admin/router/admin-router.js';
import { serveSignIn } from '../../../packages/gateway/src/admin/routes/server-sign-in.js';
import { configOf } from '../../../packages/gateway/src/config/testing/problems-of.js';

describe('a sign-in from a page', () => {
  it('ends nothing if the person closes the page first', async () => {
    const authorization = await AuthorizationServer.start();
    const server = await ProtectedServer.start({
      authorizationServer: authorization.url,
      isGood: (token) => authorization.isGood(token),
    });
    const stray: unknown[] = [];
    const note = (error: unknown): void => void stray.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const config = configOf(
      JSON.stringify({
        mcpServers: { far: { type: 'http', url: server.url } },
        callsign: { network: { allowPrivate: [authorization.url] } },
      }),
    );
    const gateway = new Gateway(config, {
      self: { name: 'g', version: '0' },
      log: () => undefined,
    });
    const router = new AdminRouter();
    serveSignIn(router, gateway);
    const { body } = await router.answer('POST', '/servers/far/sign-in', undefined);
    const reader = (body as ReadableStream<{ visit: string }>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    // The person declines after that.
    const back = new URL(new URL(value!.visit).searchParams.get('redirect_uri')!);
    back.searchParams.set('state', new URL(value!.visit).searchParams.get('state')!);
    back.searchParams.set('error', 'access_denied');
    expect((await fetch(back)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stray).toEqual([]);
  });
});
