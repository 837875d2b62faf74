/**
 * People's own accounts at servers: who has one, what is sent with it, and how a person gets one. In this order: a stored
 * sign-in, what the person filled in, and a token that is exchanged for the caller's own one.
 */

import {
  type Account,
  accountLink,
  type AccountServer,
  accountSignIns,
  type AccountsOfPeople,
  type AccountStore,
  ExchangedCredentials,
  LOCAL_PERSON,
  SignInCredentials,
  SubjectTokens,
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

/** Begins the id of an account that no one has linked: tokens are exchanged for it. The rest is their issuer. */
const EXCHANGED = 'exchanged ';
/** People and servers for which exchanged tokens are kept. */
const MOST_EXCHANGED = 10_000;

export class Accounts implements AccountsOfPeople {
  readonly store: AccountStore;
  /** The tokens that callers showed. */
  readonly subjects = new SubjectTokens();
  /** One for each person and server, so that all calls share a token. */
  readonly #exchanged = new Map<string, ExchangedCredentials>();
  /** The token for which nothing was given, by person and server. */
  readonly #refused = new Map<string, string>();
  #onChange: (() => void) | undefined;
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

  knownRoles(roles: readonly string[]): string[] {
    const known = this.#options.config().settings.roles ?? {};
    return roles.filter((role) => Object.hasOwn(known, role));
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
    if (isUsable) return account;
    const subject = this.#subjectFor(person, server);
    const isOffered =
      subject !== undefined && this.#refused.get(placeOf(person, server.key)) !== subject;
    if (!isOffered) return undefined;
    return { id: `${EXCHANGED}${this.#issuer}`, person, server: server.key, createdAt: 0 };
  }

  /** Who issues the tokens of callers. Without one there are none. */
  get #issuer(): string {
    return this.#options.config().settings.auth?.tokens?.issuer ?? '';
  }

  /** The token that is exchanged for one of a server; `undefined` if none is. */
  #subjectFor(person: string, { settings, transport }: ServerConfig): string | undefined {
    if (!settings.accounts?.exchange || transport === 'stdio') return undefined;
    return this.subjects.of(this.#issuer, person);
  }

  /** Whether an account still counts. Looked at for every call, so that a removed account ends at once. */
  counts({ id, person, server: key }: Account): boolean {
    const server = this.#options.config().servers.find((each) => each.key === key);
    return server !== undefined && this.of(person, server)?.id === id;
  }

  /** The server as it runs for an account: without the credentials of the configuration, with those of the person. */
  serverFor(server: ServerConfig, account: Account): ServerConfig {
    const { slots = {} } = server.settings.accounts ?? {};
    const given = account.values ?? {};
    const values = Object.fromEntries(
      Object.entries(slots).flatMap(([name, { before = '' }]) =>
        Object.hasOwn(given, name) ? [[name, `${before}${given[name]}`]] : [],
      ),
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
    if (account.id.startsWith(EXCHANGED)) return this.#exchangedFor(server, account.person);
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

  #exchangedFor(server: RemoteServer, person: string): ExchangedCredentials | undefined {
    const { key, url, settings } = server;
    const { exchange } = settings.accounts ?? {};
    if (!exchange) return undefined;
    const { network } = this.#options.config().settings;
    const issuer = this.#issuer;
    const name = JSON.stringify([issuer, person, key, url, exchange, network]);
    const known = this.#exchanged.get(name);
    if (known) return known;
    const made = new ExchangedCredentials({
      settings: exchange,
      server: { key, url },
      fetch: this.fetchFor({ url: exchange.tokenUrl }),
      subject: () => this.subjects.of(issuer, person),
      onRefused: (subject) => {
        this.subjects.refuse(issuer, person, subject);
        this.#refuse(placeOf(person, key), subject);
      },
      onProblem: (message) => this.#options.log('warning', `${message} (account of ${person})`),
      advice: adviceFor(this.link(person, key), key),
    });
    this.#exchanged.set(name, made);
    dropOldest(this.#exchanged);
    return made;
  }

  /** The person has no account there with this token. A new token, or a link, may give one. */
  #refuse(place: string, subject: string): void {
    this.#refused.delete(place);
    this.#refused.set(place, subject);
    dropOldest(this.#refused);
    // Not now: this ends the session that has just asked.
    setImmediate(() => this.#onChange?.());
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
    this.#onChange = listener;
    this.subjects.onNew = () => {
      if (this.#options.config().servers.some(({ settings }) => settings.accounts?.exchange))
        listener();
    };
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

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.size > MOST_EXCHANGED ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
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
