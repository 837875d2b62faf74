/**
 * The pages where people link their own accounts at servers, and remove them. A link opens nothing by itself: the person
 * must sign in to the gateway in this browser, and what they link is theirs.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { type Log, type Principal, visibleLine } from '@callsign/core';

import { type Account, newAccountId, valueProblem } from '../accounts/account.js';
import type { AccountStore } from '../accounts/account-store.js';
import { removeAccount } from '../accounts/remove-account.js';
import { sameText } from '@callsign/wire/rpc';
import type { OutboundFetch } from '../network/outbound-fetch.js';
import type { OAuthSettings } from '../sign-in/oauth-settings.js';
import { beginSignIn, finishSignIn } from '../sign-in/sign-in.js';
import type { OwnClient } from '../sign-in/sign-in-attempt.js';
import { reasonOf, SignInError } from '../sign-in/sign-in-error.js';
import type { SignInRecord } from '../sign-in/sign-in-record.js';
import { personMark } from './account-link.js';
import {
  accountsPage,
  foreignLinkPage,
  linkPage,
  notLinkedPage,
  valuesPage,
} from './account-page.js';
import type { Person } from './caller-sign-in-state.js';
import {
  cookieIn,
  needed,
  PageProblem,
  parametersOf,
  type Shown,
  shownPerson,
  TOO_OLD,
} from './page-request.js';
import type { Carried, LinkRequest, PageSeal, Step } from './seal.js';

/** A header or a variable that each person fills in. */
export interface AccountSlot {
  readonly name: string;
  /** What the page asks for. */
  readonly label: string;
}

/** A server at which callers have accounts of their own. */
export interface AccountServer {
  readonly key: string;
  /** What people call it. */
  readonly title: string;
  /** Its address. Missing if it runs on this machine. */
  readonly url?: string | undefined;
  readonly oauth?: OAuthSettings | undefined;
  /** What a person fills in. Missing: the person signs in. */
  readonly slots?: readonly AccountSlot[] | undefined;
}

/** People's accounts, as the gateway keeps them. */
export interface AccountsOfPeople {
  readonly store: AccountStore;
  /** Whether any server has accounts of its callers. */
  isUsed(): boolean;
  /** The servers at which a caller may have an account. */
  servers(principal: Principal): readonly AccountServer[];
  /** Those roles that decide anything here. A provider may name many others. */
  knownRoles(roles: readonly string[]): string[];
  /** For the requests of a sign-in at a server. */
  fetchFor(server: AccountServer): OutboundFetch;
}

export interface AccountPagesOptions {
  readonly origin: string;
  readonly people: AccountsOfPeople;
  readonly seal: PageSeal;
  readonly pageKey: Uint8Array;
  readonly log: Log;
  /** Shows the page on which the person says who they are, and leads back. */
  readonly askWho: (link: LinkRequest, incoming: IncomingMessage) => Promise<Shown>;
  /** Throws if the person does not count any more. */
  readonly principalOf: (person: Person) => Principal;
  /** Opens what a page carried, if it is this browser's. */
  readonly opened: (step: Step, sealed: string, incoming: IncomingMessage) => Promise<Carried>;
  /** A form that one of our own pages sent. */
  readonly form: (incoming: IncomingMessage) => Promise<ReadonlyMap<string, string>>;
  readonly cookie: (name: string, value: string) => string;
}

const PERSON_COOKIE = 'callsign-person';
const ATTEMPT_COOKIE = 'callsign-link';

/** Who is signed in to these pages. */
interface Visitor {
  readonly person: Person;
  readonly principal: Principal;
  /** The hash of the browser's cookie. */
  readonly browser: string;
}

export class AccountPages {
  readonly #options: AccountPagesOptions;
  /** Clients that authorization servers have registered for us, by the address of the server. */
  readonly #clients = new Map<string, OwnClient>();

  constructor(options: AccountPagesOptions) {
    this.#options = options;
  }

  /** The person has signed in. Leads to one of our own pages. */
  async welcome(
    { browser, link }: Carried & { link: LinkRequest },
    person: Person,
  ): Promise<Shown> {
    const { seal, people } = this.#options;
    // Browsers drop a cookie of more than 4 KB without a word, and then the person would be asked again without an end.
    const known = { ...person, roles: people.knownRoles(person.roles) };
    const sealed = await seal.seal('person', { browser, person: known });
    const { server, mark } = link;
    const query = new URLSearchParams({
      ...(server === undefined ? {} : { server }),
      ...(mark === undefined ? {} : { for: mark }),
    });
    const location = server === undefined ? '/accounts' : `/accounts/link?${query.toString()}`;
    return { location, cookies: [this.#options.cookie(PERSON_COOKIE, sealed)] };
  }

  /** Shows a person's accounts. */
  readonly list = async (incoming: IncomingMessage): Promise<Shown> => {
    const visitor = await this.#visitor(incoming);
    if (!visitor) return await this.#options.askWho({}, incoming);
    const { person, principal, browser } = visitor;
    const { people, seal } = this.#options;
    const servers = people.servers(principal);
    const own = people.store.list().filter((account) => account.person === principal.name);
    const linked = parametersOf(incoming).get('linked');
    const done = servers.find(
      ({ key }) => key === linked && own.some(({ server }) => server === key),
    );
    // An account at a server that is not there any more can still be removed.
    const others = own.filter(({ server }) => !servers.some(({ key }) => key === server));
    const page = accountsPage({
      person: shownPerson(person),
      sealed: await seal.seal('accounts', { browser, person }),
      servers: [
        ...servers.map(({ key, title }) => ({
          key,
          title,
          since: own.find(({ server }) => server === key)?.createdAt,
          canLink: true,
        })),
        ...others.map(({ server, createdAt }) => ({
          key: server,
          title: server,
          since: createdAt,
          canLink: false,
        })),
      ],
      done: done?.title,
    });
    return { page };
  };

  /** Leads on to the authorization server of a server, if the link is this person's. */
  readonly link = async (incoming: IncomingMessage): Promise<Shown> => {
    const asked = parametersOf(incoming);
    const key = needed(asked, 'server');
    const mark = asked.get('for');
    const visitor = await this.#visitor(incoming);
    if (!visitor) {
      const link = { server: key, ...(mark === undefined ? {} : { mark }) };
      return await this.#options.askWho(link, incoming);
    }
    const { person, principal, browser } = visitor;
    const { pageKey, seal, cookie } = this.#options;
    if (mark !== undefined && !sameText(mark, personMark(pageKey, principal.name))) {
      const sealed = await seal.seal('accounts', { browser, person });
      return { page: foreignLinkPage(shownPerson(person), sealed), status: 403 };
    }
    const server = this.#serverOf(principal, key);
    if (server.slots) return await this.#askValues(visitor, server, server.slots);
    const { url, attempt } = await this.#begin(server);
    const page = linkPage({
      person: shownPerson(person),
      title: server.title,
      url: server.url!,
      target: url,
    });
    const sealed = await seal.seal('link', { browser, person, attempt });
    return { page, cookies: [cookie(ATTEMPT_COOKIE, sealed)] };
  };

  /** The authorization server of a server has answered. */
  readonly callback = async (incoming: IncomingMessage): Promise<Shown> => {
    const answer = parametersOf(incoming);
    const { opened, cookie, log } = this.#options;
    const sealed = cookieIn(incoming, ATTEMPT_COOKIE);
    const visitor = await this.#visitor(incoming);
    if (sealed === undefined || !visitor) throw new PageProblem(TOO_OLD);
    const { attempt, person } = await opened('link', sealed, incoming);
    const isOurs =
      attempt !== undefined &&
      person?.name === visitor.principal.name &&
      sameText(answer.get('state') ?? '', attempt.state);
    if (!isOurs) throw new PageProblem(TOO_OLD);
    const server = this.#serverOf(visitor.principal, attempt.server);
    const cookies = [cookie(ATTEMPT_COOKIE, '')];
    const code = answer.get('code');
    if (code === undefined || server.url !== attempt.url)
      return { page: notLinkedPage(server), status: 400, cookies };
    let signIn: SignInRecord;
    try {
      signIn = await this.#finish(server, attempt, { code, iss: answer.get('iss') });
    } catch (error) {
      throw problemOf(server, error);
    }
    await this.#keep(visitor, server, { signIn });
    log('info', `${nameOf(visitor)} linked an account at ${server.key}.`);
    const done = new URLSearchParams({ linked: server.key });
    return { location: `/accounts?${done.toString()}`, cookies };
  };

  async #askValues(
    { person, browser }: Visitor,
    { key, title }: AccountServer,
    slots: readonly AccountSlot[],
    wrong?: string,
  ): Promise<Shown> {
    const sealed = await this.#options.seal.seal('accounts', { browser, person });
    const page = valuesPage({ person: shownPerson(person), sealed, key, title, slots, wrong });
    return { page, ...(wrong === undefined ? {} : { status: 400 }) };
  }

  /** The person has filled in what a server needs. */
  readonly takeValues = async (incoming: IncomingMessage): Promise<Shown> => {
    const form = await this.#options.form(incoming);
    const visitor = await this.#sender(form, incoming);
    const server = this.#serverOf(visitor.principal, needed(form, 'server'));
    const { slots } = server;
    if (!slots) throw new PageProblem(TOO_OLD);
    const values: Record<string, string> = {};
    for (const { name, label } of slots) {
      const value = (form.get(`value ${name}`) ?? '').trim();
      const problem = valueProblem(value);
      if (problem !== undefined)
        return await this.#askValues(visitor, server, slots, `“${label}” ${problem}.`);
      values[name] = value;
    }
    await this.#keep(visitor, server, { values, url: server.url });
    this.#options.log('info', `${nameOf(visitor)} linked an account at ${server.key}.`);
    return { location: `/accounts?${new URLSearchParams({ linked: server.key }).toString()}` };
  };

  readonly remove = async (incoming: IncomingMessage): Promise<Shown> => {
    const form = await this.#options.form(incoming);
    const visitor = await this.#sender(form, incoming);
    const server = needed(form, 'server');
    const { people, log } = this.#options;
    const place = { person: visitor.principal.name, server };
    const known = people.servers(visitor.principal).find(({ key }) => key === server);
    const fetch = known && people.fetchFor(known);
    if (await removeAccount(people.store, place, fetch))
      log('info', `${nameOf(visitor)} removed the account at ${server}.`);
    return { location: '/accounts' };
  };

  readonly signOut = async (incoming: IncomingMessage): Promise<Shown> => {
    const form = await this.#options.form(incoming);
    await this.#sender(form, incoming);
    return { location: '/accounts', cookies: [this.#options.cookie(PERSON_COOKIE, '')] };
  };

  /** The person who is signed in to these pages in this browser. */
  async #visitor(incoming: IncomingMessage): Promise<Visitor | undefined> {
    const sealed = cookieIn(incoming, PERSON_COOKIE);
    if (sealed === undefined) return undefined;
    try {
      const { person, browser } = await this.#options.opened('person', sealed, incoming);
      return person && { person, browser, principal: this.#options.principalOf(person) };
    } catch (error) {
      // The page asks again who is there.
      if (error instanceof PageProblem) return undefined;
      throw error;
    }
  }

  /** Who sent a form: the person that the page was made for, if they are still signed in. */
  async #sender(form: ReadonlyMap<string, string>, incoming: IncomingMessage): Promise<Visitor> {
    const { person } = await this.#options.opened('accounts', needed(form, 'request'), incoming);
    const visitor = await this.#visitor(incoming);
    if (!visitor || person?.name !== visitor.person.name) throw new PageProblem(TOO_OLD);
    return visitor;
  }

  /** Says the same about a server that is not there and one that the person may not use. */
  #serverOf(principal: Principal, key: string): AccountServer {
    const found = this.#options.people.servers(principal).find((each) => each.key === key);
    if (found) return found;
    throw new PageProblem('There is no such server here at which you can have an account.');
  }

  async #begin(
    server: AccountServer,
  ): Promise<{ readonly url: URL; readonly attempt: NonNullable<Carried['attempt']> }> {
    const { people, origin } = this.#options;
    const { key, url, oauth = {} } = server;
    if (url === undefined) throw new PageProblem(`${server.title} has no sign-in.`);
    const known = [...this.#clients].filter(([of]) => of === url).map(([, client]) => client);
    const redirect = { url: this.#redirectUri, state: randomBytes(32).toString('base64url') };
    const isPublished = origin.startsWith('https:') && oauth.clientId === undefined;
    const document = { clientMetadataUrl: `${origin}/accounts/client.json` };
    try {
      const found = await beginSignIn({ key, url }, redirect, {
        fetch: people.fetchFor(server),
        oauth: isPublished ? { ...document, ...oauth } : oauth,
        known,
      });
      const { authorizationServer, metadata, client, resource, codeVerifier } = found;
      const { client_id, client_secret } = client;
      const issuer = metadata?.issuer ?? authorizationServer;
      if (oauth.clientId === undefined)
        this.#clients.set(url, { issuer, client_id, client_secret });
      const { state } = redirect;
      const own = { client_id, client_secret };
      const attempt = { server: key, url, state, authorizationServer, client: own, resource };
      return { url: found.authorizationUrl, attempt: { ...attempt, codeVerifier } };
    } catch (error) {
      throw problemOf(server, error);
    }
  }

  async #finish(
    server: AccountServer,
    attempt: NonNullable<Carried['attempt']>,
    { code, iss }: { readonly code: string; readonly iss: string | undefined },
  ): Promise<SignInRecord> {
    const { discoverAuthorizationServerMetadata } = await import('@modelcontextprotocol/client');
    const fetch = this.#options.people.fetchFor(server);
    const { authorizationServer, client, resource, codeVerifier } = attempt;
    const options = { fetchFn: fetch };
    // Read again, and checked again: it is too long for a cookie.
    const metadata = await discoverAuthorizationServerMetadata(authorizationServer, options);
    const own = client as { client_id: string };
    const found = { authorizationServer, metadata, client: own, resource, codeVerifier };
    const entry = { key: server.key, url: attempt.url };
    const redirectUri = this.#redirectUri;
    return await finishSignIn(entry, found, { code, iss, redirectUri, fetch });
  }

  get #redirectUri(): string {
    return `${this.#options.origin}/accounts/callback`;
  }

  /** Takes the place of an account that the person had there. */
  async #keep(
    { person, principal }: Visitor,
    { key }: AccountServer,
    what: Pick<Account, 'signIn' | 'url' | 'values'>,
  ): Promise<void> {
    const { label } = person;
    const account: Account = {
      id: newAccountId(),
      person: principal.name,
      ...(label === undefined ? {} : { label }),
      server: key,
      createdAt: Date.now(),
      ...what,
    };
    await this.#options.people.store.change(account, () => account);
  }
}

/** What went wrong at a server, without what it said. */
function problemOf({ title }: AccountServer, error: unknown): unknown {
  if (error instanceof PageProblem) return error;
  const reason =
    error instanceof SignInError
      ? error.message.replace(/^[^:]*: /, '').replace(/\.$/, '')
      : reasonOf(error);
  const server = visibleLine(title, 80);
  return new PageProblem(`You cannot sign in to ${server} now: ${reason}.`, { cause: error });
}

function nameOf({ principal }: Visitor): string {
  return visibleLine(principal.name, 120);
}
