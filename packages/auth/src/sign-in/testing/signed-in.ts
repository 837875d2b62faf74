/**
 * A server, the authorization server that it trusts, and a file for tokens. All end with the test.
 */

import { createOutboundFetch, type OutboundFetch } from '../../network/outbound-fetch.js';
import { signIn } from '../sign-in.js';
import { SignInFile } from '../sign-in-file.js';
import type { RemoteEntry } from '../sign-in-record.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { AuthorizationServer, type AuthorizationOptions } from './authorization-server.js';
import { ProtectedServer } from './protected-server.js';

export interface Scene {
  readonly as: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly entry: RemoteEntry;
  readonly file: SignInFile;
  readonly fetch: OutboundFetch;
}

export async function scene(options: AuthorizationOptions = {}): Promise<Scene> {
  const as = await AuthorizationServer.start(options);
  const server = await ProtectedServer.start({
    authorizationServer: as.url,
    isGood: (token) => as.isGood(token),
  });
  const entry = { key: 's', url: server.url };
  const fetch = createOutboundFetch({ allowPrivate: [as.url] }, server.url);
  return { as, server, entry, file: new SignInFile(scratch()), fetch };
}

/** A browser whose user agrees: it follows all redirects. */
export async function browse(url: URL): Promise<boolean> {
  const response = await fetch(url);
  await response.text();
  return true;
}

/** A scene after a sign-in. */
export async function signedIn(options: AuthorizationOptions = {}): Promise<Scene> {
  const all = await scene(options);
  const { entry, file, fetch } = all;
  await signIn(entry, { store: file, fetch, openBrowser: browse });
  return all;
}
