/** A real OpenID provider on loopback. A person signs in by typing a name, with any password. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

// @ts-expect-error -- the package has no types
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

import type { Browser, Seen } from './browser.js';

export const PROVIDER_SECRET = 'a-secret-of-the-provider';

export interface OpenIdProvider {
  readonly issuer: string;
  /** Says which addresses the gateway gets its answer at, before a person signs in. */
  register(redirectUri: string): void;
  /** Signs a person in. Returns where the provider sends the browser then. */
  signIn(browser: Browser, at: URL, name: string): Promise<URL>;
}

/** What it says of everyone. */
export interface SaidOfPeople {
  readonly roles?: readonly string[];
  /** Default: one for each name. */
  readonly email?: string;
}

export async function startOpenIdProvider({
  roles = ['reader'],
  email,
}: SaidOfPeople = {}): Promise<OpenIdProvider> {
  let handle: RequestListener | undefined;
  const server = createServer((request, response) => handle?.(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    register(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'callsign',
            client_secret: PROVIDER_SECRET,
            redirect_uris: [redirectUri],
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        claims: { openid: ['sub', 'roles'], email: ['email'], profile: ['name'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['only for tests'] },
        pkce: { required: () => true },
        features: { devInteractions: { enabled: true } },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: async () => ({
            sub,
            roles,
            email: email ?? `${sub}@people.example`,
            name: sub,
          }),
        }),
      });
      handle = provider.callback() as RequestListener;
    },
    async signIn(browser, at, name) {
      const isOurs = (url: URL): boolean => url.origin !== issuer;
      let address = at;
      let page: Seen = await browser.follow(address, isOurs);
      for (let i = 0; i < 5 && !page.location; i++) {
        // The login page, then the page that asks whether we may know who it is.
        address = new URL(/action="([^"]+)"/.exec(page.text)![1]!, issuer);
        const sent = await browser.submit(page, address, { login: name, password: 'any' });
        if (!sent.location || isOurs(sent.location)) page = sent;
        else page = await browser.follow(sent.location, isOurs);
      }
      return page.location!;
    },
  };
}
