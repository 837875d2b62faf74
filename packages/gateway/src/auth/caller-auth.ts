/**
 * Authenticates callers by the current configuration and the shared keys. Without `auth` settings no
 * caller is asked.
 */

import { isDeepStrictEqual } from 'node:util';

import { createAuthentication, type Authentication, type AuthSettings } from '@callsign/auth';
import type { ApiKeySettings, ConsoleAccessLevel, SharedApiKeys } from '@callsign/auth';
import type { Log, Module, Principal } from '@callsign/core';
import type { HttpListenerOptions, StatedCallers } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';
import { OutboundFetches } from './outbound-fetches.js';

type Listening = Required<Pick<HttpListenerOptions, 'authenticate' | 'pageAt'>>;

/** One for the life of a gateway. `apply` replaces the settings at a reload. */
export class CallerAuth implements Listening, StatedCallers {
  readonly #log: Log;
  readonly #shared: SharedApiKeys | undefined;
  readonly #fetches: OutboundFetches;
  readonly #unwatch: (() => void) | undefined;
  #current: { readonly settings: AuthSettings; readonly by: Authentication } | undefined;
  #keys: readonly ApiKeySettings[] = [];

  /** `shared`: keys that count on all instances, if the configuration says so. */
  constructor(config: GatewayConfig, log: Log, shared?: SharedApiKeys) {
    this.#log = log;
    this.#shared = shared;
    this.#fetches = new OutboundFetches();
    this.apply(config);
    this.#unwatch = shared?.watch(() => this.#readKeys());
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
    this.#readKeys();
  }

  /** Whether callers need a credential. */
  get isRequired(): boolean {
    return this.#current !== undefined;
  }

  /** The API keys that count now. */
  get keys(): readonly ApiKeySettings[] {
    return this.#keys;
  }

  /** What a caller may do in the console; `undefined`: nothing. */
  consoleLevel({ name }: Principal): ConsoleAccessLevel | undefined {
    return this.#keys.find((key) => `key:${key.name}` === name)?.console;
  }

  /** Whether any key allows access to the console. */
  get opensConsole(): boolean {
    return this.#keys.some((key) => key.console !== undefined);
  }

  readonly authenticate: Listening['authenticate'] = (request) =>
    this.#current?.by.authenticate(request);

  /** Who a caller is, for another instance. */
  readonly state: StatedCallers['state'] = (principal) =>
    this.#current?.by.state(principal) ?? principal;

  /** Checks a caller whose credential another instance has checked. */
  readonly admit: StatedCallers['admit'] = (stated) => this.#current?.by.admit(stated);

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

  async close(): Promise<void> {
    this.#unwatch?.();
    await this.#fetches.close();
  }

  /** If a shared key has the name of a key in the file, the one in the file counts. */
  #readKeys(): void {
    const { keys = [], sharedKeys = false } = this.#current?.settings ?? {};
    const names = new Set(keys.map(({ name }) => name));
    const shared = sharedKeys ? (this.#shared?.list() ?? []) : [];
    this.#keys = [...keys, ...shared.filter(({ name }) => !names.has(name))];
    this.#current?.by.replaceKeys(this.#keys);
  }
}
