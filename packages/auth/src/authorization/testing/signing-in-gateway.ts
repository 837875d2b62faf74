/** An authorization server on loopback, over a real listener, and a client that does every step by hand. */

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Principal } from '@callsign/core';
import { onTestFinished } from 'vitest';

import { createApiKey } from '../../callers/api-key.js';
import { createAuthentication, type Authentication } from '../../callers/authentication.js';
import { AUTH_SETTINGS } from '../../callers/auth-settings.js';
import { createOutboundFetch } from '../../network/outbound-fetch.js';
import { CallerSignInFile } from '../caller-sign-in-file.js';
import { addOperatorAnswer, operatorHash } from '../caller-sign-in-state.js';
import { SignInSite } from '../sign-in-site.js';
import type { OperatorQuestion } from '../operator-question.js';
import { Browser, type Seen } from './browser.js';

export interface Setup {
  /** Settings of `auth.signIn`, besides the origin. */
  readonly signIn?: object;
  readonly allowPrivate?: readonly string[];
  /** The folder of the store. Default: a new one. */
  readonly folder?: string;
  /** A store that another gateway uses too, as in a database. */
  readonly store?: CallerSignInFile;
  /** The origin of the settings, if a proxy is in front. Default: the address of the listener. */
  readonly publicOrigin?: string;
}

/** The tokens of an answer. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A question that an operator sees. */
export interface Question extends OperatorQuestion {
  readonly timeoutMs: number;
  isOpen: boolean;
  /** It ends without an answer. */
  readonly end: () => void;
}

export const ANN = createApiKey();
export const CLIENT = {
  id: 'tester',
  name: 'Tester',
  redirectUris: ['https://tester.example/callback', 'http://127.0.0.1/back', 'tester-app:/back'],
};
export const REDIRECT = CLIENT.redirectUris[0]!;

export class SigningInGateway {
  /** The address of the listener. */
  readonly origin: string;
  /** The address that tokens are for. */
  readonly resource: string;
  readonly authentication: Authentication;
  readonly store: CallerSignInFile;
  readonly log: string[];
  /** Everything that operators were asked, the oldest first. */
  readonly questions: Question[];
  /** The roles of Ann's key. An empty list of keys: it was revoked. */
  readonly setKeys: (keys: { name: string; hash: string; roles: string[] }[]) => void;

  /** Takes other settings of `auth.signIn`, as at a reload. */
  readonly apply: (signIn: object) => void;

  private constructor(parts: Omit<SigningInGateway, 'stored' | keyof Methods>) {
    this.origin = parts.origin;
    this.resource = parts.resource;
    this.authentication = parts.authentication;
    this.store = parts.store;
    this.log = parts.log;
    this.questions = parts.questions;
    this.setKeys = parts.setKeys;
    this.apply = parts.apply;
  }

  static async start({
    signIn = {},
    allowPrivate = [],
    folder,
    store: shared,
    publicOrigin,
  }: Setup = {}): Promise<SigningInGateway> {
    const place = folder ?? mkdtempSync(join(tmpdir(), 'callsign-'));
    const log: string[] = [];
    const questions: Question[] = [];
    const listener = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://x');
      const site = server.siteAt(pathname);
      const page = authentication.pageAt(pathname);
      if (site) void site(request, response);
      else if (page) void Promise.resolve(page.text()).then((text) => response.end(text));
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const key = { name: 'ann', hash: ANN.hash, roles: ['reader'] };
    const settings = AUTH_SETTINGS.parse({
      keys: [key],
      signIn: { clients: [CLIENT], ...signIn, origin: publicOrigin ?? origin },
    });
    const store = shared ?? new CallerSignInFile(place);
    const network = { allowPrivate: [...allowPrivate] };
    const outbound = createOutboundFetch(
      network,
      ...(settings.signIn?.oidc ? [settings.signIn.oidc.issuer] : []),
    );
    const created = (current: NonNullable<typeof settings.signIn>): SignInSite =>
      new SignInSite({
        settings: current,
        store,
        network,
        fetch: outbound,
        clientSecret: settings.signIn?.oidc?.clientSecret,
        keyHolder: (hash) => authentication.holderOf(hash),
        operators: {
          newId: () => String(questions.length),
          ask(question, timeoutMs) {
            let end!: () => void;
            const ended = new Promise<void>((resolve) => {
              end = () => {
                asked.isOpen = false;
                resolve();
              };
            });
            const asked: Question = { ...question, timeoutMs, isOpen: true, end };
            questions.push(asked);
            return { ended, withdraw: end };
          },
        },
        access: ({ roles }) => ({ tools: [{ label: 'that only read', count: 3 }], roles }),
        log: (_, message) => void log.push(message),
      });
    let server = created(settings.signIn!);
    const authentication: Authentication = createAuthentication(settings, {
      fetch: outbound,
      people: server,
    });
    onTestFinished(() => {
      server.close();
      outbound.close();
      listener.closeAllConnections();
      listener.close();
      if (folder === undefined) rmSync(place, { recursive: true });
    });
    const setKeys: SigningInGateway['setKeys'] = (keys) => authentication.replaceKeys(keys);
    const apply: SigningInGateway['apply'] = (changed) => {
      const all = { clients: [CLIENT], ...changed, origin: publicOrigin ?? origin };
      server.close();
      server = created(AUTH_SETTINGS.parse({ keys: [key], signIn: all }).signIn!);
    };
    const resource = `${publicOrigin ?? origin}/mcp`;
    const parts = { origin, resource, authentication, store, log, questions, setKeys, apply };
    return new SigningInGateway(parts);
  }

  /** The text of the stored file. */
  get stored(): string {
    return readFileSync(this.store.path, 'utf8');
  }

  /** An operator answers. */
  async answer({ id, shown, end }: Question, isYes: boolean): Promise<void> {
    const answer = { hash: operatorHash(id, shown), isYes };
    await this.store.change((state) => addOperatorAnswer(state, answer, Date.now()));
    end();
  }

  /** The address that a client opens in a browser. */
  authorizeUrl(changes: Readonly<Record<string, string | undefined>> = {}): URL {
    const url = new URL(`${this.origin}/authorize`);
    const parameters = {
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: REDIRECT,
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: 'S256',
      state: 'the-state',
      resource: this.resource,
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url;
  }

  /** The consent page, after Ann has pasted the key. */
  async consent(
    changes: Readonly<Record<string, string | undefined>> = {},
    browser: Browser = new Browser(),
  ): Promise<{ browser: Browser; page: Seen; url: URL }> {
    const url = this.authorizeUrl(changes);
    const asked = await browser.open(url);
    return { browser, url, page: await browser.submit(asked, url, { key: ANN.key }) };
  }

  /** A new code, and all that the client gets with it. */
  async code(changes: Readonly<Record<string, string | undefined>> = {}): Promise<URLSearchParams> {
    const { browser, page, url } = await this.consent(changes);
    const { location } = await browser.submit(page, url, { answer: 'allow' });
    return location!.searchParams;
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    });
  }

  exchange(
    code: string,
    changes: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const fields = {
      grant_type: 'authorization_code',
      code,
      client_id: CLIENT.id,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      resource: this.resource,
      ...changes,
    };
    return this.post('/token', fields, headers);
  }

  refresh(token: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> {
    const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: CLIENT.id };
    return this.post('/token', { ...fields, ...changes });
  }

  async tokens(): Promise<Tokens> {
    const code = (await this.code()).get('code')!;
    return (await (await this.exchange(code)).json()) as Tokens;
  }

  /** Who a token belongs to; `undefined` if it is refused. */
  async callerOf(token: string): Promise<Principal | undefined> {
    const rawHeaders = ['Authorization', `Bearer ${token}`];
    const shown = await this.authentication.authenticate({ headers: {}, rawHeaders });
    return shown && !('status' in shown) ? shown : undefined;
  }
}

type Methods = Pick<
  SigningInGateway,
  | 'answer'
  | 'authorizeUrl'
  | 'callerOf'
  | 'code'
  | 'consent'
  | 'exchange'
  | 'post'
  | 'refresh'
  | 'tokens'
>;

export const VERIFIER = randomBytes(32).toString('base64url');

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
