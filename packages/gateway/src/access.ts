/** Who comes in over HTTP, and what we ourselves show when we go out: both by the configuration of the moment. */

import { isDeepStrictEqual } from 'node:util';

import type { HttpCredentials, HttpDoorOptions } from '@callsign/wire';

import { stateFolder } from '@callsign/config';
import { createAuthentication, type Authentication } from '@callsign/auth';
import type { AuthSettings } from '@callsign/auth';
import type { GatewayConfig } from './config/gateway-config.js';
import type { RemoteServer } from './config/server-config.js';
import { watchConfig, type ConfigWatch } from '@callsign/config';
import type { Log } from '@callsign/core';
import { credentialsFor } from '@callsign/auth';
import { createOutboundFetch } from '@callsign/auth';
import { SignInFile } from '@callsign/auth';

type OutboundFetch = ReturnType<typeof createOutboundFetch>;
type Door = Required<Pick<HttpDoorOptions, 'authenticate' | 'pageAt'>>;

export class Access {
  readonly #log: Log;
  readonly #signIns = new SignInFile(stateFolder());
  #config: GatewayConfig;
  #asked: { readonly settings: AuthSettings; readonly by: Authentication } | undefined;
  #fetches: OutboundFetch[] = [];
  #watch: ConfigWatch | undefined;

  constructor(config: GatewayConfig, log: Log) {
    this.#log = log;
    this.#config = config;
    this.apply(config);
  }

  /** Goes by this configuration from now on. */
  apply(config: GatewayConfig): void {
    this.#config = config;
    const { auth } = config.settings;
    if (isDeepStrictEqual(auth, this.#asked?.settings)) return;
    this.#asked = auth && { settings: auth, by: this.#authentication(auth) };
  }

  /** What the HTTP door needs to know who comes in; nobody is asked where nothing is configured. */
  readonly door: Door = {
    authenticate: (request) => this.#asked?.by.authenticate(request),
    pageAt: (path) => this.#asked?.by.pageAt(path),
  };

  get isAsked(): boolean {
    return this.#asked !== undefined;
  }

  /** What we show a remote server for which the configuration has nothing itself. */
  credentials(server: RemoteServer): HttpCredentials | undefined {
    return credentialsFor(server, {
      file: this.#signIns,
      fetch: this.#fetch(server.url),
      onProblem: (message) => this.#log('warning', message),
    });
  }

  /** Tells when somebody has signed in or out. */
  onSignIn(listener: () => void): void {
    this.#watch = watchConfig(this.#signIns.path, listener);
  }

  async close(): Promise<void> {
    this.#watch?.close();
    await Promise.all(this.#fetches.map((fetch) => fetch.close()));
  }

  #authentication(auth: AuthSettings): Authentication {
    const { tokens } = auth;
    const known = tokens ? [tokens.issuer, ...(tokens.jwksUrl ? [tokens.jwksUrl] : [])] : [];
    return createAuthentication(auth, {
      fetch: this.#fetch(...known),
      onProblem: (message) => this.#log('warning', message),
    });
  }

  #fetch(...configured: string[]): OutboundFetch {
    const fetch = createOutboundFetch(this.#config.settings.network, ...configured);
    this.#fetches.push(fetch);
    return fetch;
  }
}
