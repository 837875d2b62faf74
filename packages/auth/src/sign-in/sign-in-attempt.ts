/**
 * One attempt to sign in, in the form that the OAuth library needs. It keeps its state until it
 * ends.
 */

import type {
  AuthorizationServerMetadata,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';

import type { OAuthSettings } from './oauth-settings.js';
import { SignInError } from './sign-in-error.js';

/** What is found before the browser opens and needed when it returns. */
export interface AttemptState {
  readonly authorizationUrl: URL;
  readonly authorizationServer: string;
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly client: StoredOAuthClientInformation;
  readonly resource: string | undefined;
  readonly codeVerifier: string;
}

/** Where the browser returns to. */
export interface SignInRedirect {
  readonly url: string;
  /** Must be part of the answer. */
  readonly state: string;
}

/** Our client, as an authorization server has registered it. */
export interface OwnClient {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret?: string | undefined;
}

export class SignInAttempt implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly #server: string;
  readonly #known: readonly OwnClient[];
  readonly #settings: OAuthSettings;
  readonly #redirect: SignInRedirect;
  #client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #resource: string | undefined;
  #authorizationUrl: URL | undefined;
  #verifier = '';

  /** `known`: clients that were registered for this redirect address before. */
  constructor(
    server: string,
    redirect: SignInRedirect,
    settings: OAuthSettings,
    known: readonly OwnClient[] = [],
  ) {
    const { clientMetadataUrl, scope } = settings;
    this.#known = known;
    this.#server = server;
    this.#settings = settings;
    this.#redirect = redirect;
    this.redirectUrl = redirect.url;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.clientMetadata = {
      client_name: 'Callsign',
      redirect_uris: [redirect.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    return this.#redirect.state;
  }

  /**
   * A client that was registered by hand is valid at one authorization server only, and so is its
   * secret.
   */
  clientInformation(
    context?: OAuthClientInformationContext,
  ): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, issuer } = this.#settings;
    const found = context?.issuer ?? '';
    if (clientId === undefined)
      return this.#client ?? this.#known.find((client) => client.issuer === found);
    if (issuer !== undefined && withoutSlash(issuer) !== withoutSlash(found)) {
      throw new SignInError(
        this.#server,
        'its authorization server is not the configured "issuer"',
      );
    }
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
    return { client_id: clientId, issuer: found, ...secret };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  /** A new sign-in starts without tokens. */
  tokens(): undefined {
    return undefined;
  }

  /** Does nothing: `signIn` gets the tokens itself. */
  saveTokens(): void {}

  redirectToAuthorization(url: URL): void {
    this.#authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  /** `undefined`: there is no page for the person yet. */
  get found(): AttemptState | undefined {
    const discovery = this.#discovery;
    const client = discovery && this.clientInformation({ issuer: issuerOf(discovery) });
    if (!discovery || !client || !this.#authorizationUrl) return undefined;
    return {
      authorizationUrl: this.#authorizationUrl,
      authorizationServer: discovery.authorizationServerUrl,
      metadata: discovery.authorizationServerMetadata,
      client,
      resource: this.#resource,
      codeVerifier: this.#verifier,
    };
  }
}

function issuerOf(state: OAuthDiscoveryState): string {
  return state.authorizationServerMetadata?.issuer ?? state.authorizationServerUrl;
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
