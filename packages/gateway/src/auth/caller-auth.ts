/**
 * Authenticates callers by the current configuration and the shared keys. Without `auth` settings no
 * caller is asked.
 */

import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

import {
  type AccountsOfPeople,
  type CallerAccess,
  type CallerSignInStore,
  createAuthentication,
  type OperatorQueue,
  SignInSite,
  type SubjectTokens,
  type Authentication,
  type AuthSettings,
} from '@callsign/auth';
import type { ApiKeySettings, ConsoleAccessLevel, SharedApiKeys } from '@callsign/auth';
import { type Environment, expandVariables, type Secret, type Secrets } from '@callsign/config';
import type { Log, Module, Principal } from '@callsign/core';
import type { HttpListenerOptions, StatedCallers } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';
import { OutboundFetches } from './outbound-fetches.js';

type Listening = Required<Pick<HttpListenerOptions, 'authenticate' | 'pageAt' | 'siteAt'>>;

export interface CallerAuthOptions {
  readonly log: Log;
  /** Keys that count on all instances, if the configuration says so. */
  readonly shared?: SharedApiKeys | undefined;
  /** Where people's sign-ins are kept. */
  readonly signIns: CallerSignInStore;
  /** What a caller can call, for the person who allows it. */
  readonly access: (principal: Principal) => CallerAccess | Promise<CallerAccess>;
  /** Shows operators who waits for them. */
  readonly operators: OperatorQueue;
  /** People's own accounts at servers. */
  readonly accounts?: AccountsOfPeople;
  /** Gets the tokens that callers show, to exchange them. */
  readonly subjects?: SubjectTokens;
  /** The variables of settings. */
  readonly env: Environment;
}

interface Current {
  readonly settings: AuthSettings;
  /** Our secret at the OpenID provider. */
  readonly clientSecret: Secret | undefined;
  readonly by: Authentication;
  /** Signs people in. Default: no one can sign in. */
  readonly site: SignInSite | undefined;
}

/** One for the life of a gateway. `apply` replaces the settings at a reload. */
export class CallerAuth implements Listening, StatedCallers {
  readonly #options: CallerAuthOptions;
  readonly #fetches: OutboundFetches;
  readonly #unwatch: (() => void) | undefined;
  #current: Current | undefined;
  #keys: readonly ApiKeySettings[] = [];

  constructor(config: GatewayConfig, options: CallerAuthOptions) {
    this.#options = options;
    this.#fetches = new OutboundFetches();
    this.apply(config);
    this.#unwatch = options.shared?.watch(() => this.#readKeys());
  }

  /** Takes new settings. The same settings keep the running authentication and its cached keys. */
  apply({ settings: { auth, network }, secrets = new Map() }: GatewayConfig): void {
    const clientSecret = auth && this.#clientSecret(auth, secrets);
    const { settings, clientSecret: before } = this.#current ?? {};
    if (isDeepStrictEqual(auth, settings) && isDeepStrictEqual(clientSecret, before)) return;
    this.#current?.site?.close();
    this.#current = auth && this.#created(auth, network, clientSecret);
    this.#readKeys();
  }

  #created(
    auth: AuthSettings,
    network: GatewayConfig['settings']['network'],
    clientSecret: Secret | undefined,
  ): Current {
    const { log, signIns, access, accounts, operators, subjects } = this.#options;
    const { issuer, jwksUrl } = auth.tokens ?? {};
    const known = [issuer, jwksUrl, auth.signIn?.oidc?.issuer];
    const fetch = this.#fetches.create(
      network,
      ...known.filter((address) => address !== undefined),
    );
    const site =
      auth.signIn &&
      new SignInSite({
        settings: auth.signIn,
        store: signIns,
        network,
        fetch,
        clientSecret: this.#usable(clientSecret),
        keyHolder: (hash) => this.#current?.by.holderOf(hash),
        access,
        accounts,
        operators,
        log,
      });
    const onProblem = (message: string): void => log('warning', message);
    const by = createAuthentication(auth, {
      fetch,
      onProblem,
      people: site,
      onToken: ({ name }, token, until) => {
        if (issuer !== undefined) subjects?.note(issuer, name, token, until);
      },
    });
    return { settings: auth, clientSecret, by, site };
  }

  #clientSecret({ signIn }: AuthSettings, secrets: Secrets): Secret | undefined {
    const written = signIn?.oidc?.clientSecret;
    if (written === undefined) return undefined;
    const { text, faults } = expandVariables(written, this.#options.env, { secrets });
    const [fault] = faults;
    if (!fault) return { value: text };
    const reason = fault.kind === 'secret' ? fault.reason : 'is not set';
    return { fault: `"${fault.name}" of auth.signIn.oidc.clientSecret ${reason}` };
  }

  /** The message does not quote the secret. */
  #usable(secret: Secret | undefined): string | undefined {
    if (!secret || 'value' in secret) return secret?.value;
    this.#options.log('error', `${secret.fault}, so no one can sign in there.`);
    return undefined;
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

  /** The pages and endpoints where people and their clients sign in. */
  readonly siteAt: Listening['siteAt'] = (path) => this.#current?.site?.siteAt(path);

  /** The origin that people and clients know; `undefined` if no one can sign in. */
  get origin(): string | undefined {
    return this.#current?.settings.signIn?.origin;
  }

  /** The holder of the API key of a request. A token that a client got does not count. */
  keyHolder(request: Pick<IncomingMessage, 'rawHeaders'>): Principal | undefined {
    return this.#current?.by.keyHolder(request);
  }

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
    this.#current?.site?.close();
    this.#fetches.close();
  }

  /** If a shared key has the name of a key in the file, the one in the file counts. */
  #readKeys(): void {
    const { keys = [], sharedKeys = false } = this.#current?.settings ?? {};
    const names = new Set(keys.map(({ name }) => name));
    const shared = sharedKeys ? (this.#options.shared?.list() ?? []) : [];
    this.#keys = [...keys, ...shared.filter(({ name }) => !names.has(name))];
    this.#current?.by.replaceKeys(this.#keys);
  }
}
