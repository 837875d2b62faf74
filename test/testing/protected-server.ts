/** A server that asks who calls, and the authorization server that it trusts. Both end with the test. */

import { createOutboundFetch } from '@callsign/auth';

import { AuthorizationServer } from '../../packages/auth/src/sign-in/testing/authorization-server.js';
import { ProtectedServer } from '../../packages/auth/src/sign-in/testing/protected-server.js';

export { browse } from '../../packages/auth/src/sign-in/testing/signed-in.js';

export interface Protected {
  readonly authorization: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly fetch: ReturnType<typeof createOutboundFetch>;
}

export async function startProtected(): Promise<Protected> {
  const authorization = await AuthorizationServer.start();
  const server = await ProtectedServer.start({
    authorizationServer: authorization.url,
    isGood: (token) => authorization.isGood(token),
  });
  const fetch = createOutboundFetch({ allowPrivate: [authorization.url] }, server.url);
  return { authorization, server, fetch };
}
