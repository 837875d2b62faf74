/** People's own accounts at servers: who has one, what is sent with it, and how a person gets one. */

import {
  type Account,
  accountLink,
  type AccountServer,
  accountSignIns,
  type AccountsOfPeople,
  type AccountStore,
  LOCAL_PERSON,
  SignInCredentials,
} from '@callsign/auth';
import { CallsignError, type Log, type Principal } from '@callsign/core';
import type { HttpCredentials } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { RemoteServer, ServerConfig } from '../config/server-config.js';
import { OutboundFetches } from './outbound-fetches.js';

type OutboundFetch = ReturnType<OutboundFetches['create']>;

export interface AccountsOptions {
  readonly config: () => GatewayConfig;
  readonly log: Log;
  readonly store: AccountStore;
  /** Makes links that others cannot make. */
  readonly pageKey: Uint8Array;
  /** Whether a caller may use anything of a server. */
  readonly mayUse: (principal: Principal, server: string) => boolean;
}

export class Accounts implements AccountsOfPeople {
  readonly store: AccountStore;
  readonly #options: AccountsOptions;
  readonly #fetches = new OutboundFetches();
  readonly #fetchBy = new Map<string, OutboundFetch>();
  #unwatch: (() => void) | undefined;
  #index:
    | { readonly of: readonly Account[]; readonly by: ReadonlyMap<string, Account> }
    | undefined;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.store = options.store;
  }

  isUsed(): boolean {
    return this.#options.config().servers.some(({ settings }) => settings.accounts);
  }

  servers(principal: Principal): readonly AccountServer[] {
    return this.#options.config().servers.flatMap((server) => {
      const { key, settings } = server;
      if (!settings.accounts || !this.#options.mayUse(principal, key)) return [];
      const { displayName: title = key, oauth } = settings;
      const url = server.transport === 'stdio' ? undefined : server.url;
      return [{ key, title, url, oauth, slots: slotsOf(server) }];
    });
  }

  fetchFor({ url }: Pick<AccountServer, 'url'>): OutboundFetch {
    const { network } = this.#options.config().settings;
    const key = JSON.stringify([url, network]);
    const known = this.#fetchBy.get(key);
    if (known) return known;
    const made = this.#fetches.create(network, ...(url === undefined ? [] : [url]));
    this.#fetchBy.set(key, made);
    return made;
  }

  /** The account of a person at a server as it is now configured. */
  of(person: string, server: ServerConfig): Account | undefined {
    const account = this.#accounts().get(placeOf(person, server.key));
    const { slots } = server.settings.accounts ?? {};
    // A credential belongs to one address, even if the configuration changes.
    const url = server.transport === 'stdio' ? undefined : server.url;
    const isUsable = slots
      ? account?.url === url && Object.keys(slots).every(isFilledIn(account))
      : url !== undefined && account?.signIn?.url === url;
    return isUsable ? account : undefined;
  }

  /** Whether an account still counts. Looked at for every call, so that a removed account ends at once. */
  counts({ id, person, server }: Account): boolean {
    return this.#accounts().get(placeOf(person, server))?.id === id;
  }

  /** The server as it runs for an account: without the credentials of the configuration, with those of the person. */
  serverFor(server: ServerConfig, account: Account): ServerConfig {
    const { slots = {} } = server.settings.accounts ?? {};
    const values = Object.fromEntries(
      Object.entries(slots).map(([name, { before = '' }]) => [
        name,
        `${before}${account.values?.[name]}`,
      ]),
    );
    if (server.transport === 'stdio') return { ...server, env: { ...server.env, ...values } };
    const replaced = new Set(['authorization', ...Object.keys(slots).map(lowerCase)]);
    const headers = Object.entries(server.headers).filter(
      ([name]) => !replaced.has(lowerCase(name)),
    );
    return { ...server, headers: { ...Object.fromEntries(headers), ...values } };
  }

  /** `undefined`: the person has filled in what is sent. */
  credentials(server: RemoteServer, account: Account): HttpCredentials | undefined {
    const { key, url } = server;
    if (!account.signIn) return undefined;
    return new SignInCredentials(
      { key, url },
      {
        store: accountSignIns(this.store, account),
        fetch: this.fetchFor(server),
        onProblem: (message) =>
          this.#options.log('warning', `${message} (account of ${account.person})`),
        advice: adviceFor(this.link(account.person, key), key),
      },
    );
  }

  /** The page where a person links an account at a server. It opens nothing to others. */
  link(person: string, server: string): string | undefined {
    const { origin } = this.#options.config().settings.auth?.signIn ?? {};
    if (person === LOCAL_PERSON || origin === undefined) return undefined;
    return accountLink({ origin, pageKey: this.#options.pageKey, server, person });
  }

  /** For a call of a person who has no account at a server. */
  needed(person: string, server: string): CallsignError {
    const link = this.link(person, server);
    const advice = adviceFor(link, server);
    const details = { server, advice, ...(link === undefined ? {} : { link }) };
    return new CallsignError('account-needed', details);
  }

  /** Calls the listener when accounts may have changed, in this process or another. One listener only. */
  onChange(listener: () => void): void {
    this.#unwatch = this.store.watch(listener);
  }

  close(): void {
    this.#unwatch?.();
    this.#fetches.close();
  }

  #accounts(): ReadonlyMap<string, Account> {
    const all = this.store.list();
    if (this.#index?.of === all) return this.#index.by;
    const by = new Map(all.map((each) => [placeOf(each.person, each.server), each]));
    this.#index = { of: all, by };
    return by;
  }
}

function placeOf(person: string, server: string): string {
  return JSON.stringify([person, server]);
}

function adviceFor(link: string | undefined, server: string): string {
  if (link === undefined) return `Ask the user to link it with: callsign login ${server}`;
  return `Ask the user to open this page and link it, then make the call again: ${link}`;
}

/** What each person fills in. `undefined`: they sign in. */
export function slotsOf({ settings }: Pick<ServerConfig, 'settings'>): AccountServer['slots'] {
  const { slots } = settings.accounts ?? {};
  return slots && Object.entries(slots).map(([name, { label }]) => ({ name, label }));
}

function isFilledIn(account: Account | undefined): (name: string) => boolean {
  const values = account?.values ?? {};
  return (name) => Object.hasOwn(values, name);
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}
