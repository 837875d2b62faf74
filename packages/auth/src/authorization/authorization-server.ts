/**
 * The gateway as an OAuth 2.1 authorization server for itself: metadata, authorize, token, revoke, register. Before a
 * person has said yes nothing is stored, and no request leads a browser to another site.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { type Log, type Principal, visibleLine } from '@callsign/core';

import { hashOf } from '../callers/api-key.js';
import { isRegistered } from '../callers/redirect-uri.js';
import { OWN_SCOPE } from '../callers/resource-metadata.js';
import type { SignInSettings } from '../callers/sign-in-settings.js';
import type { OutboundFetch } from '../network/outbound-fetch.js';
import type { NetworkSettings } from '../network/network-settings.js';
import {
  exchangeCode,
  type IssuedTokens,
  issueCode,
  type NotIssued,
  operatorAnswer,
  type Person,
  refreshTokens,
  revokeToken,
  useOperatorYes,
} from './caller-sign-in-state.js';
import type { CallerSignInStore } from './caller-sign-in-store.js';
import { CLIENT_METHODS, Clients } from './clients.js';
import { Provider, ProviderProblem } from './provider.js';
import { AccountPages, type AccountsOfPeople } from './account-pages.js';
import {
  BodyTooLong,
  bodyOf,
  cookieIn,
  needed,
  PageProblem,
  parametersOf,
  type Shown,
  shownPerson,
  single,
  TOO_OLD,
} from './page-request.js';
import { type AuthorizationRequest, type Carried, PageSeal, type Step } from './seal.js';
import { ClientProblem, type SignInClient } from './sign-in-client.js';
import type { SignInPath, Site } from './sign-in-path.js';
import { pageHeaders, type SignInPage } from './page-markup.js';
import {
  consentPage,
  givenName,
  problemPage,
  type ShownClient,
  waitPage,
  wayPage,
} from './sign-in-page.js';
import { type OperatorQueue, WaitingPeople } from './waiting-people.js';

/** What a person lets a client do, for the consent page. */
export interface CallerAccess {
  /** How many tools of each label the caller can call. `label` follows the number, as in "that only read". */
  readonly tools: readonly { readonly label: string; readonly count: number }[];
  /** The roles, each with the set that it is limited to. */
  readonly roles: readonly string[];
}

export interface AuthorizationServerOptions {
  readonly settings: SignInSettings;
  readonly store: CallerSignInStore;
  readonly network: NetworkSettings;
  /** For the OpenID provider. */
  readonly fetch: OutboundFetch;
  /** Our secret at the OpenID provider, with the value of its variable. */
  readonly clientSecret?: string | undefined;
  /** The holder of an API key, by the hash of the key. */
  readonly keyHolder: (hash: string) => Principal | undefined;
  readonly access: (principal: Principal) => CallerAccess | Promise<CallerAccess>;
  /** People's own accounts at servers. Default: they have none. */
  readonly accounts?: AccountsOfPeople | undefined;
  /** Shows operators who waits for them. */
  readonly operators: OperatorQueue;
  readonly log: Log;
}

/** In front of the name that an operator approved, in the name of the principal. */
const BY_OPERATOR = 'person:';
/** Says which browser a page belongs to. The other cookies count with it only. */
const COOKIE = 'callsign-sign-in';
const PROVIDER_COOKIE = 'callsign-provider';
const MAX_BODY = 32 * 1024;
const MAX_REGISTRATION = 5 * 1024;
/** Of the client's `state`, and of other texts that pages carry. */
const LONGEST_STATE = 1_024;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
/** At most one warning about wrong keys in this time. */
const QUIET_MS = 60_000;

/** An error for a client, in the words of OAuth. */
class OAuthProblem extends Error {
  override readonly name = 'OAuthProblem';
  readonly error: string;
  readonly status: number;

  constructor(error: string, message: string, status = 400) {
    super(message);
    this.error = error;
    this.status = status;
  }
}

/** A request of a client, and what its pages carry. */
type Asked = Carried & Required<Pick<Carried, 'request'>>;

/** Close it when the settings change: the sign-ins stay in the store. */
export class AuthorizationServer {
  readonly #options: AuthorizationServerOptions;
  readonly #clients: Clients;
  readonly #seal: PageSeal;
  readonly #provider: Provider | undefined;
  readonly #accounts: AccountPages | undefined;
  readonly #waiting: WaitingPeople;
  /** The handler of each path. */
  readonly sites: Readonly<Record<SignInPath, Site>>;
  /** No other host, and no page without TLS, can set a cookie with this prefix. Without TLS it is not possible. */
  readonly #browserCookie: string;
  #wrongKeys = 0;
  #quietUntil = -Infinity;

  constructor(options: AuthorizationServerOptions) {
    const { settings, store, network, fetch, clientSecret } = options;
    this.#options = options;
    this.#browserCookie = `${settings.origin.startsWith('https:') ? '__Host-' : ''}${COOKIE}`;
    this.#clients = new Clients(settings, store, network);
    this.#seal = new PageSeal(store.pageKey, settings.origin);
    this.#provider =
      settings.oidc &&
      new Provider({
        settings: settings.oidc,
        clientSecret,
        fetch,
        redirectUri: `${settings.origin}/authorize/callback`,
      });
    this.#waiting = new WaitingPeople(options.operators, store.pageKey);
    const accounts =
      options.accounts &&
      new AccountPages({
        origin: settings.origin,
        people: options.accounts,
        seal: this.#seal,
        pageKey: store.pageKey,
        log: options.log,
        askWho: (link, incoming) => this.#askWhoLinks(link, incoming),
        principalOf: (person) => this.#principalOf(person),
        opened: (step, sealed, incoming) => this.#opened(step, sealed, incoming),
        form: (incoming) => this.#form(incoming),
        cookie: (name, value) => this.#cookie(name, value, '/accounts'),
      });
    this.#accounts = accounts;
    const page = (
      method: string,
      of: (pages: AccountPages) => (request: IncomingMessage) => Promise<Shown>,
    ): Site =>
      this.#page(method, (request) => {
        if (!accounts) throw new PageProblem('No server here has accounts of its callers.');
        return of(accounts)(request);
      });
    this.sites = {
      '/accounts': page('GET', (pages) => pages.list),
      '/accounts/link': page('GET', (pages) => pages.link),
      '/accounts/callback': page('GET', (pages) => pages.callback),
      '/accounts/values': page('POST', (pages) => pages.takeValues),
      '/accounts/remove': page('POST', (pages) => pages.remove),
      '/accounts/sign-out': page('POST', (pages) => pages.signOut),
      '/accounts/client.json': this.#api('GET', () => clientDocument(settings.origin)),
      '/.well-known/oauth-authorization-server': this.#api('GET', () => this.#metadata()),
      '/authorize': this.#page('GET', (request) => this.#authorize(request)),
      '/authorize/key': this.#page('POST', (request) => this.#takeKey(request)),
      '/authorize/name': this.#page('POST', (request) => this.#takeName(request)),
      '/authorize/wait': this.#page('GET', (request) => this.#wait(request)),
      '/authorize/provider': this.#page('GET', (request) => this.#toProvider(request)),
      '/authorize/callback': this.#page('GET', (request) => this.#fromProvider(request)),
      '/authorize/consent': this.#page('POST', (request) => this.#decide(request)),
      '/token': this.#api('POST', (request) => this.#token(request)),
      '/revoke': this.#api('POST', (request) => this.#revoke(request)),
      '/register': this.#api('POST', (request) => this.#register(request), 201),
    };
  }

  /** The address that tokens are for. */
  get #resource(): string {
    return `${this.#options.settings.origin}/mcp`;
  }

  close(): void {
    this.#clients.close();
    this.#waiting.close();
  }

  #metadata(): object {
    const { origin, clientDocuments, registration } = this.#options.settings;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/revoke`,
      ...(registration ? { registration_endpoint: `${origin}/register` } : {}),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: CLIENT_METHODS,
      revocation_endpoint_auth_methods_supported: CLIENT_METHODS,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: clientDocuments,
      scopes_supported: [OWN_SCOPE],
      protected_resources: [this.#resource],
    };
  }

  /** Every error is shown on a page: a redirect could lead a person to any site that registered itself. */
  async #authorize(incoming: IncomingMessage): Promise<Shown> {
    const asked = parametersOf(incoming);
    const client = await this.#clients.find(needed(asked, 'client_id'));
    const redirectUri = needed(asked, 'redirect_uri');
    if (!isRegistered(redirectUri, client.redirectUris))
      throw new PageProblem('The client did not register the address that it wants its answer at.');
    if (asked.get('response_type') !== 'code')
      throw new PageProblem('The client asks for something else than a code.');
    const challenge = needed(asked, 'code_challenge');
    if (asked.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
      throw new PageProblem('The client must use PKCE with S256.');
    if (asked.has('request') || asked.has('request_uri'))
      throw new PageProblem('The client sends its request as an object, which is not supported.');
    const state = asked.get('state');
    if ((state?.length ?? 0) > LONGEST_STATE)
      throw new PageProblem(`The client sends a state of more than ${LONGEST_STATE} characters.`);
    const resource = this.#resourceIn(asked);
    if (resource === undefined)
      throw new PageProblem('The client asks for access to another server than this one.');
    const request: AuthorizationRequest = {
      client: {
        id: client.id,
        name: visibleLine(client.name, 80),
        host: client.host ?? targetOf(redirectUri),
      },
      isKnownHost: client.host !== undefined,
      resource,
      refreshes: client.refreshes,
      redirectUri,
      challenge,
      ...(state === undefined ? {} : { state }),
    };
    return await this.#askFirst({ request }, incoming);
  }

  /** A person came for their own accounts. */
  async #askWhoLinks(
    link: NonNullable<Carried['link']>,
    incoming: IncomingMessage,
  ): Promise<Shown> {
    return await this.#askFirst({ link }, incoming);
  }

  async #askFirst(
    what: Pick<Carried, 'link' | 'request'>,
    incoming: IncomingMessage,
  ): Promise<Shown> {
    const cookie = cookieIn(incoming, this.#browserCookie) ?? randomBytes(32).toString('base64url');
    const cookies = [this.#cookie(this.#browserCookie, cookie)];
    const carried: Carried = { ...what, browser: hashOf(cookie) };
    const { keys, operator } = this.#options.settings;
    // There is nothing to choose.
    if (!keys && !operator) return await this.#begin(carried, cookies);
    return await this.#askWho(carried, undefined, cookies);
  }

  async #askWho(carried: Carried, wrong?: string, cookies?: readonly string[]): Promise<Shown> {
    const sealed = await this.#seal.seal('sign-in', carried);
    const page = wayPage({
      client: carried.request && shownClient(carried.request),
      sealed,
      keys: this.#options.settings.keys,
      provider: this.#provider?.shownName,
      operator: this.#options.settings.operator !== undefined,
      wrong,
    });
    return { page, status: wrong === undefined ? 200 : 403, ...(cookies ? { cookies } : {}) };
  }

  async #takeKey(incoming: IncomingMessage): Promise<Shown> {
    if (!this.#options.settings.keys) throw new PageProblem('Keys are not accepted here.');
    const form = await this.#form(incoming);
    const carried = await this.#opened('sign-in', needed(form, 'request'), incoming);
    // A lookup by hash: the time that it takes reveals nothing about existing keys.
    const keyHash = hashOf((form.get('key') ?? '').trim());
    const holder = this.#options.keyHolder(keyHash);
    if (!holder) {
      this.#noteWrongKey();
      return await this.#askWho(carried, 'This key is not known here.');
    }
    return await this.#known(carried, { name: holder.name, roles: [], keyHash });
  }

  /** The person asks an operator to let them in under a name. */
  async #takeName(incoming: IncomingMessage): Promise<Shown> {
    const { settings, store } = this.#options;
    if (!settings.operator) throw new PageProblem('No operator lets people in here.');
    const form = await this.#form(incoming);
    const carried = await this.#opened('sign-in', needed(form, 'request'), incoming);
    const name = givenName(form.get('name') ?? '');
    if (name === undefined)
      return await this.#askWho(
        carried,
        'A name has letters from a to z, digits, and . _ - @ + between them.',
      );
    const { request, browser } = carried;
    const person = `${BY_OPERATOR}${name}`;
    const isKnown = store.get().signIns.some((each) => each.person.name === person);
    const waiting = this.#waiting.ask({
      name,
      client: request ? whoAsks(request) : 'none: the person wants to see their accounts',
      browser,
      effect: [
        `Lets a person in as ${person}, with the roles ${settings.operator.roles.join(', ') || '(none)'}.`,
        isKnown
          ? 'Someone is signed in under this name already.'
          : 'No one is signed in under this name.',
      ].join(' '),
    });
    const sealed = await this.#seal.seal('wait', { ...carried, waiting });
    return { location: `/authorize/wait?${new URLSearchParams({ request: sealed }).toString()}` };
  }

  /** The page loads itself again until an operator has answered. */
  async #wait(incoming: IncomingMessage): Promise<Shown> {
    const { store, settings } = this.#options;
    const sealed = needed(parametersOf(incoming), 'request');
    const carried = await this.#opened('wait', sealed, incoming);
    const { waiting } = carried;
    if (!waiting || !settings.operator) throw new PageProblem(TOO_OLD);
    const now = Date.now();
    switch (operatorAnswer(store.get(), waiting.hash, now)) {
      case 'yes': {
        const person = {
          name: `${BY_OPERATOR}${waiting.name}`,
          roles: [...settings.operator.roles],
        };
        return await this.#known(carried, person);
      }
      case 'no':
        throw new PageProblem('The operator did not let you in.');
      case 'used':
        throw new PageProblem('The operator let you in once, and that was used already.');
      case undefined:
        if (now < waiting.until) return { page: waitPage(waiting) };
        throw new PageProblem('No operator has answered in time.');
    }
  }

  async #toProvider(incoming: IncomingMessage): Promise<Shown> {
    const asked = parametersOf(incoming);
    const carried = await this.#opened('sign-in', needed(asked, 'request'), incoming);
    return await this.#begin(carried);
  }

  async #begin(carried: Carried, cookies: readonly string[] = []): Promise<Shown> {
    if (!this.#provider) throw new PageProblem('There is no provider to sign in at.');
    const { url, check } = await this.#provider.begin();
    const sealed = await this.#seal.seal('provider', { ...carried, provider: check });
    return { location: url, cookies: [...cookies, this.#cookie(PROVIDER_COOKIE, sealed)] };
  }

  async #fromProvider(incoming: IncomingMessage): Promise<Shown> {
    const answer = new URL(incoming.url!, 'http://gateway').searchParams;
    const sealed = cookieIn(incoming, PROVIDER_COOKIE);
    if (sealed === undefined || !this.#provider) throw new PageProblem(TOO_OLD);
    const { provider, ...carried } = await this.#opened('provider', sealed, incoming);
    if (!provider) throw new PageProblem(TOO_OLD);
    const person = await this.#provider.finish(answer, provider);
    const { cookies = [], ...shown } = await this.#known(carried, person);
    return { ...shown, cookies: [...cookies, this.#cookie(PROVIDER_COOKIE, '')] };
  }

  /** It is known who the person is. */
  async #known({ request, ...carried }: Carried, person: Person): Promise<Shown> {
    if (request) return await this.#askConsent({ ...carried, request }, person);
    if (!carried.link || !this.#accounts) throw new PageProblem(TOO_OLD);
    const { waiting } = carried;
    if (waiting) {
      const { store } = this.#options;
      if (!(await store.change((all) => useOperatorYes(all, waiting.hash, Date.now()))))
        throw new PageProblem(TOO_OLD);
    }
    return await this.#accounts.welcome({ ...carried, link: carried.link }, person);
  }

  async #askConsent(carried: Asked, person: Person): Promise<Shown & { page: SignInPage }> {
    const principal = this.#principalOf(person);
    const { tools, roles } = await this.#options.access(principal);
    const { request } = carried;
    const page = consentPage({
      client: shownClient(request),
      redirectUri: request.redirectUri,
      sealed: await this.#seal.seal('consent', { ...carried, person }),
      person: shownPerson(person),
      roles,
      set: principal.set,
      tools,
      days: this.#options.settings.days,
    });
    return { page };
  }

  async #decide(incoming: IncomingMessage): Promise<Shown> {
    const form = await this.#form(incoming);
    const { request, person, waiting } = await this.#opened(
      'consent',
      needed(form, 'request'),
      incoming,
    );
    const answer = form.get('answer');
    if (!request || !person || (answer !== 'allow' && answer !== 'refuse'))
      throw new PageProblem(TOO_OLD);
    // The key may have been revoked while the page was open.
    this.#principalOf(person);
    const { state, isKnownHost: _, ...asked } = request;
    const back = new URL(request.redirectUri);
    const said = `${shownPerson(person)} (${person.name})`;
    if (answer === 'refuse') {
      back.searchParams.set('error', 'access_denied');
      this.#options.log('info', `Sign-in: ${said} refused ${request.client.host}.`);
    } else {
      const { store } = this.#options;
      const now = Date.now();
      const code = await store.change((all) =>
        waiting && !useOperatorYes(all, waiting.hash, now)
          ? undefined
          : issueCode(all, { ...asked, person }, now),
      );
      // An operator's yes lets a person in once.
      if (code === undefined) throw new PageProblem(TOO_OLD);
      back.searchParams.set('code', code);
      this.#options.log('info', `Sign-in: ${said} allowed ${request.client.host}.`);
    }
    if (state !== undefined) back.searchParams.set('state', state);
    back.searchParams.set('iss', this.#options.settings.origin);
    return { location: back.href };
  }

  async #token(incoming: IncomingMessage): Promise<object> {
    const form = await this.#clientForm(incoming);
    const client = await this.#authenticated(incoming, form);
    const resource = this.#resourceIn(form);
    if (resource === undefined)
      throw new OAuthProblem('invalid_target', 'This server issues tokens for itself only.');
    const { store, settings } = this.#options;
    const lifetimes = {
      tokenMs: settings.tokenMinutes * MINUTE_MS,
      signInMs: settings.days * DAY_MS,
    };
    const clientId = client.id;
    let issued: IssuedTokens | NotIssued;
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const verifier = required(form, 'code_verifier');
        const isPossible = VERIFIER.test(verifier);
        const shown = {
          code: required(form, 'code'),
          redirectUri: required(form, 'redirect_uri'),
          // A verifier that is not possible matches no challenge, and ends the code.
          challenge: isPossible
            ? createHash('sha256').update(verifier).digest('base64url')
            : 'not possible',
          clientId,
          resource,
        };
        issued = await store.change((state) => exchangeCode(state, shown, lifetimes, Date.now()));
        break;
      }
      case 'refresh_token': {
        const shown = { token: required(form, 'refresh_token'), clientId, resource };
        issued = await store.change((state) => refreshTokens(state, shown, lifetimes, Date.now()));
        break;
      }
      default:
        throw new OAuthProblem(
          'unsupported_grant_type',
          'Use authorization_code or refresh_token.',
        );
    }
    if ('wrong' in issued) {
      const { ended, wrong } = issued;
      if (ended) {
        const { name } = ended.person;
        this.#options.log(
          'warning',
          `The sign-in ${ended.id} of ${name} with ${ended.client.host} was ended, because ${wrong}. It may have been stolen.`,
        );
      }
      throw new OAuthProblem('invalid_grant', `No tokens: ${wrong}.`);
    }
    const { accessToken, refreshToken, expiresInMs } = issued;
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: Math.floor(expiresInMs / 1000),
      scope: OWN_SCOPE,
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    };
  }

  async #revoke(incoming: IncomingMessage): Promise<object> {
    const form = await this.#clientForm(incoming);
    const client = await this.#authenticated(incoming, form);
    const token = required(form, 'token');
    await this.#options.store.change((state) => revokeToken(state, token, client.id));
    return {};
  }

  async #register(incoming: IncomingMessage): Promise<object> {
    const body = await bodyOf(incoming, MAX_REGISTRATION);
    let json: unknown;
    try {
      json = JSON.parse(body);
    } catch {
      throw new OAuthProblem('invalid_client_metadata', 'The body is not JSON.');
    }
    const registered = await this.#clients.register(json);
    if (!isNotRegistered(registered)) return registered;
    const { error, why } = registered;
    const status = error === 'temporarily_unavailable' ? 429 : 400;
    throw new OAuthProblem(error, `The client was not registered: ${why}.`, status);
  }

  /** The client that sends a request, after it has shown its secret if it has one. */
  async #authenticated(
    { headers: { authorization } }: IncomingMessage,
    form: ReadonlyMap<string, string>,
  ): Promise<Pick<SignInClient, 'id' | 'secretHash'>> {
    const basic = authorization === undefined ? undefined : basicOf(authorization);
    const id = basic?.id ?? form.get('client_id');
    const isTwice = basic && (form.has('client_secret') || (form.get('client_id') ?? id) !== id);
    if (id === undefined || isTwice || (authorization !== undefined && !basic))
      throw new OAuthProblem('invalid_client', 'The client must say once who it is.', 401);
    const client = await this.#clients.findForTokens(id).catch((error: unknown) => {
      if (!(error instanceof ClientProblem)) throw error;
      throw new OAuthProblem('invalid_client', error.message, 401);
    });
    const secret = basic?.secret ?? form.get('client_secret');
    // Compared as hashes, so the time that it takes reveals nothing about the secret.
    const isRight =
      client.secretHash === undefined ||
      (secret !== undefined && hashOf(secret) === client.secretHash);
    if (!isRight) throw new OAuthProblem('invalid_client', 'The client secret is wrong.', 401);
    return client;
  }

  /** Our address, if that is what the client asks for. Default: it is. Older clients do not say it. */
  #resourceIn(asked: ReadonlyMap<string, string>): string | undefined {
    const resource = asked.get('resource');
    if (resource === undefined) return this.#resource;
    const { origin } = this.#options.settings;
    const isOurs =
      [origin, `${origin}/`, `${origin}/sse`, this.#resource].includes(resource) ||
      resource.startsWith(`${this.#resource}/`);
    return isOurs ? this.#resource : undefined;
  }

  /** A form that one of our own pages sent. Another site may make a browser send one too. */
  async #form(incoming: IncomingMessage): Promise<ReadonlyMap<string, string>> {
    const { origin, 'sec-fetch-site': site } = incoming.headers;
    const isForeign = origin !== undefined && origin !== this.#options.settings.origin;
    if (isForeign || (site !== undefined && site !== 'same-origin'))
      throw new PageProblem('Another site has sent this form.');
    return single(new URLSearchParams(await bodyOf(incoming, MAX_BODY)));
  }

  async #clientForm(incoming: IncomingMessage): Promise<ReadonlyMap<string, string>> {
    const { 'content-type': type = '' } = incoming.headers;
    const body = await bodyOf(incoming, MAX_BODY);
    if (!/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type))
      throw new OAuthProblem('invalid_request', 'The body must be a form.');
    return single(new URLSearchParams(body), (message) => {
      throw new OAuthProblem('invalid_request', message);
    });
  }

  /** Opens what a page carried, if it is this browser's. */
  async #opened(step: Step, sealed: string, incoming: IncomingMessage): Promise<Carried> {
    const carried = await this.#seal.open(step, sealed);
    const cookie = cookieIn(incoming, this.#browserCookie);
    if (!carried || cookie === undefined || carried.browser !== hashOf(cookie))
      throw new PageProblem(TOO_OLD);
    return carried;
  }

  #principalOf({ name, roles, keyHash }: Person): Principal {
    if (name.startsWith(BY_OPERATOR) && !this.#options.settings.operator)
      throw new PageProblem('No operator lets people in here any more.');
    if (keyHash === undefined) return { name, roles };
    const holder = this.#options.keyHolder(keyHash);
    if (holder) return holder;
    throw new PageProblem('The key that you signed in with was revoked.');
  }

  #noteWrongKey(): void {
    this.#wrongKeys += 1;
    if (Date.now() < this.#quietUntil) return;
    this.#quietUntil = Date.now() + QUIET_MS;
    const count = this.#wrongKeys === 1 ? 'A wrong key was' : `${this.#wrongKeys} wrong keys were`;
    this.#options.log('warning', `${count} pasted into the sign-in page.`);
    this.#wrongKeys = 0;
  }

  /** An empty value deletes it. */
  #cookie(name: string, value: string, path = '/'): string {
    const isSecure = this.#options.settings.origin.startsWith('https:');
    const end = value === '' ? '; Max-Age=0' : '';
    return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${end}`;
  }

  #page(method: string, handle: (request: IncomingMessage) => Promise<Shown>): Site {
    return async (request, response) => {
      let shown: Shown;
      try {
        shown = isAllowed(method, request)
          ? await handle(request)
          : { page: problemPage('This page cannot be opened like this.'), status: 405 };
      } catch (error) {
        const isKnown =
          error instanceof PageProblem ||
          error instanceof ClientProblem ||
          error instanceof BodyTooLong ||
          error instanceof ProviderProblem;
        if (!isKnown) this.#options.log('error', `A sign-in failed: ${(error as Error).message}`);
        else if (error.cause instanceof Error)
          this.#options.log('warning', `${error.message} ${causeOf(error.cause)}`);
        const why = isKnown ? error.message : 'The gateway has a problem. Tell its operator.';
        shown = { page: problemPage(why), status: isKnown ? 400 : 500 };
      }
      request.resume();
      const { page, location, cookies = [], status = location === undefined ? 200 : 303 } = shown;
      response.writeHead(status, {
        ...pageHeaders(page),
        ...(location === undefined ? {} : { location }),
        ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
      });
      response.end(request.method === 'HEAD' ? undefined : page?.html);
    };
  }

  #api(
    method: string,
    handle: (request: IncomingMessage) => object | Promise<object>,
    success = 200,
  ): Site {
    return async (request, response) => {
      const { origin } = request.headers;
      // The listener has checked the origin.
      if (origin !== undefined) response.setHeader('access-control-allow-origin', origin);
      response.setHeader('vary', 'origin');
      if (request.method === 'OPTIONS') {
        request.resume();
        response.writeHead(204, {
          'access-control-allow-methods': method,
          'access-control-allow-headers': '*, authorization, content-type',
        });
        return void response.end();
      }
      let status = success;
      let body: object;
      try {
        if (!isAllowed(method, request))
          throw new OAuthProblem('invalid_request', `Use ${method}.`, 405);
        body = await handle(request);
      } catch (error) {
        const problem =
          error instanceof OAuthProblem
            ? error
            : error instanceof BodyTooLong
              ? new OAuthProblem('invalid_request', error.message, 413)
              : new OAuthProblem('server_error', 'The gateway has a problem.', 500);
        if (error !== problem)
          this.#options.log('error', `A sign-in failed: ${(error as Error).message}`);
        status = problem.status;
        body = { error: problem.error, error_description: problem.message };
      }
      request.resume();
      const isBasic = status === 401 && request.headers.authorization !== undefined;
      response.writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...(isBasic ? { 'www-authenticate': 'Basic realm="callsign"' } : {}),
      });
      response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
    };
  }
}

/** Says who we are to authorization servers of servers that let clients publish it themselves. */
function clientDocument(origin: string): object {
  return {
    client_id: `${origin}/accounts/client.json`,
    client_name: 'Callsign',
    client_uri: origin,
    redirect_uris: [`${origin}/accounts/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function isAllowed(method: string, request: IncomingMessage): boolean {
  return request.method === method || (method === 'GET' && request.method === 'HEAD');
}

function isNotRegistered(answer: object): answer is { error: string; why: string } {
  return 'why' in answer;
}

function required(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value !== undefined && value !== '') return value;
  throw new OAuthProblem('invalid_request', `"${name}" is missing.`);
}

function basicOf(authorization: string): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const parts = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8'));
  if (!parts) return undefined;
  return { id: decoded(parts[1]!), secret: decoded(parts[2]!) };
}

/** Both parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1). */
function decoded(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? '';
}

function shownClient({ client, isKnownHost, redirectUri }: AuthorizationRequest): ShownClient {
  const { name, host } = client;
  return { name, host: isKnownHost ? host : undefined, target: targetOf(redirectUri) };
}

/** Which client a person comes from, for operators. */
function whoAsks({ client, isKnownHost }: AuthorizationRequest): string {
  return isKnownHost ? client.host : `${client.host}; nothing proves who made this client`;
}

/** Who gets the code, for people. */
function targetOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === 'https:') return host;
  return protocol === 'http:' ? `${host} (a program on this computer)` : `the app of "${protocol}"`;
}

/** The innermost reason: the outer ones only say that something failed. */
function causeOf(error: Error): string {
  return error.cause instanceof Error ? causeOf(error.cause) : visibleLine(error.message, 200);
}
