/**
 * Authenticates callers by the current configuration. Without `auth` settings no caller is asked.
 */

import { isDeepStrictEqual } from 'node:util';

import { createAuthentication, type Authentication, type AuthSettings } from '@callsign/auth';
import type { ConsoleAccessLevel } from '@callsign/auth';
import type { Log, Module, Principal } from '@callsign/core';
import type { HttpListenerOptions } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';
import { OutboundFetches } from './outbound-fetches.js';

type Listening = Required<Pick<HttpListenerOptions, 'authenticate' | 'pageAt'>>;

/** One for the life of a gateway. `apply` replaces the settings at a reload. */
export class CallerAuth implements Listening {
  readonly #log: Log;
  readonly #fetches: OutboundFetches;
  #current: { readonly settings: AuthSettings; readonly by: Authentication } | undefined;

  constructor(config: GatewayConfig, log: Log) {
    this.#log = log;
    this.#fetches = new OutboundFetches();
    this.apply(config);
  }

  /** Takes new settings. The same settings keep the running authentication and its cached keys. */
  apply({ settings: { auth, network } }: GatewayConfig): void {
    if (isDeepStrictEqual(auth, this.#current?.settings)) return;
    const { issuer, jwksUrl } = auth?.tokens ?? {};
    const known = [issuer, jwksUrl].filter((address) => address !== undefined);
    this.#current = auth && {
      settings: auth,
      by: createAuthentication(auth, {
        fetch: this.#fetches.create(network, ...known),
        onProblem: (message) => this.#log('warning', message),
      }),
    };
  }

  /** Whether callers need a credential. */
  get isRequired(): boolean {
    return this.#current !== undefined;
  }

  /** What a caller may do in the console; `undefined`: nothing. */
  consoleLevel({ name }: Principal): ConsoleAccessLevel | undefined {
    return this.#current?.settings.keys.find((key) => `key:${key.name}` === name)?.console;
  }

  /** Whether any key allows access to the console. */
  get opensConsole(): boolean {
    return this.#current?.settings.keys.some((key) => key.console !== undefined) ?? false;
  }

  readonly authenticate: Listening['authenticate'] = (request) =>
    this.#current?.by.authenticate(request);

  readonly pageAt: Listening['pageAt'] = (path) => this.#current?.by.pageAt(path);

  /**
   * The module `access`. It decides again after every wait, so a call does not outlive its
   * credential.
   */
  readonly access: Module = {
    name: 'access',
    create: ({ settings }) =>
      settings === undefined
        ? undefined
        : {
            decide: ({ caller: { principal } }) =>
              principal === undefined || this.#current?.by.holds(principal) === true
                ? undefined
                : { decision: 'deny', rule: 'its credential is no longer valid' },
          },
  };

  close(): Promise<void> {
    return this.#fetches.close();
  }
}
