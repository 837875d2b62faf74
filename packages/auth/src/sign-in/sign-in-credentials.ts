/** The tokens for requests to one server: renewed before they expire, by one process at a time. */

import type { HttpOptions } from '@callsign/wire';

import type { OutboundFetch } from '../network/outbound-fetch.js';
import { reasonOf } from './sign-in-error.js';
import type { SignInStore } from './sign-in-store.js';
import { isRevoked } from './sign-out.js';
import { tokensIn, type RemoteEntry, type SignInRecord } from './sign-in-record.js';

type HttpCredentials = NonNullable<HttpOptions['credentials']>;
type Headers = Awaited<ReturnType<HttpCredentials['headers']>>;

export interface SignInCredentialsOptions {
  readonly store: Pick<SignInStore, 'alone' | 'find' | 'remove' | 'save'>;
  readonly fetch: OutboundFetch;
  /** Receives warnings for the operator, without secrets. */
  readonly onProblem?: (message: string) => void;
  /** What a person can do without a sign-in. Default: the command. */
  readonly advice?: string;
}

/**
 * Tokens are renewed this long before they expire, but not before four fifths of their time have
 * passed.
 */
const RENEW_BEFORE_MS = 60_000;
/** How long the authorization server is not asked after a failure. */
const PAUSE_MS = 10_000;
const NONE: Headers = {};

/** Never rejects: without a token the server's refusal leads to the advice. */
export class SignInCredentials implements HttpCredentials {
  readonly advice: string;
  readonly #server: RemoteEntry;
  readonly #options: SignInCredentialsOptions;
  /** Read when first needed. `undefined` until then, or if there is none. */
  #record: SignInRecord | undefined;
  #headers: Headers = NONE;
  #renewAt = -Infinity;
  #pausedUntil = -Infinity;
  #isRead = false;
  /**
   * Renewed tokens that could not be saved. They are kept, since the old ones may already be
   * invalid.
   */
  #unsaved: SignInRecord | undefined;
  #renewing: Promise<boolean> | undefined;

  constructor(server: RemoteEntry, options: SignInCredentialsOptions) {
    this.#server = server;
    this.#options = options;
    this.advice = options.advice ?? `sign in with: callsign login ${server.key}`;
  }

  /** Returns at once while the token is valid for some time. */
  headers(): Headers | Promise<Headers> {
    return this.#isFresh() ? this.#headers : this.#fresh();
  }

  async renew(refused: Headers): Promise<boolean> {
    return this.#once(async () => {
      // The token may have been renewed in the meantime, here or in another process.
      await this.#read();
      if (this.#headers !== NONE && this.#headers['authorization'] !== refused['authorization']) {
        return true;
      }
      return this.#refresh(this.#record);
    });
  }

  scopeAdvice(challenge: string): string | undefined {
    if (!/\berror="?insufficient_scope\b/.test(challenge)) return undefined;
    const asked = /\bscope="([!#-[\]-~ ]{1,400})"/.exec(challenge)?.[1];
    if (asked === undefined) return undefined;
    // A new sign-in takes the place of this one, so it must ask for everything.
    const scopes = new Set(`${this.#record?.scope ?? ''} ${asked}`.split(' ').filter(Boolean));
    const { key } = this.#server;
    return `it asks for more scopes: set "callsign.servers.${key}.oauth.scope" to "${[...scopes].join(' ')}", then ${this.advice}`;
  }

  async #fresh(): Promise<Headers> {
    await this.#once(async () => {
      if (!this.#isRead) await this.#read();
      return this.#isFresh() || this.#refresh(this.#record);
    });
    return this.#headers;
  }

  #isFresh(): boolean {
    const now = Date.now();
    return this.#isRead && (now < this.#renewAt || now < this.#pausedUntil);
  }

  #pause(): void {
    this.#pausedUntil = Date.now() + PAUSE_MS;
  }

  /** One renewal at a time. Requests that come in between share its result. */
  #once(run: () => Promise<boolean>): Promise<boolean> {
    this.#renewing ??= run()
      .catch((error: unknown) => {
        this.#complain(error instanceof Error ? error.message : reasonOf(error));
        this.#pause();
        return false;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #read(): Promise<void> {
    this.#isRead = true;
    this.#take(await this.#find());
  }

  async #find(): Promise<SignInRecord | undefined> {
    const [saved, unsaved] = [await this.#options.store.find(this.#server), this.#unsaved];
    return unsaved && unsaved.issuedAt > (saved?.issuedAt ?? 0) ? unsaved : saved;
  }

  #take(record: SignInRecord | undefined): void {
    if (record && record.accessToken === this.#record?.accessToken) return;
    this.#record = record;
    this.#headers = record ? { authorization: `Bearer ${record.accessToken}` } : NONE;
    this.#renewAt = record ? renewalOf(record) : Infinity;
  }

  /**
   * Exchanges the refresh token for new tokens. A refresh token often works only once, so only one
   * process may try.
   */
  async #refresh(stale: SignInRecord | undefined): Promise<boolean> {
    if (stale?.refreshToken === undefined || Date.now() < this.#pausedUntil) return false;
    return this.#options.store.alone(this.#server, async () => {
      const current = await this.#find();
      if (current?.accessToken !== stale.accessToken) {
        this.#take(current);
        return current !== undefined;
      }
      return this.#trade(current);
    });
  }

  async #trade(record: SignInRecord): Promise<boolean> {
    const { store, fetch } = this.#options;
    const { refreshAuthorization } = await import('@modelcontextprotocol/client');
    try {
      const answer = await refreshAuthorization(record.authorizationServer, {
        clientInformation: record.client as { client_id: string },
        refreshToken: record.refreshToken!,
        fetchFn: fetch,
        ...(record.metadata ? { metadata: record.metadata as never } : {}),
        ...(record.resource === undefined ? {} : { resource: record.resource }),
      });
      await this.#keep({ ...record, ...tokensIn(answer, record) });
      return this.#record !== undefined;
    } catch (error) {
      // The sign-in was revoked. Another attempt would fail too.
      if ((error as { code?: unknown }).code === 'invalid_grant') {
        this.#unsaved = undefined;
        this.#take(undefined);
        await store.remove(this.#server);
        this.#complain(`its sign-in has ended; ${this.advice}`);
      } else {
        this.#complain(`its tokens could not be renewed: ${reasonOf(error)}`);
        this.#pause();
      }
      return false;
    }
  }

  async #keep(renewed: SignInRecord): Promise<void> {
    this.#take(renewed);
    this.#unsaved = renewed;
    try {
      const { store, fetch } = this.#options;
      await store.save(renewed);
      this.#unsaved = undefined;
      if (await store.find(this.#server)) return;
      // It was removed meanwhile: the old tokens were revoked then, and the new ones are now.
      this.#take(undefined);
      await isRevoked(renewed, fetch);
    } catch (error) {
      this.#complain(`its tokens were renewed, but not saved: ${(error as Error).message}`);
    }
  }

  #complain(message: string): void {
    this.#options.onProblem?.(`[${this.#server.key}] ${message}`);
  }
}

/**
 * For a remote server of the configuration. `undefined`: the entry has an `Authorization` header of its own, which is
 * sent instead.
 */
export function credentialsFor(
  server: RemoteEntry & { readonly headers: Readonly<Record<string, string>> },
  options: SignInCredentialsOptions,
): SignInCredentials | undefined {
  const names = Object.keys(server.headers).map((name) => name.toLowerCase());
  return names.includes('authorization') ? undefined : new SignInCredentials(server, options);
}

function renewalOf({ issuedAt, expiresAt, refreshToken }: SignInRecord): number {
  if (expiresAt === undefined || refreshToken === undefined) return Infinity;
  return expiresAt - Math.min(RENEW_BEFORE_MS, (expiresAt - issuedAt) / 5);
}
