/** Signs people in at an OpenID provider: the authorization code flow with PKCE, state and nonce. */

import type * as oauth from 'oauth4webapi';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';

import type { ProviderSettings } from '../callers/sign-in-settings.js';
import { personOf } from '../callers/token-check.js';
import type { OutboundFetch } from '../network/outbound-fetch.js';
import type { Person } from './caller-sign-in-state.js';
import type { Carried } from './seal.js';

type Library = typeof oauth;
export type ProviderCheck = NonNullable<Carried['provider']>;

/** The person could not be signed in. The message is for people, and quotes nothing of the provider. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem';
}

export interface ProviderOptions {
  readonly settings: ProviderSettings;
  /** With the value of its variable. */
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  readonly fetch: OutboundFetch;
}

/** How long the provider's metadata is not read again. */
const FRESH_MS = 10 * 60_000;

export class Provider {
  readonly #options: ProviderOptions;
  #known: { readonly server: AuthorizationServer; readonly at: number } | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** What the sign-in page calls it. */
  get shownName(): string {
    const { name, issuer } = this.#options.settings;
    return name ?? new URL(issuer).host;
  }

  /** Where to send the browser, and what its answer is checked against. */
  async begin(): Promise<{ readonly url: string; readonly check: ProviderCheck }> {
    const library = await import('oauth4webapi');
    const { settings, redirectUri } = this.#options;
    const server = await this.#server(library);
    const check = {
      state: library.generateRandomState(),
      nonce: library.generateRandomNonce(),
      verifier: library.generateRandomCodeVerifier(),
    };
    if (server.authorization_endpoint === undefined)
      throw new ProviderProblem('The login page of the provider is not known.');
    const url = new URL(server.authorization_endpoint);
    const parameters = {
      response_type: 'code',
      client_id: settings.clientId,
      redirect_uri: redirectUri,
      scope: settings.scopes.join(' '),
      state: check.state,
      nonce: check.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(check.verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, check };
  }

  /** The person that the provider's answer proves. Rejects with a `ProviderProblem`. */
  async finish(answer: URLSearchParams, check: ProviderCheck): Promise<Person> {
    const library = await import('oauth4webapi');
    const { settings, redirectUri } = this.#options;
    const server = await this.#server(library);
    const client: Client = { client_id: settings.clientId };
    const options = this.#requests(library);
    try {
      const parameters = library.validateAuthResponse(server, client, answer, check.state);
      const response = await library.authorizationCodeGrantRequest(
        server,
        client,
        this.#authentication(library, server),
        parameters,
        redirectUri,
        check.verifier,
        options,
      );
      const tokens = await library.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: check.nonce,
        requireIdToken: true,
      });
      await library.validateApplicationLevelSignature(server, response, options);
      const claims = library.getValidatedIdTokenClaims(tokens)!;
      const person = personOf(claims, settings.rolesClaim);
      if (person) return person;
    } catch (error) {
      throw new ProviderProblem(`${this.shownName} did not confirm who you are.`, { cause: error });
    }
    throw new ProviderProblem(`${this.shownName} names no one that records can show.`);
  }

  async #server(library: Library): Promise<AuthorizationServer> {
    const now = Date.now();
    if (this.#known && this.#known.at + FRESH_MS > now) return this.#known.server;
    try {
      const issuer = new URL(this.#options.settings.issuer);
      const response = await library.discoveryRequest(issuer, {
        algorithm: 'oidc',
        ...this.#requests(library),
      });
      const server = await library.processDiscoveryResponse(issuer, response);
      this.#known = { server, at: now };
      return server;
    } catch (error) {
      throw new ProviderProblem(`${this.shownName} cannot be reached now. Try again later.`, {
        cause: error,
      });
    }
  }

  #authentication(library: Library, server: AuthorizationServer): ClientAuth {
    const { clientSecret } = this.#options;
    if (clientSecret === undefined) return library.None();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic');
    return isBasic
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret);
  }

  #requests(library: Library): Record<symbol, unknown> {
    const { settings, fetch } = this.#options;
    return {
      [library.customFetch]: fetch,
      // The settings allow http for this machine only.
      [library.allowInsecureRequests]: settings.issuer.startsWith('http:'),
    };
  }
}
